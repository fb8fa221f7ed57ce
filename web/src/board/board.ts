// The board on which games are played: 64 buttons in a grid, for mouse, touch, keyboard and screen
// readers alike.

import { h } from "../dom";
import { heatColour, isStrong, largest, weightText } from "./heat";
import { squareIndex, squareName } from "./types";

export interface BoardView {
  /** a1 to h8: X black, O white, - empty. */
  board: string;
  /** Legal moves of the side to move. */
  legal: readonly string[];
  /** Whether a click plays one of them. */
  canPlay: boolean;
  side: "black" | "white" | null;
  last?: string | null;
  turned?: readonly string[];
  /** What moves are worth: a short text, a longer one for people who listen, and whether it is best. */
  values?: ReadonlyMap<string, { text: string; said: string; best: boolean }>;
  /** What each square adds. */
  heat?: readonly number[] | null;
  hint?: readonly string[];
}

export interface BoardEvents {
  play: (square: string) => void;
  /** The square under the pointer or with the focus; null when it left. */
  look: (square: string | null) => void;
}

const NAMES: Record<string, string> = { X: "black disc", O: "white disc", "-": "empty" };

export class Board {
  readonly element: HTMLElement;
  private readonly cells: HTMLButtonElement[] = [];
  private focused = squareIndex("e4");
  private view: BoardView | null = null;

  constructor(private readonly events: BoardEvents) {
    const letters = () =>
      h("div", { class: "letters", "aria-hidden": "true" }, ...[..."abcdefgh"].map((letter) => h("span", {}, letter)));
    const numbers = () =>
      h("div", { class: "numbers", "aria-hidden": "true" }, ...[..."12345678"].map((number) => h("span", {}, number)));
    const grid = h("div", { class: "grid", role: "grid", "aria-label": "Othello board", "aria-rowcount": 8, "aria-colcount": 8 });
    for (let row = 0; row < 8; row++) {
      const line = h("div", { class: "line", role: "row", "aria-rowindex": row + 1 });
      for (let column = 0; column < 8; column++) {
        const index = 8 * row + column;
        const cell = h("button", { type: "button", class: "cell", role: "gridcell", "aria-colindex": column + 1, "data-square": squareName(index) });
        cell.tabIndex = index === this.focused ? 0 : -1;
        cell.addEventListener("click", () => this.press(index));
        cell.addEventListener("focus", () => this.look(index));
        cell.addEventListener("pointerenter", () => this.events.look(squareName(index)));
        this.cells.push(cell);
        line.append(cell);
      }
      grid.append(line);
    }
    grid.addEventListener("keydown", (event) => this.key(event));
    grid.addEventListener("pointerleave", () => this.events.look(null));
    this.element = h("div", { class: "board" }, letters(), numbers(), grid);
  }

  show(view: BoardView): void {
    this.view = view;
    const most = view.heat ? largest(view.heat) : 0;
    this.cells.forEach((cell, index) => {
      const square = squareName(index);
      const disc = view.board.charAt(index);
      const isLegal = view.legal.includes(square);
      // A square with a disc has room for one number: what the disc adds.
      const isEmpty = disc === "-";
      const value = isEmpty ? view.values?.get(square) : undefined;
      const added = isEmpty ? undefined : view.heat?.[index];
      const isHint = isEmpty && (view.hint?.includes(square) ?? false);
      cell.replaceChildren();
      if (!isEmpty) {
        const kind = disc === "X" ? "black" : "white";
        const last = square === view.last ? " last" : "";
        const turned = view.turned?.includes(square) ? " turned" : "";
        cell.append(h("span", { class: `disc ${kind}${last}${turned}` }));
      } else if (isLegal && !value && !isHint) {
        cell.append(h("span", { class: `dot ${view.side ?? ""}` }));
      }
      if (value) cell.append(h("span", { class: value.best ? "worth best" : "worth" }, value.text));
      else if (isHint) cell.append(h("span", { class: "worth best" }, "★"));
      if (added !== undefined) {
        const number = h("span", { class: `added ${disc === "X" ? "on-black" : "on-white"}` }, weightText(added, most));
        cell.append(number);
      }
      cell.style.background = added !== undefined ? heatColour(added, most) : "";
      cell.classList.toggle("strong", added !== undefined && isStrong(added, most));
      cell.classList.toggle("legal", isLegal && view.canPlay);
      cell.classList.toggle("hint", isHint || (value?.best ?? false));
      cell.setAttribute("aria-disabled", String(!(isLegal && view.canPlay)));
      const words = [square, NAMES[disc] ?? ""];
      if (isLegal) words.push(view.canPlay ? "legal move" : `legal for ${view.side}`);
      if (square === view.last) words.push("last move");
      if (value) words.push(value.said);
      if (isHint) words.push("hint");
      if (added !== undefined) words.push(`adds ${weightText(added, most)}`);
      cell.setAttribute("aria-label", words.join(", "));
    });
  }

  /** Gives the focus to the board, at a legal move if there is one. */
  focus(): void {
    this.cells[this.focused]?.focus();
  }

  private press(index: number): void {
    const square = squareName(index);
    this.move(index, false);
    if (this.view?.canPlay && this.view.legal.includes(square)) this.events.play(square);
  }

  private look(index: number): void {
    this.move(index, false);
    this.events.look(squareName(index));
  }

  /** Only one square is in the order of the Tab key. */
  private move(index: number, focus: boolean): void {
    const [before, now] = [this.cells[this.focused], this.cells[index]];
    if (before) before.tabIndex = -1;
    if (now) now.tabIndex = 0;
    this.focused = index;
    if (focus) now?.focus();
  }

  private key(event: KeyboardEvent): void {
    const [row, column] = [Math.floor(this.focused / 8), this.focused % 8];
    const to = (up: number, across: number) => this.move(8 * Math.min(7, Math.max(0, up)) + Math.min(7, Math.max(0, across)), true);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case "ArrowUp": to(row - 1, column); break;
      case "ArrowDown": to(row + 1, column); break;
      case "ArrowLeft": to(row, column - 1); break;
      case "ArrowRight": to(row, column + 1); break;
      case "Home": to(row, 0); break;
      case "End": to(row, 7); break;
      case "PageUp": to(0, column); break;
      case "PageDown": to(7, column); break;
      case "n": this.next(event.shiftKey ? -1 : 1); break;
      case "N": this.next(-1); break;
      default: return;
    }
    event.preventDefault();
  }

  /** To the next legal move. */
  private next(step: number): void {
    const legal = (this.view?.legal ?? []).map(squareIndex).sort((a, b) => step * (a - b));
    const after = legal.find((index) => step * (index - this.focused) > 0) ?? legal[0];
    if (after !== undefined) this.move(after, true);
  }
}
