import{n as a,o as b}from"./chunk-PME23S57.js";export{a as link,b as setQuery};
