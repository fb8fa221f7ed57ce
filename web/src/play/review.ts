// A whole game, judged move by move: who stood better, and what each move lost.

import { type Judgement, type JudgedMove, type Position, rank, worth } from "../board/types";
import { h, put, s } from "../dom";
import type { Thinker } from "./thoughts";

interface Judged {
  /** The step before the move. */
  index: number;
  judgement: Judgement;
  played: JudgedMove | undefined;
  best: JudgedMove | undefined;
}

/** The panel that judges a game when it is asked to. */
export class Review {
  readonly element: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly progress: HTMLProgressElement;
  private readonly out: HTMLElement;
  private work: AbortController | null = null;
  private of = "";

  constructor(
    private readonly thinker: Thinker,
    private readonly go: (cursor: number) => void,
    private readonly fail: (error: unknown) => void,
  ) {
    this.button = h("button", { type: "button", disabled: true }, "Judge the whole game");
    this.progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Moves judged" });
    this.out = h("div", {});
    this.element = h("section", { class: "card review no-print", "aria-label": "Review" }, h("h2", {}, "Review"), h("div", { class: "row no-print" }, this.button, this.progress), this.out);
  }

  close(): void {
    this.work?.abort();
  }

  /** Offers to judge a game; forgets what was said of another. */
  offer(game: Position, seed: number): void {
    this.button.disabled = game.moves.length === 0 && !this.work;
    this.button.onclick = () => (this.work ? this.work.abort() : void this.run(game, seed));
    if (this.of && !game.moves.startsWith(this.of) && !this.of.startsWith(game.moves)) {
      this.of = "";
      this.element.classList.add("no-print");
      put(this.out);
    }
  }

  private async run(game: Position, seed: number): Promise<void> {
    const work = new AbortController();
    this.work = work;
    this.button.textContent = "Stop";
    this.progress.hidden = false;
    this.progress.max = game.steps.length - 1;
    const judged: Judged[] = [];
    try {
      for (let index = 0; index + 1 < game.steps.length; index++) {
        if (work.signal.aborted) break;
        const judgement = await this.thinker.judge({ start: game.start, moves: game.moves.slice(0, 2 * index) }, seed, work.signal);
        const find = (at: string | null | undefined) => judgement.moves.find((move) => move.at === at);
        judged.push({ index, judgement, played: find(game.steps[index + 1]?.at), best: find(judgement.best[0]) });
        this.progress.value = index + 1;
      }
    } catch (error) {
      if (!work.signal.aborted) this.fail(error);
    }
    this.work = null;
    this.button.textContent = "Judge the whole game";
    this.progress.hidden = true;
    if (!judged.length) return;
    this.of = game.moves;
    this.element.classList.remove("no-print");
    put(this.out, this.chart(judged), this.table(judged, game));
  }

  /** Bars for Black above the line, for White below; exact results are filled, opinions are not. */
  private chart(judged: Judged[]): HTMLElement {
    const lead = ({ judgement, best }: Judged) => {
      const sign = judgement.side === "black" ? 1 : -1;
      return { exact: best?.discs !== null, value: sign * (best?.discs ?? best?.value ?? 0) };
    };
    const leads = judged.map(lead);
    const most = Math.max(...leads.filter((one) => !one.exact).map((one) => Math.abs(one.value)), 1e-9);
    const [width, height] = [600, 120];
    const step = width / Math.max(judged.length, 20);
    const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "leads", role: "img", "aria-label": "Who stood better after each move; Black above the line" });
    leads.forEach(({ exact, value }, index) => {
      const size = (height / 2 - 4) * Math.sqrt(Math.min(1, Math.abs(value) / (exact ? 64 : most)));
      const bar = s("rect", { x: index * step + 1, y: value > 0 ? height / 2 - size : height / 2, width: Math.max(1, step - 2), height: Math.max(size, 0.5), class: `${value > 0 ? "for-black" : "for-white"}${exact ? "" : " opinion"}` });
      bar.append(s("title", {}, `move ${index + 1}: ${value > 0 ? "Black" : "White"} by ${Math.abs(value).toPrecision(3)}${exact ? " discs" : ""}`));
      bar.addEventListener("click", () => this.go(judged[index]?.index ?? 0));
      drawing.append(bar);
    });
    drawing.append(s("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "zero" }));
    return h("figure", {}, h("div", { class: "box" }, drawing), h("figcaption", {}, "Who stands better before each move: Black above the line, White below. Solid bars are exact results in discs, dotted ones the judge's estimates."));
  }

  private table(judged: Judged[], game: Position): HTMLElement {
    const lost = judged.filter(({ played, best }) => played && best && rank(best) > rank(played));
    const loss = ({ played, best }: Judged) => {
      if (!played || !best) return 0;
      if (played.discs !== null && best.discs !== null) return 1e3 * (best.discs - played.discs);
      return rank(best) - rank(played);
    };
    const exact = lost.filter((one) => one.judgement.exact).sort((a, b) => loss(b) - loss(a));
    const others = lost.filter((one) => !one.judgement.exact).sort((a, b) => loss(b) - loss(a));
    const worst = [...exact.slice(0, 5), ...others.slice(0, 5)].sort((a, b) => a.index - b.index);
    if (!worst.length) return h("p", {}, "The judge found no mistake.");
    const row = (one: Judged) => {
      const { played, best, judgement, index } = one;
      const jump = h("button", { type: "button", class: "link" }, `${index + 1}. ${judgement.side} ${game.steps[index + 1]?.at ?? ""}`);
      jump.addEventListener("click", () => this.go(index));
      return h("tr", {}, h("td", { class: "name" }, jump), h("td", {}, played ? worth(played) : ""), h("td", { class: "name" }, judgement.best.join(" ")), h("td", {}, best ? worth(best) : ""), h("td", {}, judgement.exact ? "exact" : `depth ${judgement.depth}`));
    };
    const head = ["move", "worth", "better", "worth", "how"].map((text, index) => h("th", { class: index % 2 ? "" : "name", scope: "col" }, text));
    return h("div", { class: "box" }, h("table", {}, h("caption", {}, "The moves that lost most"), h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...worst.map(row))));
  }
}
