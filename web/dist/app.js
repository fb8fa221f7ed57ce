import{n as a,o as b}from"./chunk-EMEQSUCF.js";export{a as link,b as setQuery};
