// Boards of numbers: green is above 0, purple below, as in reports; colours follow the theme.

import { s } from "../dom";
import { squareName } from "./types";

/** The size of the largest number. */
export function largest(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
}

/** How strong the colour of a number is, from 0 to 1: the root makes small ones visible. */
function strength(value: number, most: number): number {
  return most > 0 ? Math.sqrt(Math.min(1, Math.abs(value) / most)) : 0;
}

/** The colour of a number among others. */
export function heatColour(value: number, most: number): string {
  const share = Math.round(100 * strength(value, most));
  return `color-mix(in srgb, var(${value < 0 ? "--minus" : "--plus"}) ${share}%, var(--zero))`;
}

/** Whether text on that colour is the light (or, in the dark, the dark) one. */
export function isStrong(value: number, most: number): boolean {
  return strength(value, most) > 0.62;
}

/** A number with as many digits as fit a square. */
export function weightText(value: number, most: number): string {
  const text =
    most >= 1e4 || (most < 0.01 && most > 0)
      ? value.toExponential(0)
      : value.toFixed(most >= 100 ? 0 : most >= 10 ? 1 : 2);
  return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

export interface HeatBoard {
  /** a1 to h8; null where there is nothing. */
  values: readonly (number | null)[];
  /** What the board shows, for people who cannot see it. */
  label: string;
  numbers?: boolean;
  /** The largest size, to compare boards; else that of these values. */
  most?: number;
}

/** A board of numbers as a drawing. */
export function heatBoard({ values, label, numbers = false, most = largest(values) }: HeatBoard): SVGSVGElement {
  const cell = numbers ? 56 : 12;
  const [left, top] = numbers ? [26, 26] : [1, 1];
  const size = 8 * cell;
  const drawing = s("svg", {
    viewBox: `0 0 ${size + left + 2} ${size + top + 2}`,
    class: numbers ? "heat large" : "heat",
    role: "img",
    "aria-label": label,
  });
  if (numbers)
    for (let index = 0; index < 8; index++) {
      const middle = index * cell + cell / 2;
      drawing.append(
        s("text", { x: left + middle, y: top - 8, class: "edge" }, "abcdefgh".charAt(index)),
        s("text", { x: left / 2, y: top + middle + 5, class: "edge" }, index + 1),
      );
    }
  values.forEach((value, index) => {
    const [x, y] = [left + (index % 8) * cell, top + Math.floor(index / 8) * cell];
    const square = s("rect", { x, y, width: cell, height: cell, class: "square" });
    square.style.fill = value === null ? "var(--none)" : heatColour(value, most);
    const name = squareName(index);
    square.append(s("title", {}, value === null ? `${name}: not connected` : `${name}: ${value}`));
    drawing.append(square);
    if (!numbers || value === null) return;
    const text = s("text", { x: x + cell / 2, y: y + cell / 2 + 5 }, weightText(value, most));
    text.setAttribute("class", isStrong(value, most) ? "number strong" : "number");
    drawing.append(text);
  });
  return drawing;
}

/** The mean over the eight symmetries of the board. */
export function symmetrised(values: readonly number[]): number[] {
  const at = (row: number, column: number) => values[8 * row + column] ?? 0;
  return values.map((_, index) => {
    const [row, column] = [Math.floor(index / 8), index % 8];
    let sum = 0;
    for (const [a, b] of [[row, column], [column, row]] as const)
      for (const up of [a, 7 - a]) for (const across of [b, 7 - b]) sum += at(up, across);
    return sum / 8;
  });
}
