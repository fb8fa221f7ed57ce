// Means and bands over runs.

/** The curve of a run, as the command `curves` tells it. */
export interface RunCurve {
  folder: string;
  seed: number | null;
  state: "finished" | "going" | "stopped";
  pace: number | null;
  known: number;
  games: number[];
  generations: number[];
  values: Record<string, (number | null)[]>;
}

export interface StudyCurves {
  name: string;
  label: string;
  folder: string;
  runs: RunCurve[];
}

export interface ProbeName {
  name: string;
  title: string;
  is_share: boolean;
}

export type Unit = "games" | "generations" | "seconds";
export type Band = "ci" | "iqr" | "none";

/** Points of a line, by x. */
export interface Line {
  x: number[];
  y: number[];
}

/** The 97.5% points of Student's t for 1 to 30 degrees of freedom. */
const T = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
export const tQuantile = (freedom: number): number => T[freedom - 1] ?? 1.96 + 2.5 / freedom;

/** The line of a run. In seconds it takes the mean pace of the run, or of others if it has none yet. */
export function lineOf(run: RunCurve, probe: string, unit: Unit, pace: number): Line {
  const line: Line = { x: [], y: [] };
  const values = run.values[probe] ?? [];
  for (let point = 0; point < run.games.length; point++) {
    const value = values[point];
    if (value === null || value === undefined) continue;
    const games = run.games[point] ?? 0;
    line.x.push(unit === "games" ? games : unit === "generations" ? (run.generations[point] ?? 0) : games * (run.pace ?? pace));
    line.y.push(value);
  }
  return line;
}

/** A running mean over this many points to each side. */
export function smooth(line: Line, reach: number): Line {
  if (reach <= 0) return line;
  const sums = [0];
  for (const value of line.y) sums.push((sums[sums.length - 1] ?? 0) + value);
  const y = line.y.map((_, at) => {
    // The same on both sides, or the ends would lean.
    const side = Math.min(reach, at, line.y.length - 1 - at);
    return ((sums[at + side + 1] ?? 0) - (sums[at - side] ?? 0)) / (2 * side + 1);
  });
  return { x: line.x, y };
}

/** The values of a line on a grid; null outside its range. Both are in order. */
export function onGrid(line: Line, grid: number[]): (number | null)[] {
  const { x, y } = line;
  let at = 0;
  return grid.map((place) => {
    const last = x.length - 1;
    if (last < 0 || place < (x[0] ?? 0) || place > (x[last] ?? 0)) return null;
    while (at < last && (x[at + 1] ?? 0) <= place) at++;
    const [x0, y0] = [x[at] ?? 0, y[at] ?? 0];
    if (at === last || x0 === place) return y0;
    const [x1, y1] = [x[at + 1] ?? 0, y[at + 1] ?? 0];
    return y0 + ((y1 - y0) * (place - x0)) / (x1 - x0);
  });
}

/** The places of a grid at which a line was measured, as indices. */
export function measuredOn(line: Line, grid: number[]): number[] {
  const places: number[] = [];
  let at = 0;
  line.x.forEach((x) => {
    while (at < grid.length && (grid[at] ?? 0) < x) at++;
    if (grid[at] === x && places.at(-1) !== at) places.push(at);
  });
  return places;
}

/** The one of some indices whose place is nearest to `x`; near on a logarithmic axis if it is one. */
export function nearest(indices: number[], grid: number[], x: number, isLog: boolean): number | null {
  let [low, high] = [0, indices.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((grid[indices[middle] ?? 0] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  const far = (index: number | undefined) => {
    const place = index === undefined ? undefined : grid[index];
    if (place === undefined) return Number.POSITIVE_INFINITY;
    return Math.abs(isLog ? Math.log(place / x) : place - x);
  };
  const [before, after] = [indices[low - 1], indices[low]];
  return (far(before) <= far(after) ? before : after) ?? null;
}

/** All places of some lines, thinned to at most `most`. */
export function gridOf(lines: Line[], most: number): number[] {
  const all = [...new Set(lines.flatMap((line) => line.x))].sort((a, b) => a - b);
  if (all.length <= most) return all;
  const step = (all.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => all[Math.round(index * step)] ?? 0);
}

function quantile(sorted: number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return low + (high - low) * (at % 1);
}

export interface Summary {
  mean: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
  /** Runs that the mean is over, and how many of them were measured right there. */
  runs: number[];
  measured: number[];
  /** The places to point at: where all these runs were measured, if there are such places. */
  places: number[];
}

/** The mean over the runs at each place, and a band around it. */
export function summarise(lines: Line[], rows: (number | null)[][], grid: number[], band: Band, isShare: boolean): Summary {
  const summary: Summary = { mean: [], low: [], high: [], runs: [], measured: grid.map(() => 0), places: [] };
  for (const line of lines) for (const place of measuredOn(line, grid)) summary.measured[place] = (summary.measured[place] ?? 0) + 1;
  const places = grid.length;
  const within = (value: number) => (isShare ? Math.min(1, Math.max(0, value)) : Math.max(0, value));
  for (let place = 0; place < places; place++) {
    const values = rows.map((row) => row[place]).filter((value) => value !== null && value !== undefined);
    const number = values.length;
    const mean = number ? values.reduce((sum, value) => sum + value, 0) / number : null;
    let [low, high]: (number | null)[] = [null, null];
    if (mean !== null && number > 1 && band === "ci") {
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (number - 1);
      const half = tQuantile(number - 1) * Math.sqrt(variance / number);
      [low, high] = [within(mean - half), within(mean + half)];
    } else if (number > 1 && band === "iqr") {
      values.sort((a, b) => a - b);
      [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
    }
    summary.mean.push(mean);
    summary.low.push(low ?? null);
    summary.high.push(high ?? null);
    summary.runs.push(number);
  }
  const some = summary.measured.flatMap((runs, place) => (runs > 0 ? [place] : []));
  const all = some.filter((place) => summary.measured[place] === summary.runs[place]);
  // Runs that share few places (by seconds, for example) are pointed at where any was measured.
  summary.places = 2 * all.length > some.length ? all : some;
  return summary;
}
