import{n as a,o as b}from"./chunk-TOYBMU7N.js";export{a as link,b as setQuery};
