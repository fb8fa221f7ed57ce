// The answers of the commands that boards ask (crates/commands/src/board, portrait.rs, opponents.rs).

export type Colour = "black" | "white";

/** A game so far: where it started, if not as usual, and its moves without passes. */
export interface GameSoFar {
  start: string | null;
  moves: string;
}

export interface Step {
  at: string | null;
  by: Colour | null;
  turned: string[];
  passed: Colour | null;
  /** a1 to h8: X black, O white, - empty. */
  board: string;
  side: Colour | null;
  legal: string[];
  discs: [number, number];
}

export interface Position extends GameSoFar {
  steps: Step[];
  over: boolean;
  margin: number | null;
  opening: string | null;
  opening_moves: number | null;
  position: string;
  ggf: string;
  format?: string;
  games?: number;
  /** What is wrong with the rest, of which nothing was taken. */
  problem?: string;
}

export interface JudgedMove {
  at: string;
  value: number | null;
  discs: number | null;
}

export interface Judgement {
  player: string;
  side: Colour;
  depth: number;
  exact: boolean;
  limited: boolean;
  draws: boolean;
  moves: JudgedMove[];
  best: string[];
  evaluations: number;
  nodes: number;
}

export interface Explanation {
  player: string;
  side: Colour;
  board: string;
  value: number | null;
  squares: number[];
  adds_up: boolean;
  bias: number | null;
  nodes: { name: string; input: number; output: number; adds: number | null }[];
}

export interface Choice {
  player: string;
  side: Colour;
  move: string;
  depth: number | null;
  limited: boolean;
}

export interface PortraitNode {
  name: string;
  depth: number;
  curve: string;
  squares: (number | null)[] | null;
  bias: number | null;
  to_output: number | null;
}

export interface PastChampion {
  games: number;
  generation: number;
  squares: number[] | null;
  hidden: number | null;
  connections: number | null;
}

export interface Portrait {
  player: string;
  summary: string | null;
  kind: string;
  view: string | null;
  unfinished: { run: string; games: number }[];
  has_history: boolean;
  weights: number[] | null;
  worth: number[] | null;
  nodes: PortraitNode[];
  output: string | null;
  links: { from: string; to: string; weight: number }[];
  hidden: number | null;
  connections: number | null;
  history: PastChampion[];
  moments: number;
  file: string | null;
  svg: string | null;
}

export interface Opponents {
  named: { name: string; summary: string }[];
  files: string[];
  studies: { label: string; folder: string; runs: string[]; has_front: boolean }[];
  more: boolean;
}

/** The name of a square: 0 is a1, 7 is h1, 63 is h8. */
export function squareName(index: number): string {
  return "abcdefgh".charAt(index % 8) + String(1 + Math.floor(index / 8));
}

/** The index of a square. */
export function squareIndex(name: string): number {
  return "abcdefgh".indexOf(name.charAt(0)) + 8 * (Number(name.charAt(1)) - 1);
}

/** A value with a sign, and as many digits as help. */
export function signed(value: number, digits = 3): string {
  const size = Math.abs(value);
  const text =
    size !== 0 && (size >= 1e4 || size < 1e-3) ? size.toExponential(0) : size.toPrecision(digits).replace(/\.?0+$/, "");
  // 1.20e+1 is no number to read.
  const plain = /e/.test(text) && size >= 1 && size < 1e4 ? String(Math.round(size)) : text;
  return (value < 0 ? "−" : value > 0 ? "+" : "") + (size === 0 ? "0" : plain);
}

/** What a judged move is worth, as text; values as long as the largest of `among`. */
export function worth(move: JudgedMove, among: readonly JudgedMove[] = [move]): string {
  const sign = (size: string, value: number) => (/[1-9]/.test(size) ? (value < 0 ? "−" : "+") : "") + size;
  if (move.discs !== null) return sign(String(Math.abs(move.discs)), move.discs);
  if (move.value === null) return "?";
  const most = among.reduce((size, { value }) => Math.max(size, Math.abs(value ?? 0)), 0);
  if (most >= 1e4 || (most < 0.01 && most > 0)) return signed(move.value, 1);
  return sign(Math.abs(move.value).toFixed(most >= 100 ? 0 : most >= 10 ? 1 : 2), move.value);
}

/** A number that is larger for what is better, to compare judged moves. */
export function rank(move: JudgedMove): number {
  return move.discs !== null && move.discs !== 0 ? Math.sign(move.discs) * 1e6 + move.discs : (move.value ?? 0);
}
