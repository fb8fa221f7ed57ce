// Learning curves that grow while runs go on: mean and band, single runs, zoom and files.

import { Refused, call } from "../api";
import { download, h, put, show_error, toast } from "../dom";
import { placeOnAxis, time, value } from "../format";
import { type Route, link, setQuery } from "../shell";
import { type StudyEntry, tidy } from "../runs/types";
import { Chart, type Drawn, type Picture } from "./chart";
import { showComparison } from "./compare";
import { type Band, type ProbeName, type RunCurve, type StudyCurves, type Unit, gridOf, lineOf, measuredOn, nearest, onGrid, smooth, summarise } from "./stats";

/** Curves are read again this often while a run goes on, in milliseconds. */
const EVERY = 2000;
/** Points that are drawn at most, of all lines together. */
const MOST_POINTS = 1_000_000;
/** Single runs of a study that are drawn at most: more would blur into one mass. */
const MOST_RUNS = 60;

interface Answer {
  probes: ProbeName[];
  results: StudyCurves[];
}

export function mount(root: HTMLElement, route: Route): () => void {
  const names = route.query.getAll("s");
  if (!names.length) return mountChoice(root);
  const control = new AbortController();
  const { signal } = control;
  let studies: StudyCurves[] = [];
  let probes: ProbeName[] = [];
  let picture: Picture = { grid: [], studies: [], unit: "games", isShare: true, isLog: false };
  let told = "";

  const query = route.query;
  const choose = (name: string, words: [string, string][]): HTMLSelectElement => {
    const select = h("select", { "aria-label": name }, ...words.map(([value, text]) => h("option", { value }, text)));
    const wanted = query.get(name);
    if (words.some(([value]) => value === wanted)) select.value = wanted ?? "";
    return select;
  };
  const tick = (name: string, isOn: boolean): HTMLInputElement => {
    const box = h("input", { type: "checkbox" });
    box.checked = query.has(name) ? query.get(name) === "1" : isOn;
    return box;
  };
  const probe = h("select", { "aria-label": "probe" });
  const unit = choose("x", [["games", "games"], ["generations", "generations"], ["seconds", "seconds of training"]]);
  const band = choose("band", [["ci", "95% interval of the mean"], ["iqr", "middle half of the runs"], ["none", "no band"]]);
  const log = tick("log", false);
  const single = tick("runs", true);
  const reach = h("input", { type: "range", min: 0, max: 20, value: query.get("smooth") ?? 0, "aria-label": "smooth" });
  const files = ["svg", "pdf", "csv"].map((format) => h("button", { type: "button", onclick: () => void save(format) }, format.toUpperCase()));
  const chart = h("div", { class: "chart" });
  const drawing = new Chart(chart, (place) => showLegend(place));
  const zooms = [
    h("button", { type: "button", onclick: () => drawing.scale(0.5) }, "Zoom in"),
    h("button", { type: "button", onclick: () => drawing.scale(2) }, "Zoom out"),
    h("button", { type: "button", onclick: () => drawing.whole() }, "Show all"),
  ];
  const problem = h("div", {});
  const legend = h("div", { class: "box" });
  const live = h("span", { class: "chip", "aria-live": "polite" });
  const runs = h("div", {});
  const compare = h("div", {});
  const label = (text: string, ...inputs: Node[]) => h("label", {}, text, ...inputs);
  put(
    root,
    h("div", { class: "row" }, h("h1", { class: "grow" }, "Learning curves"), live),
    h("div", { class: "row no-print" }, label("Probe", probe), label("x", unit), label("Band", band), label("Log x", log), label("Single runs", single), label("Smooth", reach)),
    problem,
    h("figure", {}, chart, h("figcaption", { class: "no-print" }, "Drag, or spread two fingers, to zoom. Point at the curves to see the nearest measured values below.")),
    h("div", { class: "row no-print" }, ...zooms, h("span", { class: "row files" }, "Download", ...files)),
    legend,
    compare,
    runs,
  );

  const info = (): ProbeName => probes.find((known) => known.name === probe.value) ?? { name: probe.value, title: probe.value, is_share: true };

  const draw = (): void => {
    const { name, is_share } = info();
    const by = unit.value as Unit;
    const paces = studies.flatMap((study) => study.runs).map((run) => run.pace).filter((pace) => pace !== null);
    const pace = paces.length ? paces.reduce((sum, pace) => sum + pace, 0) / paces.length : 0;
    const of = studies.map((study) => study.runs.map((run) => smooth(lineOf(run, name, by, pace), Number(reach.value))).filter((line) => line.x.length));
    const total = of.reduce((sum, runs) => sum + 3 + Math.min(runs.length, MOST_RUNS), 0);
    const grid = gridOf(of.flat(), Math.max(1000, Math.floor(MOST_POINTS / Math.max(1, total)))).filter((x) => !log.checked || x > 0);
    const drawn = studies.map((study, index): Drawn => {
      const lines = of[index] ?? [];
      const rows = lines.map((line) => onGrid(line, grid));
      const summary = summarise(lines, rows, grid, band.value as Band, is_share);
      const isShown = single.checked && rows.length > 1;
      const runs = (isShown ? rows.slice(0, MOST_RUNS) : []).map((row, run) => ({ row, measured: measuredOn(lines[run] ?? { x: [], y: [] }, grid) }));
      return { name: study.name, summary, runs };
    });
    picture = { grid, studies: drawn, unit: by, isShare: is_share, isLog: log.checked };
    drawing.draw(picture);
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", `Learning curves of ${studies.map((study) => study.name).join(", ")}: ${info().title}. The table below has the values.`);
    showRuns();
  };

  /** The measured values nearest to a place, or the last ones. */
  const showLegend = (place: number | null): void => {
    const { grid, studies: drawn, isShare, isLog } = picture;
    const shown = (number: number | null | undefined) => (number === null || number === undefined ? "–" : value(number, isShare));
    const by = (x: number | undefined) => (x === undefined ? "" : unit.value === "seconds" ? time(x) : placeOnAxis(x));
    let isBetween = false;
    const rows = drawn.map(({ name, summary }, index) => {
      const at = place === null ? summary.places.at(-1) : (nearest(summary.places, grid, place, isLog) ?? undefined);
      const sample = h("span", { class: "sample" });
      sample.style.background = `var(--c${(index % 8) + 1})`;
      const [runs, measured] = at === undefined ? [0, 0] : [summary.runs[at] ?? 0, summary.measured[at] ?? 0];
      const low = at === undefined ? null : summary.low[at];
      isBetween ||= measured < runs;
      return h(
        "tr",
        {},
        h("th", { class: "name", scope: "row" }, sample, name),
        h("td", {}, at === undefined ? "" : by(grid[at])),
        h("td", {}, measured < runs && "≈ ", shown(at === undefined ? null : summary.mean[at])),
        h("td", {}, low === null || low === undefined ? "" : `${shown(low)} to ${shown(summary.high[at ?? 0])}`),
        h("td", {}, measured < runs ? `${runs}, ${measured} measured here` : runs),
      );
    });
    const smoothed = Number(reach.value) > 0 ? ", smoothed" : "";
    const heads = ["study", unit.value, `${info().name}, mean${smoothed}`, "band", "runs"];
    put(
      legend,
      h("table", { class: "legend" }, h("thead", {}, h("tr", {}, ...heads.map((head, index) => h("th", { class: index ? null : "name", scope: "col" }, head)))), h("tbody", {}, ...rows)),
      isBetween && h("p", { class: "note" }, "≈: not all runs were measured here; for the others the mean takes the line between their points."),
    );
  };

  const showRuns = (): void => {
    const key = JSON.stringify([probe.value, studies.map((study) => study.runs.map((run) => [run.folder, run.state, run.games.length]))]);
    if (key === told) return;
    told = key;
    const { name, is_share } = info();
    put(
      runs,
      ...studies.map((study) =>
        h(
          "details",
          { open: studies.length === 1 && study.runs.length <= 10 },
          h("summary", {}, `Runs of ${study.name}`),
          h(
            "ul",
            { class: "runs" },
            ...study.runs.map((run) => {
              const last = (run.values[name] ?? []).findLast((value) => value !== null);
              return h("li", {}, h("a", { href: link("player", tidy(run.folder)) }, `run ${run.seed ?? run.folder}`), ` ${run.state === "finished" ? "" : run.state} ${last === null || last === undefined ? "" : value(last, is_share)}`);
            }),
          ),
        ),
      ),
    );
  };

  const save = async (format: string): Promise<void> => {
    try {
      const file = await call<{ name: string; content: string }>("curve figure", { studies: names, probe: probe.value, format }, { signal });
      const bytes = format === "pdf" ? Uint8Array.from(file.content, (letter) => letter.charCodeAt(0)) : file.content;
      download(file.name, { svg: "image/svg+xml", pdf: "application/pdf", csv: "text/csv" }[format] ?? "", bytes);
    } catch (error) {
      toast((error as Error).message, "error");
    }
  };

  /** Adds the points that are new. The last known one is read again: its probes may not all have been there. */
  const merge = (answer: Answer): void => {
    const old = new Map(studies.flatMap((study) => study.runs).map((run) => [run.folder, run]));
    for (const study of answer.results)
      study.runs = study.runs.map((run): RunCurve => {
        const before = old.get(run.folder);
        if (!before || !run.known) return run;
        const values: RunCurve["values"] = {};
        for (const probe of new Set([...Object.keys(before.values), ...Object.keys(run.values)])) {
          const past = before.values[probe]?.slice(0, run.known) ?? Array<null>(run.known).fill(null);
          values[probe] = past.concat(run.values[probe] ?? Array<null>(run.games.length).fill(null));
        }
        return { ...run, games: before.games.slice(0, run.known).concat(run.games), generations: before.generations.slice(0, run.known).concat(run.generations), values };
      });
    studies = answer.results;
    const known = new Set(probes.map((probe) => probe.name));
    for (const found of answer.probes) if (!known.has(found.name)) probes.push(found);
  };

  let busy = false;
  let seen = "";
  const look = async (): Promise<void> => {
    if (busy || document.hidden) return;
    busy = true;
    try {
      const known = Object.fromEntries(studies.flatMap((study) => study.runs).map((run) => [run.folder, Math.max(0, run.games.length - 1)]));
      merge(await call<Answer>("curves", { studies: names, known }, { signal }));
      put(problem);
      const going = studies.flatMap((study) => study.runs).filter((run) => run.state === "going").length;
      live.textContent = going ? `${going} ${going === 1 ? "run" : "runs"} in progress` : "";
      live.hidden = !going;
      if (probe.options.length !== probes.length) {
        const wanted = probe.value || query.get("probe");
        put(probe, ...probes.map((known) => h("option", { value: known.name, title: known.title }, known.name)));
        if (probes.some((known) => known.name === wanted)) probe.value = wanted ?? "";
      }
      const key = JSON.stringify(studies.map((study) => study.runs.map((run) => [run.games.length, run.state])));
      if (key !== seen) {
        seen = key;
        if (probes.length) draw();
        else put(chart, h("p", { class: "note" }, "No results yet. Curves start with the first probe."));
        if (studies.length > 1) showComparison(compare, names, probe.value, signal);
      }
    } catch (error) {
      if (!signal.aborted && (!(error instanceof Refused) || error.status)) show_error(problem, error);
    } finally {
      busy = false;
    }
  };

  const changed = (): void => {
    const now = new URLSearchParams(names.map((name) => ["s", name]));
    const settings = { probe: probe.value, x: unit.value, band: band.value, log: log.checked ? "1" : "0", runs: single.checked ? "1" : "0", smooth: reach.value };
    for (const [name, value] of Object.entries(settings)) now.set(name, value);
    setQuery(now);
    draw();
  };
  for (const input of [band, single, reach]) input.addEventListener("input", changed);
  for (const input of [unit, log])
    input.addEventListener("input", () => {
      drawing.forgetZoom();
      changed();
    });
  probe.addEventListener("input", () => {
    changed();
    if (studies.length > 1) showComparison(compare, names, probe.value, signal);
  });
  const resized = new ResizeObserver(() => {
    if (drawing.isOutOfShape) draw();
  });
  resized.observe(chart);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => probes.length && draw();
  scheme.addEventListener("change", redraw);
  const timer = setInterval(() => void look(), EVERY);
  void look();
  return () => {
    clearInterval(timer);
    control.abort();
    resized.disconnect();
    scheme.removeEventListener("change", redraw);
    drawing.close();
  };
}

/** Without a study in the address: which ones there are. */
function mountChoice(root: HTMLElement): () => void {
  const control = new AbortController();
  put(root, h("h1", {}, "Learning curves"), h("p", { class: "note" }, "Choose a study. To compare several, select them under Runs."));
  call<{ results: StudyEntry[] }>("runs", { folder: "." }, { signal: control.signal })
    .then(({ results }) => {
      const items = results.slice(0, 100).map((study) => {
        const folder = tidy(study.folder);
        return h("li", {}, h("a", { href: link("curves", "", { s: folder }) }, study.label || folder), h("span", { class: "note" }, ` ${folder}`));
      });
      root.append(items.length ? h("ul", {}, ...items) : h("p", {}, "No studies yet."));
    })
    .catch((error: unknown) => control.signal.aborted || show_error(root, error));
  return () => control.abort();
}
