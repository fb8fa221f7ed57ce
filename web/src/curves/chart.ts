// The drawing of curves: lines and bands by uPlot, zoom, and which points are measured ones.

import uPlot from "uplot";
import { count, placeOnAxis, time } from "../format";
import { type Summary, type Unit, nearest } from "./stats";
import { followFingers } from "./touch";

/** What is drawn of a study. */
export interface Drawn {
  name: string;
  summary: Summary;
  /** Single runs: values on the grid, and the places of the grid where they were measured. */
  runs: { row: (number | null)[]; measured: number[] }[];
}

export interface Picture {
  grid: number[];
  studies: Drawn[];
  unit: Unit;
  isShare: boolean;
  isLog: boolean;
}

/** Places of a grid under the pointer; null if it is elsewhere. */
type Pointed = (place: number | null) => void;

export class Chart {
  private plot: uPlot | null = null;
  private picture: Picture | null = null;
  /** Where each line was measured, line by line; null for the edges of bands. */
  private measured: (number[] | null)[] = [];
  private zoom: [number, number] | null = null;
  /** What the plot was made for. New points do not need a new plot. */
  private made = "";

  constructor(
    private readonly root: HTMLElement,
    private readonly pointed: Pointed,
  ) {}

  draw(picture: Picture): void {
    this.picture = picture;
    const { series, bands, data, measured } = linesOf(picture, (line) => this.measured[line] ?? []);
    this.measured = measured;
    const width = Math.max(280, this.root.clientWidth);
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const { unit, isShare, isLog, studies } = picture;
    const made = JSON.stringify([width, isDark, unit, isShare, isLog, studies.map(({ name }) => name), measured.map((places) => places !== null)]);
    if (this.plot && made === this.made) {
      this.plot.setData(data, this.zoom === null);
      if (this.zoom) this.zoomTo(...this.zoom);
    } else {
      this.made = made;
      this.plot?.destroy();
      this.root.replaceChildren();
      this.plot = this.make(width, series, bands, data);
    }
    this.pointed(null);
  }

  /** Makes it fit the page again. Says whether it has to be drawn. */
  get isOutOfShape(): boolean {
    return this.plot !== null && Math.abs(this.plot.width - Math.max(280, this.root.clientWidth)) > 8;
  }

  /** Shows all places. */
  whole(): void {
    this.zoom = null;
    const { grid } = this.picture ?? { grid: [] };
    const [from, to] = [grid[0], grid.at(-1)];
    if (from !== undefined && to !== undefined) this.plot?.setScale("x", { min: from, max: to });
  }

  /** Forgets the zoom: the places mean something else now. */
  forgetZoom(): void {
    this.zoom = null;
  }

  /** Shows a part: a factor below 1 is closer. */
  scale(factor: number): void {
    const { min, max } = this.plot?.scales["x"] ?? {};
    if (min === undefined || max === undefined || !this.picture) return;
    const along = (place: number) => (this.picture?.isLog ? Math.log(place) : place);
    const back = (length: number) => (this.picture?.isLog ? Math.exp(length) : length);
    const [middle, half] = [(along(min) + along(max)) / 2, (factor * (along(max) - along(min))) / 2];
    this.zoomTo(back(middle - half), back(middle + half));
  }

  close(): void {
    this.plot?.destroy();
    this.plot = null;
  }

  /** Shows a part, which never goes beyond the points and has some width. */
  private zoomTo(from: number, to: number): void {
    const { grid } = this.picture ?? { grid: [] };
    const [first, last] = [grid[0] ?? 0, grid.at(-1) ?? 1];
    const [low, high] = [Math.max(first, from), Math.min(last, to)];
    if (!(high - low > 1e-4 * (last - first))) return;
    if (low <= first && high >= last) {
      this.whole();
      return;
    }
    this.zoom = [low, high];
    this.plot?.setScale("x", { min: low, max: high });
  }

  private make(width: number, series: uPlot.Series[], bands: uPlot.Band[], data: uPlot.AlignedData): uPlot {
    const { unit, isShare, isLog } = this.picture ?? { unit: "games", isShare: true, isLog: false };
    const style = getComputedStyle(document.documentElement);
    const [ink, line] = ["--ink", "--line"].map((name) => style.getPropertyValue(name).trim());
    const axis = { stroke: ink ?? "", grid: { stroke: line ?? "", width: 1 }, ticks: { stroke: line ?? "", width: 1 }, font: "13px system-ui, sans-serif" };
    const xs = (_: uPlot, splits: (number | null)[]) => splits.map((split) => (split === null ? "" : unit === "seconds" ? time(split) : placeOnAxis(split)));
    const ys = (_: uPlot, splits: (number | null)[]) => splits.map((split) => (split === null ? "" : isShare ? `${Number((100 * split).toFixed(2))}%` : count(split)));
    // A logarithmic axis names only powers of ten otherwise, and a short one has one of these.
    const all = (plot: uPlot, splits: number[]) => {
      const { min = 1, max = 1 } = plot.scales["x"] ?? {};
      return max < 100 * min ? splits : splits.map((split) => (Number.isInteger(Number(Math.log10(split).toFixed(9))) ? split : null));
    };
    const plot = new uPlot(
      {
        width,
        height: Math.round(Math.min(460, Math.max(260, width * 0.5))),
        legend: { show: false },
        cursor: {
          drag: { x: true, y: false },
          points: { size: 7 },
          // Points are shown where something was measured, not where another line was.
          dataIdx: (plot, line, closest) => {
            const places = this.measured[line];
            const place = plot.cursor.left === undefined || plot.cursor.left < 0 ? null : this.placeAt(plot);
            return line === 0 ? closest : places && place !== null ? nearest(places, this.picture?.grid ?? [], place, isLog) : null;
          },
        },
        scales: {
          x: { time: false, distr: isLog ? 3 : 1, range: (_plot, low, high) => (low === high ? [low / 2, 2 * high] : [low, high]), ...(this.zoom ? { min: this.zoom[0], max: this.zoom[1] } : {}) },
        },
        axes: [
          { ...axis, ...(isLog ? { filter: all } : {}), values: xs, label: unit === "seconds" ? "seconds of training, at the mean pace of a run" : unit, labelSize: 22, size: 40 },
          { ...axis, values: ys, size: 62 },
        ],
        series,
        bands,
        hooks: {
          setCursor: [(plot) => this.pointed((plot.cursor.left ?? -1) < 0 ? null : this.placeAt(plot))],
          setSelect: [(plot) => {
            if (plot.select.width < 2) return;
            this.zoom = [plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")];
          }],
        },
      },
      data,
      this.root,
    );
    plot.over.addEventListener("dblclick", () => { this.zoom = null; });
    followFingers(plot, isLog, (from, to) => this.zoomTo(from, to));
    return plot;
  }

  private placeAt(plot: uPlot): number {
    return plot.posToVal(plot.cursor.left ?? 0, "x");
  }
}

/** The lines as uPlot takes them. `placesOf` tells later where a line was measured by then. */
function linesOf({ grid, studies }: Picture, placesOf: (line: number) => number[]) {
  const style = getComputedStyle(document.documentElement);
  const colour = (index: number) => style.getPropertyValue(`--c${(index % 8) + 1}`).trim();
  const series: uPlot.Series[] = [{}];
  const data: (number | null)[][] = [grid];
  const measured: (number[] | null)[] = [null];
  const bands: uPlot.Band[] = [];
  const add = (line: uPlot.Series, values: (number | null)[], places: number[] | null): void => {
    series.push({ label: "", points: { show: false }, ...line });
    data.push(values);
    measured.push(places);
  };
  studies.forEach(({ name, summary, runs }, index) => {
    for (const { row, measured } of runs) add({ stroke: `${colour(index)}55`, width: 1 }, row, measured);
    if (summary.low.some((low) => low !== null)) {
      for (const edge of [summary.high, summary.low]) add({ stroke: "transparent", width: 0 }, edge, null);
      bands.push({ series: [series.length - 2, series.length - 1], fill: `${colour(index)}33` });
    }
    // Studies differ by dashes, too, for those who see few colours.
    const dash = [[], [8, 4], [2, 3], [10, 3, 2, 3]][Math.floor(index / 2) % 4] ?? [];
    const { places } = summary;
    add({ label: name, stroke: colour(index), width: 2.5, dash, points: { show: (_, line) => placesOf(line).length < 40, filter: (_, line, isShown) => (isShown ? placesOf(line) : null) } }, summary.mean, places);
  });
  return { series, bands, data: data as uPlot.AlignedData, measured };
}
