// Every page, how to get there, and what shows that it is there; the sizes and schemes to see it in.
export const PAGES = [
  { name: "runs", hash: "#/runs", ready: "table.studies tbody tr" },
  { name: "start", hash: "#/runs/new?method=rsel", ready: ".keys details" },
  { name: "curves", hash: "#/curves?s=runs%2Fa&s=runs%2Fb", ready: ".u-over" },
  { name: "curves-list", hash: "#/curves", ready: "main ul a" },
  { name: "play", hash: "#/play?black=you&white=you&moves=f5d6c3d3c4", ready: ".moves .move" },
  { name: "players", hash: "#/player", ready: "main ul a" },
  { name: "player", hash: "#/player/td-greedy", ready: ".fields button" },
  { name: "player-run", hash: "#/player/runs/a/1", ready: ".moment input" },
  { name: "fronts", hash: "#/front", ready: "main ul a" },
  { name: "front", hash: "#/front/runs/front", ready: ".scatter .point" },
  { name: "papers", hash: "#/papers", ready: ".papers .card" },
  { name: "report", hash: "#/papers/report.html", ready: "iframe.page" },
];

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const TABLET = { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true };
export const DESKTOP = { viewport: { width: 1280, height: 900 } };
