import{n as a,o as b}from"./chunk-T5QSODUL.js";export{a as link,b as setQuery};
