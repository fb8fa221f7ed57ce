var r=e=>e.replace(/^\.\//,"");export{r as a};
