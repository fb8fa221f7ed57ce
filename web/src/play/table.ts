// The game that is played: its moves, who sits where, and the replies of players.

import { call } from "../api";
import { YOU } from "../board/players";
import type { Choice, Colour, GameSoFar, Position, Step } from "../board/types";

export interface Seats {
  black: string;
  white: string;
}

export interface TableEvents {
  /** Something changed: the game, the place in it, who sits where. */
  change: () => void;
  /** Something for people to hear. */
  say: (text: string) => void;
  fail: (error: unknown) => void;
}

const BLANK: GameSoFar = { start: null, moves: "" };

export class Table {
  game: Position | null = null;
  /** The step that is shown. */
  cursor = 0;
  /** Players do not move while it is true. */
  paused = false;
  /** Who is thinking. */
  thinking: Colour | null = null;
  /** Milliseconds between two moves of players. */
  pace = 700;
  private work = new AbortController();
  private closed = false;

  constructor(
    readonly seats: Seats,
    readonly seed: number,
    private readonly events: TableEvents,
  ) {}

  close(): void {
    this.closed = true;
    this.work.abort();
  }

  get last(): number {
    return (this.game?.steps.length ?? 1) - 1;
  }

  get step(): Step | null {
    return this.game?.steps[this.cursor] ?? null;
  }

  /** The game up to the step that is shown. */
  get shown(): GameSoFar {
    return { start: this.game?.start ?? null, moves: (this.game?.moves ?? "").slice(0, 2 * this.cursor) };
  }

  get isWatched(): boolean {
    return this.seats.black !== YOU && this.seats.white !== YOU;
  }

  get isYourTurn(): boolean {
    const side = this.step?.side;
    return side ? this.seats[side] === YOU : false;
  }

  /** Takes a game, and shows its end or the given step. With `as_far`, moves before a wrong one. */
  async load(so_far: GameSoFar = BLANK, cursor?: number, as_far = false): Promise<void> {
    await this.take({ game: so_far, as_far }, cursor);
  }

  /**
   * Takes a game from a pasted text. One that is over is shown from its start, one that is not goes
   * on where it ends; a player waits to be asked, so that its move is not taken for a pasted one.
   */
  async paste(text: string, number: number, as_far: boolean): Promise<void> {
    const paused = this.paused;
    this.paused = true;
    try {
      await this.take({ text, number, as_far });
    } catch (error) {
      this.pause(paused);
      throw error;
    }
    if (this.game?.over) this.go(0);
    else if (this.isYourTurn) this.pause(false);
  }

  /** Plays a move at the step that is shown; what came after it is gone. */
  async play(square: string): Promise<void> {
    const { start, moves } = this.shown;
    this.paused = this.paused && this.isWatched;
    await this.take({ game: { start, moves: moves + square } });
  }

  /** Takes back the last move, and that of the player before it. */
  async undo(): Promise<void> {
    if (!this.game || this.cursor === 0) return;
    let to = this.cursor - 1;
    const humans = Object.values(this.seats).includes(YOU);
    const side = (index: number) => this.game?.steps[index]?.side;
    while (humans && to > 0 && this.seats[side(to) ?? "black"] !== YOU) to--;
    // If the first move is a player's, it would be made again at once.
    if (this.isWatched || (humans && this.seats[side(to) ?? "black"] !== YOU)) this.paused = true;
    const { start, moves } = this.game;
    const taken = this.cursor - to;
    await this.take({ game: { start, moves: moves.slice(0, 2 * to) } });
    this.events.say(`Took back ${taken} ${taken === 1 ? "move" : "moves"}.`);
  }

  /** Shows another step. Players wait while an earlier one is shown. */
  go(cursor: number): void {
    this.cursor = Math.max(0, Math.min(this.last, cursor));
    if (this.game) this.events.say(this.cursor ? spoken(this.game, this.cursor) : `The start. ${status(this.game, 0)}`);
    this.reply();
  }

  pause(paused: boolean): void {
    this.paused = paused;
    this.reply();
  }

  /** Somebody else sits down. */
  sit(seats: Seats): void {
    Object.assign(this.seats, seats);
    this.reply();
  }

  private stop(): AbortSignal {
    this.work.abort();
    this.work = new AbortController();
    this.thinking = null;
    return this.work.signal;
  }

  private async take(request: object, cursor?: number): Promise<void> {
    const signal = this.stop();
    const before = this.game;
    try {
      const names = { black: this.seats.black, white: this.seats.white };
      const game = await call<Position>("position", { ...names, ...request }, { signal });
      if (signal.aborted || this.closed) return;
      this.game = game;
      this.cursor = Math.max(0, Math.min(this.last, cursor ?? this.last));
      // Nobody goes on from a mistake unasked.
      if (game.problem) this.paused = true;
      const isNext = before !== null && game.moves.length === before.moves.length + 2 && game.moves.startsWith(before.moves);
      if (isNext) this.events.say(spoken(game, this.last));
      this.reply();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The player whose turn it is; null if it is yours or nobody's. */
  get waiting(): Colour | null {
    const side = this.step?.side ?? null;
    return side && this.seats[side] !== YOU && this.cursor === this.last ? side : null;
  }

  /** Lets the player whose turn it is move, and tells that something changed. */
  private reply(): void {
    const signal = this.stop();
    if (this.closed) return;
    const side = this.waiting;
    this.thinking = this.paused ? null : side;
    this.events.change();
    if (!side || this.paused) return;
    const player = this.seats[side];
    void (async () => {
      try {
        const began = performance.now();
        const request = { player, game: this.shown, seed: this.seed };
        const { move } = await call<Choice>("choose", request, { signal });
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        const wait = (this.isWatched ? this.pace : calm ? 0 : 300) - (performance.now() - began);
        if (wait > 0) await new Promise((done) => setTimeout(done, wait));
        if (signal.aborted || this.closed) return;
        await this.play(move);
      } catch (error) {
        if (signal.aborted || this.closed) return;
        this.thinking = null;
        this.paused = true;
        this.events.fail(error);
        this.events.change();
      }
    })();
  }
}

const WORDS = { black: "Black", white: "White" };

/** The move that led to a step, in words. */
function spoken(game: Position, cursor: number): string {
  const step = game.steps[cursor];
  if (!step?.at || !step.by) return "";
  const discs = step.turned.length;
  let text = `${WORDS[step.by]} plays ${step.at} and turns ${discs} ${discs === 1 ? "disc" : "discs"}. `;
  if (step.passed && step.side) text += `${WORDS[step.passed]} has no move and passes. `;
  return text + status(game, cursor);
}

/** How the game stands at a step, in words. */
export function status(game: Position, cursor: number): string {
  const step = game.steps[cursor];
  if (!step) return "";
  if (step.side) {
    const moves = step.legal.length;
    return `${WORDS[step.side]} to move, ${moves} legal ${moves === 1 ? "move" : "moves"}.`;
  }
  const [black, white] = step.discs;
  const margin = game.margin ?? 0;
  const winner = margin > 0 ? `Black wins by ${margin}` : margin < 0 ? `White wins by ${-margin}` : "A draw";
  return `The game is over: ${black} to ${white}. ${winner}.`;
}
