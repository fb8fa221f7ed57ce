// A look into a player: its weights, how they came about, its hidden nodes, and how it plays.

import { call } from "../api";
import { heatBoard, largest, symmetrised, weightText } from "../board/heat";
import { opponents } from "../board/players";
import { type Opponents, type Portrait, type PortraitNode, signed } from "../board/types";
import { download, h, put, show_error, toast } from "../dom";
import { link, type Route, setQuery } from "../shell";
import { profile } from "./profile";
import { results } from "./results";
import { topology } from "./topology";

export function mount(root: HTMLElement, route: Route): () => void {
  const control = new AbortController();
  const { signal } = control;
  let end = () => {};
  const work = async () => {
    const all = await opponents(signal);
    if (!route.rest) {
      put(root, h("h1", {}, "Players"), list(all));
      return;
    }
    const portrait = await call<Portrait>("portrait", { player: route.rest, history: true }, { signal });
    if (!signal.aborted) end = show(root, portrait, all, route);
  };
  put(root, h("h1", {}, route.rest || "Players"), h("p", { class: "note" }, "Loading …"));
  work().catch((error: unknown) => {
    if (!signal.aborted) show_error(root, error);
  });
  return () => {
    control.abort();
    end();
  };
}

/** Everybody, to choose from. */
function list(all: Opponents): HTMLElement {
  const item = (player: string, text: string) => h("li", {}, h("a", { href: link("player", player) }, player), text ? h("span", { class: "soft" }, ` ${text}`) : null);
  const studies = all.studies.filter(({ runs }) => runs.length);
  return h(
    "div",
    {},
    h("h2", {}, "Named players"),
    h("ul", { class: "players-list" }, ...all.named.map(({ name, summary }) => item(name, summary))),
    all.files.length ? h("h2", {}, "Player files") : null,
    h("ul", { class: "players-list" }, ...all.files.map((file) => item(file, ""))),
    ...studies.flatMap(({ label, folder, runs, has_front }) => [
      h("h2", {}, label),
      h("p", { class: "note" }, folder, has_front ? " " : null, has_front ? h("a", { href: link("front", folder) }, "its front") : null),
      h("ul", { class: "players-list" }, ...runs.map((run) => item(run, ""))),
    ]),
    studies.length ? null : h("p", { class: "note" }, "Champions of studies in this folder will be listed here."),
    all.more ? h("p", { class: "note" }, "The list is cut off; there are more.") : null,
  );
}

const KINDS: Record<string, string> = {
  wpc: "weighted piece counter: one weight for each square",
  "wpc-symmetric": "weighted piece counter with ten weights, one for each kind of square",
  mlp: "perceptron",
  spatial: "perceptron that looks at parts of the board",
  graph: "evolved network",
  formula: "formula",
  random: "plays at random",
};

function show(root: HTMLElement, portrait: Portrait, all: Opponents, route: Route): () => void {
  const { player, history } = portrait;
  const squares = portrait.weights ?? portrait.worth;
  const meaning = portrait.weights ? "The weight of each square" : "What a disc on each square is worth, on average over positions of random games";
  const facts = [
    portrait.summary ?? KINDS[portrait.kind] ?? portrait.kind,
    portrait.hidden === null ? "" : `${portrait.hidden} hidden ${portrait.hidden === 1 ? "node" : "nodes"}, ${portrait.connections} connections`,
    portrait.view === "black" ? "sees every board as Black" : "",
    ...portrait.unfinished.map(({ games }) => `as its run stands, after ${games.toLocaleString("en")} games`),
  ].filter(Boolean);
  const picture = h("figure", { class: "picture" });
  const moment = { index: history.length - 1 };
  const symmetric = h("input", { type: "checkbox" });
  // One scale for the whole history, so that growth can be seen.
  const most = Math.max(largest(squares ?? []), ...history.map((champion) => largest(champion.squares ?? [])));
  const words = h("output", { class: "note" });
  const slider = h("input", { type: "range", min: 0, max: Math.max(0, history.length - 1), value: moment.index, "aria-label": "Moment of the run" });
  const kinds = h("div", { class: "box" });
  const draw = () => {
    const champion = history[moment.index];
    const values = champion?.squares ?? squares;
    if (!values) return;
    const shown = symmetric.checked ? symmetrised(values) : values;
    const label = champion ? `${meaning}, after ${champion.games.toLocaleString("en")} games` : meaning;
    put(picture, heatBoard({ values: shown, label, numbers: true, most }), h("figcaption", {}, `${label}${symmetric.checked ? ", mean over symmetric squares" : ""}. Green: above 0; purple: below; stronger: further from 0.`));
    if (portrait.weights) put(kinds, ranking(values, most));
    if (!champion) return;
    const size = champion.hidden === null ? "" : `, ${champion.hidden} hidden nodes`;
    put(words, `${champion.games.toLocaleString("en")} games, generation ${champion.generation.toLocaleString("en")}${size}`);
    slider.value = String(moment.index);
    slider.setAttribute("aria-valuetext", words.textContent ?? "");
  };
  const to = (index: number) => {
    moment.index = Math.max(0, Math.min(history.length - 1, index));
    draw();
    const champion = history[moment.index];
    setQuery(champion && moment.index < history.length - 1 ? { at: String(champion.games) } : {});
  };
  const asked = Number(route.query.get("at") ?? Number.NaN);
  const found = history.findIndex((champion) => champion.games >= asked);
  if (found >= 0) moment.index = found;
  slider.addEventListener("input", () => to(Number(slider.value)));
  symmetric.addEventListener("change", draw);
  let timer = 0;
  const animate = h("button", { type: "button", "aria-label": "Play the history" }, "▶");
  const halt = () => {
    clearInterval(timer);
    timer = 0;
    animate.textContent = "▶";
  };
  animate.addEventListener("click", () => {
    if (timer) {
      halt();
      return;
    }
    animate.textContent = "⏸";
    if (moment.index === history.length - 1) to(0);
    const step = Math.max(1, Math.round(history.length / 120));
    timer = window.setInterval(() => {
      to(moment.index + step);
      if (moment.index === history.length - 1) halt();
    }, 90);
  });
  const stem = player.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "player";
  const fetch_one = async (what: "file" | "svg") => {
    const at = history[moment.index]?.games;
    const early = moment.index < history.length - 1 && at !== undefined ? { at } : {};
    const answer = await call<Portrait>("portrait", { player, [what]: true, ...early });
    const content = answer[what];
    if (content) download(`${stem}${early.at ? `-${early.at}` : ""}.${what === "file" ? "json" : "svg"}`, what === "file" ? "application/json" : "image/svg+xml", content);
  };
  const button = (text: string, what: "file" | "svg") => {
    const made = h("button", { type: "button" }, text);
    made.addEventListener("click", () => void fetch_one(what).catch((error: unknown) => toast(error instanceof Error ? error.message : String(error), "error")));
    return made;
  };
  const has_model = portrait.weights !== null || portrait.nodes.length > 0;
  const matches = results(player, all);
  // Players that are drawn for every game have no profile.
  const strength = player.startsWith("random-wpc") ? null : profile(player);
  const rival = player === "ctdl2009-best" ? "lr2006" : "ctdl2009-best";
  draw();
  put(
    root,
    h("h1", {}, player),
    h("p", {}, facts.join("; "), "."),
    h(
      "div",
      { class: "row no-print" },
      h("a", { class: "button main", href: link("play", "", { black: "you", white: player }) }, "Play it"),
      h("a", { class: "button", href: link("play", "", { black: player, white: rival }) }, `Watch it against ${rival}`),
      has_model ? button("Download the player", "file") : null,
      has_model ? button("Download the picture", "svg") : null,
    ),
    h(
      "div",
      { class: "portrait" },
      squares ? picture : h("p", { class: "picture note" }, "It has no weights to draw."),
      h(
        "div",
        { class: "beside" },
        squares ? h("div", { class: "row no-print" }, h("label", {}, symmetric, h("span", {}, "Mean over symmetric squares"))) : null,
        history.length > 1 ? h("h2", {}, "History") : null,
        history.length > 1 ? h("div", { class: "moment no-print" }, animate, slider) : null,
        history.length > 1 ? words : null,
        history.length > 1 ? h("p", { class: "note" }, `The champions of its run${portrait.moments > history.length ? `, ${history.length} of ${portrait.moments} moments` : ""}, on one scale of colours.${portrait.nodes.length ? " Hidden nodes and the network below are those of the last." : ""}`) : null,
        portrait.has_history || history.length ? null : h("p", { class: "note no-print" }, "For the champion of a run, a slider here shows how its weights evolved."),
        portrait.weights ? kinds : null,
      ),
    ),
    portrait.nodes.length ? fields(portrait.nodes) : null,
    portrait.links.length ? h("section", {}, h("h2", {}, "The network"), topology(portrait)) : null,
    matches.element,
    strength?.element,
  );
  return () => {
    halt();
    matches.close();
    strength?.close();
  };
}

/** The kinds of squares, best first. */
function ranking(weights: number[], most: number): HTMLElement {
  const kinds: [string, number][] = [["corner (a1)", 0], ["next to it (b1)", 1], ["edge (c1)", 2], ["edge (d1)", 3], ["X square (b2)", 9], ["c2", 10], ["d2", 11], ["c3", 18], ["d3", 19], ["centre (d4)", 27]];
  const mean = symmetrised(weights);
  const sorted = kinds.map(([name, index]) => ({ name, value: mean[index] ?? 0 })).sort((a, b) => b.value - a.value);
  const row = ({ name, value }: { name: string; value: number }) => h("tr", {}, h("td", { class: "name" }, name), h("td", {}, weightText(value, most)));
  return h("table", {}, h("caption", {}, "Kinds of squares, mean weight"), h("tbody", {}, ...sorted.map(row)));
}

/** Hidden nodes as boards; one can be enlarged. */
function fields(nodes: PortraitNode[]): HTMLElement {
  const seeing = nodes.filter((node) => node.squares);
  const shown = seeing.slice(0, 60);
  const large = h("dialog", { "aria-label": "A hidden node" });
  const field = (node: PortraitNode) => {
    const values = node.squares ?? [];
    const to = node.to_output === null ? "not to the output" : `to the output ${signed(node.to_output)}`;
    const text = `${node.name}: ${to}${node.bias === null ? "" : `, bias ${signed(node.bias)}`}`;
    const made = h("button", { type: "button", title: `${text}. Enlarge.` }, heatBoard({ values, label: `weights of ${node.name}` }), node.name, " ", h("span", { class: "soft" }, node.to_output === null ? "" : signed(node.to_output, 2)));
    made.addEventListener("click", () => {
      const close = h("button", { type: "button" }, "Close");
      close.addEventListener("click", () => large.close());
      put(large, h("h2", {}, text), heatBoard({ values, label: `weights of ${node.name}`, numbers: true }), h("div", { class: "row" }, close));
      large.showModal();
    });
    return made;
  };
  if (!seeing.length) return h("section", {});
  const more = seeing.length > shown.length ? ` The first ${shown.length} of ${seeing.length}.` : "";
  return h(
    "section",
    {},
    h("h2", {}, "Hidden nodes"),
    h("p", { class: "note" }, `The weights from the squares to each node, strongest nodes first; the number is the weight to the output.${more}`),
    h("div", { class: "fields" }, ...shown.map(field)),
    large,
  );
}

