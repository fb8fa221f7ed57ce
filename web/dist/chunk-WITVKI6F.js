var n=e=>e.replace(/^\.\//,"");export{n as a};
