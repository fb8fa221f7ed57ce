// Numbers as people read them.

function inSteps(value: number, units: [number, string][]): string {
  let [unit, name] = units[0] ?? [1, ""];
  for (const step of units) if (value >= step[0]) [unit, name] = step;
  const number = value / unit;
  return `${number < 9.95 && number % 1 !== 0 ? number.toFixed(1) : Math.round(number)}${name}`;
}

const COUNTS: [number, string][] = [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]];

/** 2,000,000 as 2M. */
export const count = (value: number): string => inSteps(value, COUNTS);

/** A place on an axis, which must not be rounded: 12,500 is 12.5k. */
export function placeOnAxis(value: number): string {
  const [unit, name] = COUNTS.filter(([step]) => value >= step).at(-1) ?? [1, ""];
  return `${Number((value / unit).toPrecision(6))}${name}`;
}

export const size = (bytes: number): string =>
  inSteps(bytes, [[1, " B"], [1e3, " kB"], [1e6, " MB"], [1e9, " GB"]]);

export const time = (seconds: number): string =>
  inSteps(Math.max(0, Math.round(10 * seconds) / 10), [[1, " s"], [60, " min"], [3600, " h"], [86400, " d"]]);

export const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** A value of a probe. */
export const value = (number: number, isShare: boolean): string =>
  isShare ? percent(number) : String(Number(number.toPrecision(4)));
