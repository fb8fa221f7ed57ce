// The front of a run with several objectives: click a point, look at the player, play it.

import { call } from "../api";
import { opponents } from "../board/players";
import { h, put, s, show_error } from "../dom";
import { link, type Route, setQuery } from "../shell";

interface FrontPlayer {
  seed: number;
  number: number;
  player: string;
  shares: number[];
  of_all_runs: boolean;
}

interface StudyFronts {
  name: string;
  objectives: string[];
  runs: { seed: number; path: string; size: number; hypervolume: number | null }[];
  players: FrontPlayer[];
  size: { mean: number; interval: [number, number] | null };
  hypervolume: { mean: number; interval: [number, number] | null } | null;
  reconstructed_hypervolume: number | null;
}

interface Answer {
  results: StudyFronts[];
  unfinished: { run: string; games: number }[];
}

export function mount(root: HTMLElement, route: Route): () => void {
  const control = new AbortController();
  const { signal } = control;
  const work = async () => {
    if (!route.rest) {
      const all = await opponents(signal);
      put(root, h("h1", {}, "Fronts"), choose(all.studies.filter((study) => study.has_front)));
      return;
    }
    const answer = await call<Answer>("front", { studies: [route.rest] }, { signal });
    const [study] = answer.results;
    if (study) show(root, study, answer, route);
  };
  put(root, h("h1", {}, "Front"), h("p", { class: "note" }, "Loading …"));
  work().catch((error: unknown) => {
    if (!signal.aborted) show_error(root, error);
  });
  return () => control.abort();
}

function choose(studies: { label: string; folder: string }[]): HTMLElement {
  if (!studies.length) return h("p", {}, "No study here has several objectives. To get one, train the preset ", h("code", {}, "mopso"), ".");
  return h("ul", {}, ...studies.map(({ label, folder }) => h("li", {}, h("a", { href: link("front", folder) }, label), h("span", { class: "soft" }, ` ${folder}`))));
}

const SHAPES = 5;
const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

function show(root: HTMLElement, study: StudyFronts, answer: Answer, route: Route): void {
  const axis = (value: number, label: string) => {
    const select = h("select", { "aria-label": label }, ...study.objectives.map((name, index) => h("option", { value: index }, name)));
    select.value = String(value);
    select.addEventListener("change", () => draw());
    return select;
  };
  const across = axis(0, "Across");
  const up = axis(Math.min(1, study.objectives.length - 1), "Up");
  const figure = h("figure", {});
  const card = h("section", { class: "card", "aria-live": "polite", "aria-label": "The chosen player" });
  let chosen = study.players.find((player) => player.player === route.query.get("player")) ?? null;

  const pick = (player: FrontPlayer) => {
    chosen = player;
    setQuery({ player: player.player });
    draw();
  };
  const draw = () => {
    put(figure, scatter(study, Number(across.value), Number(up.value), chosen, pick), h("figcaption", {}, "Shares of the points in the games of training. A colour and a shape for each run; for a faint point another run has a player that is at least as good in every objective. The dashed line joins the best of all runs."));
    if (!chosen) {
      put(card, h("p", {}, "Choose a point or a row of the table."));
      return;
    }
    const { player, shares, seed, number, of_all_runs } = chosen;
    put(
      card,
      h("h2", {}, `Player ${number} of the run with seed ${seed}`),
      h("ul", {}, ...study.objectives.map((name, index) => h("li", {}, `${name}: ${percent(shares[index] ?? 0)}`))),
      h("p", { class: "note" }, of_all_runs ? "No player of any run is as good in every objective and better in one." : "A player of another run is as good in every objective and better in one.", " On the command line: ", h("code", {}, player)),
      h("div", { class: "row" }, h("a", { class: "button main", href: link("play", "", { black: "you", white: player }) }, "Play it"), h("a", { class: "button", href: link("player", player) }, "Look inside")),
    );
  };
  const mean = ({ mean, interval }: { mean: number; interval: [number, number] | null }, digits: number) => `${mean.toFixed(digits)}${interval ? ` (95%: ${interval.map((end) => end.toFixed(digits)).join(" to ")})` : ""}`;
  put(
    root,
    h("h1", {}, `Front of ${study.name}`),
    h("p", {}, `${study.runs.length} ${study.runs.length === 1 ? "run" : "runs"}, ${study.objectives.length} objectives; players in a front: ${mean(study.size, 1)}`, study.hypervolume ? `; hypervolume: ${mean(study.hypervolume, 3)}` : "", "."),
    ...answer.unfinished.map(({ run, games }) => h("p", { class: "note" }, `${run} is not finished: as it stands after ${games.toLocaleString("en")} games.`)),
    h("div", { class: "row no-print" }, h("label", {}, "Across", across), h("label", {}, "Up", up)),
    h("div", { class: "portrait" }, h("div", { class: "picture" }, figure), h("div", { class: "beside" }, card)),
    table(study, pick),
  );
  draw();
}

function scatter(study: StudyFronts, across: number, up: number, chosen: FrontPlayer | null, pick: (player: FrontPlayer) => void): SVGSVGElement {
  const [width, height, left, bottom] = [560, 460, 58, 52];
  const place = (player: FrontPlayer): [number, number] => [player.shares[across] ?? 0, player.shares[up] ?? 0];
  const scale = (index: number) => {
    const values = study.players.map((player) => player.shares[index] ?? 0);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = Math.max(0.02, 0.08 * (high - low));
    const [from, to] = [Math.max(0, low - room), Math.min(1, high + room)];
    const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((size) => (to - from) / size <= 6) ?? 0.2;
    const ticks: number[] = [];
    for (let tick = Math.ceil(from / step) * step; tick <= to + 1e-9; tick += step) ticks.push(tick);
    return { from, span: Math.max(1e-9, to - from), ticks };
  };
  const [horizontal, vertical] = [scale(across), scale(up)];
  const x = (share: number) => left + ((width - left - 16) * (share - horizontal.from)) / horizontal.span;
  const y = (share: number) => height - bottom - ((height - bottom - 16) * (share - vertical.from)) / vertical.span;
  const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "scatter", role: "group", "aria-label": `Players by ${study.objectives[across]} and ${study.objectives[up]}` });
  for (const tick of horizontal.ticks) drawing.append(s("line", { x1: x(tick), x2: x(tick), y1: 16, y2: height - bottom, class: "tick" }), s("text", { x: x(tick), y: height - bottom + 18, "text-anchor": "middle" }, `${Math.round(100 * tick)}%`));
  for (const tick of vertical.ticks) drawing.append(s("line", { x1: left, x2: width - 16, y1: y(tick), y2: y(tick), class: "tick" }), s("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, `${Math.round(100 * tick)}%`));
  drawing.append(s("text", { x: (left + width) / 2, y: height - 12, "text-anchor": "middle" }, `points against ${study.objectives[across]}`), s("text", { x: 0, y: 0, "text-anchor": "middle", transform: `translate(14 ${(height - bottom) / 2}) rotate(-90)` }, `points against ${study.objectives[up]}`));
  const best = study.players.filter((player) => player.of_all_runs).map(place).sort((a, b) => a[0] - b[0]);
  if (study.objectives.length === 2 && best.length > 1) {
    const path = best.map(([a, b], index) => (index ? `V${y(b).toFixed(1)}H${x(a).toFixed(1)}` : `M${x(a).toFixed(1)} ${y(b).toFixed(1)}`)).join("");
    // Between two points the front is as good as the worse of the two in each objective.
    drawing.append(s("path", { d: path, class: "stair" }));
  }
  const seeds = study.runs.map((run) => run.seed);
  for (const player of study.players) {
    const run = Math.max(0, seeds.indexOf(player.seed));
    const [a, b] = place(player);
    const label = `Player ${player.number} of run ${player.seed}: ${study.objectives.map((name, index) => `${name} ${percent(player.shares[index] ?? 0)}`).join(", ")}`;
    const point = s("path", { d: shape(run % SHAPES, x(a), y(b)), class: player.of_all_runs ? "point" : "point minor", tabindex: 0, role: "button", "aria-label": label, "aria-pressed": String(player.player === chosen?.player) }, s("title", {}, label));
    point.style.fill = `var(--c${1 + (run % 8)})`;
    point.addEventListener("click", () => pick(player));
    point.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick(player);
    });
    drawing.append(point);
  }
  return drawing;
}

/** A marker of about the same area for each number. */
function shape(number: number, x: number, y: number): string {
  const r = 7;
  const by = (points: [number, number][]) => `M${points.map(([a, b]) => `${(x + a).toFixed(1)} ${(y + b).toFixed(1)}`).join("L")}Z`;
  switch (number) {
    case 1: return by([[-r, -r], [r, -r], [r, r], [-r, r]]);
    case 2: return by([[0, -9], [9, 7], [-9, 7]]);
    case 3: return by([[0, -9], [9, 0], [0, 9], [-9, 0]]);
    case 4: return by([[-9, -7], [9, -7], [0, 9]]);
    default: return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
}

function table(study: StudyFronts, pick: (player: FrontPlayer) => void): HTMLElement {
  const row = (player: FrontPlayer) => {
    const choose = h("button", { type: "button", class: "link" }, `run ${player.seed}, player ${player.number}`);
    choose.addEventListener("click", () => pick(player));
    return h("tr", {}, h("td", { class: "name" }, choose), ...study.objectives.map((_, index) => h("td", {}, percent(player.shares[index] ?? 0))), h("td", { class: "name" }, player.of_all_runs ? "in the front of all runs" : ""));
  };
  const sorted = [...study.players].sort((a, b) => Number(b.of_all_runs) - Number(a.of_all_runs) || (b.shares[0] ?? 0) - (a.shares[0] ?? 0));
  return h("div", { class: "box" }, h("table", {}, h("caption", {}, "Shares of the points"), h("thead", {}, h("tr", {}, h("th", { class: "name", scope: "col" }, "player"), ...study.objectives.map((name) => h("th", { scope: "col" }, name)), h("th", {}))), h("tbody", {}, ...sorted.slice(0, 500).map(row))));
}
