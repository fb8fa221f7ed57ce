import{n as a,o as b}from"./chunk-UFF3YBUW.js";export{a as link,b as setQuery};
