import{a as t,b as o}from"./chunk-6HOZY6SC.js";function m(e,r){return o(e,t("h1",{},"play")),()=>{}}export{m as mount};
