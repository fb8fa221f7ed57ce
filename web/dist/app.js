import{n as a,o as b}from"./chunk-PC5OB2ON.js";export{a as link,b as setQuery};
