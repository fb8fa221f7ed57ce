import{n as a,o as b}from"./chunk-CZ6YHGUP.js";export{a as link,b as setQuery};
