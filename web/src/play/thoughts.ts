// What a player thinks: the value of every move, and what each square and hidden node adds.

import { call } from "../api";
import { heatBoard } from "../board/heat";
import { playerSelect, shortName } from "../board/players";
import { type Explanation, type GameSoFar, type Judgement, type Opponents, type Portrait, signed, worth } from "../board/types";
import { h, put, s } from "../dom";

export interface Thoughts {
  /** What they are about: the game so far, and the move that is looked at. */
  game: string;
  after: string | null;
  judgement: Judgement | null;
  explanation: Explanation | null;
}

/** The panel where one chooses who judges, how deep, and what is shown. */
export class Thinker {
  readonly element: HTMLElement;
  private readonly who: HTMLSelectElement;
  private readonly depth: HTMLInputElement;
  private readonly solve: HTMLInputElement;
  private readonly values: HTMLInputElement;
  private readonly parts: HTMLInputElement;
  private readonly words: HTMLElement;
  private readonly nodes: HTMLElement;
  private work = new AbortController();
  /** The last judgement, and what was asked: looking at moves does not change it. */
  private known: { question: string; judgement: Judgement } | null = null;
  private portrait: { player: string; of: Promise<Portrait> } | null = null;

  constructor(all: Opponents, player: string, change: () => void) {
    this.who = playerSelect(all, player, { id: "judge" });
    const number = (value: number, max: number, min: number) =>
      h("input", { type: "number", value, min, max, step: 1, class: "narrow" });
    this.depth = number(4, 20, 1);
    this.solve = number(14, 24, 0);
    const box = () => h("input", { type: "checkbox" });
    [this.values, this.parts] = [box(), box()];
    this.words = h("p", { class: "note", role: "status" });
    this.nodes = h("div", { class: "nodes" });
    for (const input of [this.who, this.depth, this.solve, this.values, this.parts]) input.addEventListener("change", change);
    this.element = h(
      "section",
      { class: "card no-print", "aria-label": "Analysis" },
      h("h2", {}, "Analysis"),
      h(
        "div",
        { class: "row" },
        h("label", {}, this.values, h("span", {}, "Values of moves")),
        h("label", { title: "How much lower the value would be without each disc" }, this.parts, h("span", {}, "What each disc adds")),
      ),
      h("div", { class: "row" }, h("label", { for: "judge" }, "Judged by"), this.who),
      h(
        "div",
        { class: "row" },
        h("label", {}, "Moves ahead", this.depth),
        h("label", { title: "With this many empty squares or fewer, results are exact" }, "Exact from", this.solve, "empty"),
      ),
      this.words,
      this.nodes,
    );
  }

  get player(): string {
    return this.who.value;
  }

  get limits(): { depth: number; solve: number } {
    const within = (input: HTMLInputElement, fallback: number) =>
      Math.round(Math.min(Number(input.max), Math.max(Number(input.min), Number(input.value) || fallback)));
    return { depth: within(this.depth, 1), solve: within(this.solve, 0) };
  }

  get showsValues(): boolean {
    return this.values.checked;
  }

  get showsParts(): boolean {
    return this.parts.checked;
  }

  toggle(what: "values" | "parts"): void {
    const input = what === "values" ? this.values : this.parts;
    input.checked = !input.checked;
    input.dispatchEvent(new Event("change"));
  }

  close(): void {
    this.work.abort();
  }

  /** Thinks about a position; a new question ends the last. */
  async think(game: GameSoFar, isOver: boolean, after: string | null, seed: number): Promise<Thoughts | null> {
    this.work.abort();
    this.work = new AbortController();
    const { signal } = this.work;
    const player = this.player;
    if (!this.showsValues && !this.showsParts) put(this.words);
    if (!this.showsParts) put(this.nodes);
    try {
      const [judgement, explanation] = await Promise.all([
        this.showsValues && !isOver ? this.judgeOnce(game, seed, signal) : null,
        this.showsParts ? call<Explanation>("explain", { player, game, after, seed }, { signal }) : null,
      ]);
      if (signal.aborted) return null;
      this.tell(judgement, explanation, after);
      if (explanation) await this.show_nodes(explanation, signal);
      return signal.aborted ? null : { game: JSON.stringify(game), after, judgement, explanation };
    } catch (error) {
      if (signal.aborted) return null;
      put(this.words, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** The values of all moves of a position. */
  judge(game: GameSoFar, seed: number, signal?: AbortSignal): Promise<Judgement> {
    return call<Judgement>("judge", { player: this.player, game, seed, ...this.limits }, signal ? { signal } : {});
  }

  private async judgeOnce(game: GameSoFar, seed: number, signal: AbortSignal): Promise<Judgement> {
    const question = JSON.stringify([game, this.player, this.limits, seed]);
    if (this.known?.question === question) return this.known.judgement;
    const judgement = await this.judge(game, seed, signal);
    this.known = { question, judgement };
    return judgement;
  }

  private tell(judgement: Judgement | null, explanation: Explanation | null, after: string | null): void {
    const lines: string[] = [];
    const name = shortName(this.player);
    if (judgement?.draws && !judgement.exact) lines.push(`${name} plays at random: its moves have no values.`);
    else if (judgement) {
      const how = judgement.exact ? "exact results in discs" : `${judgement.depth} ${judgement.depth === 1 ? "move" : "moves"} ahead`;
      const limit = judgement.limited ? ", as deep as the page may look" : "";
      const best = judgement.moves.find((move) => move.at === judgement.best[0]);
      lines.push(`Values for ${judgement.side}: ${how}${limit}. Best: ${judgement.best.join(", ")}${best ? ` (${worth(best)})` : ""}.`);
    }
    if (explanation && explanation.value === null) lines.push(`${name} plays at random: no disc adds anything.`);
    else if (explanation) {
      const what = after ? `After ${after} the board is` : "The board is";
      const sum = explanation.adds_up ? " The numbers on the discs add up to it." : " A number on a disc is what it would cost to remove it.";
      lines.push(`${what} worth ${signed(explanation.value ?? 0)} to ${explanation.side}.${sum}`);
    }
    put(this.words, lines.join(" "));
  }

  /** The hidden nodes: what each adds, and which squares it looks at. */
  private async show_nodes({ nodes, bias, board, side }: Explanation, signal: AbortSignal): Promise<void> {
    if (!nodes.length) {
      put(this.nodes);
      return;
    }
    if (this.portrait?.player !== this.player)
      this.portrait = { player: this.player, of: call<Portrait>("portrait", { player: this.player }) };
    const portrait = await this.portrait.of;
    if (signal.aborted) return;
    const own = portrait.view === "black" || side === "black" ? "X" : "O";
    const sign = (index: number) => (board.charAt(index) === "-" ? 0 : board.charAt(index) === own ? 1 : -1);
    const sorted = [...nodes].sort((a, b) => Math.abs(b.adds ?? 0) - Math.abs(a.adds ?? 0)).slice(0, 24);
    const most = Math.max(...sorted.map((node) => Math.abs(node.adds ?? 0)), 1e-9);
    const figure = (node: (typeof nodes)[number]) => {
      const squares = portrait.nodes.find(({ name }) => name === node.name)?.squares;
      const seen = squares?.map((weight, index) => (weight === null ? null : weight * sign(index)));
      const adds = node.adds === null ? "—" : signed(node.adds, 2);
      return h(
        "figure",
        { class: "node", title: `in ${signed(node.input)}, out ${signed(node.output)}` },
        seen ? heatBoard({ values: seen, label: `what hidden node ${node.name} sees` }) : h("div", { class: "heat blank" }, "from nodes"),
        bar(node.adds ?? 0, most),
        h("figcaption", {}, `${node.name} ${adds}`),
      );
    };
    const more = nodes.length > sorted.length ? ` The ${sorted.length} that add most of ${nodes.length}.` : "";
    put(
      this.nodes,
      h("h3", {}, "Hidden nodes"),
      h("p", { class: "note" }, `Weight times disc for each square, and what the node adds to the output.${more}`, bias === null ? "" : ` The constant adds ${signed(bias, 2)}.`),
      h("div", { class: "node-list" }, ...sorted.map(figure)),
    );
  }
}

/** A bar to the right of the middle for what is above 0, to the left for what is below. */
function bar(value: number, most: number): SVGSVGElement {
  const width = (50 * Math.abs(value)) / most;
  return s(
    "svg",
    { viewBox: "0 0 100 8", class: "bar", "aria-hidden": "true", preserveAspectRatio: "none" },
    s("rect", { x: value < 0 ? 50 - width : 50, y: 0, width, height: 8, class: value < 0 ? "minus" : "plus" }),
    s("line", { x1: 50, x2: 50, y1: 0, y2: 8, class: "zero" }),
  );
}
