import{n as a,o as b}from"./chunk-ZALPECIM.js";export{a as link,b as setQuery};
