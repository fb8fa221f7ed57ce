import{n as a,o as b}from"./chunk-HEWEKKCQ.js";export{a as link,b as setQuery};
