import{a as t,b as o}from"./chunk-6HOZY6SC.js";function u(e,r){return o(e,t("h1",{},"papers")),()=>{}}export{u as mount};
