// Learning curves that grow while runs go on: mean and band, single runs, zoom and files.

import uPlot from "uplot";
import { Refused, call } from "../api";
import { download, h, put, show_error, toast } from "../dom";
import { count, placeOnAxis, time, value } from "../format";
import { type Route, link, setQuery } from "../shell";
import { type StudyEntry, tidy } from "../runs/types";
import { showComparison } from "./compare";
import { type Band, type ProbeName, type RunCurve, type StudyCurves, type Summary, type Unit, gridOf, lineOf, onGrid, smooth, summarise } from "./stats";

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
  let plot: uPlot | null = null;
  let zoom: [number, number] | null = null;
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
  const whole = h("button", { type: "button", onclick: () => { zoom = null; draw(); } }, "Whole");
  const chart = h("div", { class: "chart" });
  const legend = h("div", { class: "box" });
  const live = h("span", { class: "chip", "aria-live": "polite" });
  const runs = h("div", {});
  const compare = h("div", {});
  const label = (text: string, ...inputs: Node[]) => h("label", {}, text, ...inputs);
  put(
    root,
    h("div", { class: "row" }, h("h1", { class: "grow" }, "Learning curves"), live),
    h("div", { class: "row no-print" }, label("Probe", probe), label("x", unit), label("Band", band), label("Log x", log), label("Single runs", single), label("Smooth", reach)),
    h("figure", {}, chart, h("figcaption", { class: "no-print" }, "Drag to zoom; double-click or “Whole” shows all. ")),
    h("div", { class: "row no-print" }, whole, h("span", { class: "grow" }), "Download", ...files),
    legend,
    compare,
    runs,
  );

  const info = (): ProbeName => probes.find((known) => known.name === probe.value) ?? { name: probe.value, title: probe.value, is_share: true };

  /** The lines as uPlot takes them, and the means for the table below. */
  const lines = () => {
    const { name, is_share } = info();
    const by = unit.value as Unit;
    const paces = studies.flatMap((study) => study.runs).map((run) => run.pace).filter((pace) => pace !== null);
    const pace = paces.length ? paces.reduce((sum, pace) => sum + pace, 0) / paces.length : 0;
    const of = studies.map((study) => study.runs.map((run) => smooth(lineOf(run, name, by, pace), Number(reach.value))).filter((line) => line.x.length));
    const total = of.reduce((sum, runs) => sum + 3 + Math.min(runs.length, MOST_RUNS), 0);
    const grid = gridOf(of.flat(), Math.max(1000, Math.floor(MOST_POINTS / Math.max(1, total)))).filter((x) => !log.checked || x > 0);
    const rows = of.map((runs) => runs.map((line) => onGrid(line, grid)));
    const means = rows.map((rows) => summarise(rows, grid.length, band.value as Band, is_share));
    return { grid, rows, means };
  };

  const draw = (): void => {
    const { grid, rows, means } = lines();
    const isShare = info().is_share;
    const shown = (number: number | null | undefined) => (number === null || number === undefined ? "–" : value(number, isShare));
    const style = getComputedStyle(document.documentElement);
    const colour = (index: number) => style.getPropertyValue(`--c${(index % 8) + 1}`).trim();
    const ink = style.getPropertyValue("--ink").trim();
    const line = style.getPropertyValue("--line").trim();
    const series: uPlot.Series[] = [{ label: unit.value }];
    const data: (number | null)[][] = [grid];
    const bands: uPlot.Band[] = [];
    studies.forEach((study, index) => {
      const mean = means[index];
      if (!mean) return;
      if (single.checked && (rows[index]?.length ?? 0) > 1)
        for (const row of rows[index]?.slice(0, MOST_RUNS) ?? []) {
          series.push({ stroke: `${colour(index)}55`, width: 1, points: { show: false }, label: "" });
          data.push(row);
        }
      if (mean.low.some((low) => low !== null)) {
        for (const edge of [mean.high, mean.low]) {
          series.push({ stroke: "transparent", width: 0, points: { show: false }, label: "" });
          data.push(edge);
        }
        bands.push({ series: [series.length - 2, series.length - 1], fill: `${colour(index)}33` });
      }
      // Studies differ by dashes, too, for those who see few colours.
      const dash = [[], [8, 4], [2, 3], [10, 3, 2, 3]][Math.floor(index / 2) % 4] ?? [];
      series.push({ label: study.name, stroke: colour(index), width: 2.5, dash, points: { show: grid.length < 40 } });
      data.push(mean.mean);
    });
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "13px system-ui, sans-serif" };
    const xs = (_: uPlot, splits: (number | null)[]) => splits.map((split) => (split === null ? "" : unit.value === "seconds" ? time(split) : placeOnAxis(split)));
    const ys = (_: uPlot, splits: (number | null)[]) => splits.map((split) => (split === null ? "" : isShare ? `${Number((100 * split).toFixed(2))}%` : count(split)));
    plot?.destroy();
    plot = new uPlot(
      {
        width: Math.max(280, chart.clientWidth),
        height: Math.round(Math.min(460, Math.max(260, chart.clientWidth * 0.5))),
        legend: { show: false },
        cursor: { drag: { x: true, y: false }, points: { size: 7 } },
        scales: {
          x: { time: false, distr: log.checked ? 3 : 1, range: (_plot, low, high) => (low === high ? [low / 2, 2 * high] : [low, high]), ...(zoom ? { min: zoom[0], max: zoom[1] } : {}) },
        },
        axes: [
          // A logarithmic axis names only powers of ten otherwise, and a short one has one of these.
          { ...axis, ...(log.checked && (grid.at(-1) ?? 1) < 100 * (grid[0] ?? 1) ? { filter: (_: uPlot, splits: number[]) => splits } : {}), values: xs, label: unit.value === "seconds" ? "seconds of training, at the mean pace of a run" : unit.value, labelSize: 22, size: 40 },
          { ...axis, values: ys, size: 62 },
        ],
        series,
        bands,
        hooks: {
          setCursor: [(plot) => showLegend(plot.cursor.idx ?? null, grid, means, shown)],
          setSelect: [(plot) => {
            if (plot.select.width < 2) return;
            zoom = [plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")];
          }],
        },
      },
      data as uPlot.AlignedData,
      chart,
    );
    plot.over.addEventListener("dblclick", () => { zoom = null; });
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", `Learning curves of ${studies.map((study) => study.name).join(", ")}: ${info().title}`);
    showLegend(null, grid, means, shown);
    showRuns();
  };

  /** The values under the pointer, or the last ones. */
  const showLegend = (at: number | null, grid: number[], means: Summary[], shown: (value: number | null | undefined) => string): void => {
    const by = (x: number | undefined) => (x === undefined ? "" : unit.value === "seconds" ? time(x) : count(x));
    const last = (mean: Summary) => mean.mean.findLastIndex((value) => value !== null);
    put(
      legend,
      h(
        "table",
        { class: "legend" },
        h("thead", {}, h("tr", {}, ...["study", unit.value, info().name, "band", "runs"].map((head, index) => h("th", { class: index ? null : "name" }, head)))),
        h(
          "tbody",
          {},
          ...studies.map((study, index) => {
            const mean = means[index];
            const place = mean ? (at ?? last(mean)) : -1;
            const sample = h("span", { class: "sample" });
            sample.style.background = `var(--c${(index % 8) + 1})`;
            const low = mean?.low[place];
            return h(
              "tr",
              {},
              h("th", { class: "name", scope: "row" }, sample, study.name),
              h("td", {}, by(grid[place])),
              h("td", {}, shown(mean?.mean[place])),
              h("td", {}, low === null || low === undefined ? "" : `${shown(low)} to ${shown(mean?.high[place])}`),
              h("td", {}, mean?.runs[place] ?? 0),
            );
          }),
        ),
      ),
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
      const going = studies.flatMap((study) => study.runs).filter((run) => run.state === "going").length;
      live.textContent = going ? `${going} ${going === 1 ? "run goes" : "runs go"} on` : "";
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
        else put(chart, h("p", { class: "note" }, "There is no probe yet. Curves begin with the first."));
        if (studies.length > 1) showComparison(compare, names, probe.value, signal);
      }
    } catch (error) {
      if (!signal.aborted && (!(error instanceof Refused) || error.status)) show_error(chart, error);
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
      zoom = null;
      changed();
    });
  probe.addEventListener("input", () => {
    changed();
    if (studies.length > 1) showComparison(compare, names, probe.value, signal);
  });
  const resized = new ResizeObserver(() => {
    if (plot && Math.abs(plot.width - Math.max(280, chart.clientWidth)) > 8) draw();
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
    plot?.destroy();
  };
}

/** Without a study in the address: which ones there are. */
function mountChoice(root: HTMLElement): () => void {
  const control = new AbortController();
  put(root, h("h1", {}, "Learning curves"), h("p", { class: "note" }, "Choose a study, or select several under Runs and compare them."));
  call<{ results: StudyEntry[] }>("runs", { folder: "." }, { signal: control.signal })
    .then(({ results }) => {
      const items = results.slice(0, 100).map((study) => {
        const folder = tidy(study.folder);
        return h("li", {}, h("a", { href: link("curves", "", { s: folder }) }, study.label || folder), h("span", { class: "note" }, ` ${folder}`));
      });
      root.append(items.length ? h("ul", {}, ...items) : h("p", {}, "There is no study yet."));
    })
    .catch((error: unknown) => control.signal.aborted || show_error(root, error));
  return () => control.abort();
}
