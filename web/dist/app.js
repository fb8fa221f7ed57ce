import{n as a,o as b}from"./chunk-54VCII4F.js";export{a as link,b as setQuery};
