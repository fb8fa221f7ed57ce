// The board: you against any player, or players against each other; values, review, any game.

import { Board } from "../board/board";
import { opponents, Seat, shortName, YOU } from "../board/players";
import { type Opponents, type Step, worth } from "../board/types";
import { download, h, put, show_error, toast } from "../dom";
import { link, type Route, setQuery } from "../shell";
import { pasteDialog } from "./paste";
import { Review } from "./review";
import { status, Table } from "./table";
import { Thinker, type Thoughts } from "./thoughts";

const STRONG = "ctdl2009-best";

export function mount(root: HTMLElement, route: Route): () => void {
  const control = new AbortController();
  let end = () => {};
  put(root, h("h1", {}, "Play"), h("p", { class: "note" }, "Setting up the board …"));
  opponents(control.signal)
    .then((all) => {
      if (!control.signal.aborted) end = play(root, route, all);
    })
    .catch((error: unknown) => {
      if (!control.signal.aborted) show_error(root, error);
    });
  return () => {
    control.abort();
    end();
  };
}

function play(root: HTMLElement, { query }: Route, all: Opponents): () => void {
  const seed = Math.max(0, Math.floor(Number(query.get("seed") ?? 1))) || 1;
  const seats = { black: query.get("black") ?? YOU, white: query.get("white") ?? STRONG };
  let thoughts: Thoughts = { game: "", after: null, judgement: null, explanation: null };
  /** Best moves of a position that were asked for. */
  let hint = { moves: "", squares: [] as string[] };
  let looked: string | null = null;
  let asked = "";

  const said = h("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  const line = h("p", { class: "status" });
  const opening = h("p", { class: "note opening" });
  const count = { black: h("span", { class: "count" }), white: h("span", { class: "count" }) };
  const list = h("ol", { class: "moves", "aria-label": "Moves" });
  const notice = h("div", { class: "error", role: "alert", hidden: true });

  const fail = (error: unknown) => toast(error instanceof Error ? error.message : String(error), "error");
  const table = new Table(seats, seed, { change: () => draw(), say: (text) => put(said, text), fail });
  const act = (work: Promise<void>) => void work.catch(fail);
  const board = new Board({
    play: (square) => act(table.play(square)),
    look: (square) => {
      if (square === looked) return;
      looked = square;
      if (!thinker.showsParts) return;
      think();
      draw();
    },
  });
  const changed = () => {
    asked = "";
    think();
    draw();
  };
  const judge = [seats.white, seats.black].find((player) => player !== YOU && !/^random/.test(player)) ?? STRONG;
  const thinker = new Thinker(all, query.get("judge") ?? judge.split("@")[0] ?? STRONG, changed);
  const review = new Review(thinker, (cursor) => table.go(cursor), fail);
  const sit = () => table.sit({ black: black.player, white: white.player });
  const black = new Seat(all, "black", seats.black, sit);
  const white = new Seat(all, "white", seats.white, sit);

  const button = (text: string, title: string, press: () => void, kind = "") => {
    const made = h("button", { type: "button", title, class: kind || null }, text);
    made.addEventListener("click", press);
    return made;
  };
  const fresh = () => {
    table.paused = false;
    notice.hidden = true;
    act(table.load());
  };
  const showHint = async () => {
    if (!table.game || !table.step?.side) return;
    const { moves } = table.shown;
    const judgement = await thinker.judge(table.shown, seed);
    hint = { moves, squares: judgement.best };
    const best = judgement.moves.find((move) => move.at === judgement.best[0]);
    if (!best) toast(`${shortName(thinker.player)} plays at random and has no hint; choose another judge.`);
    else put(said, `Hint: ${judgement.best.join(" or ")}, worth ${worth(best)} to ${shortName(thinker.player)}.`);
    draw();
  };
  const swap = () => {
    [black.player, white.player] = [white.player, black.player];
    sit();
  };
  const back = button("Undo", "Take back your last move (U)", () => act(table.undo()));
  const help = button("Hint", "The judge's best move (H)", () => act(showHint()));
  const pause = button("Pause", "Pause or go on (P)", () => table.pause(!table.paused));
  const steps = {
    first: button("|◀", "To the start", () => table.go(0)),
    before: button("◀", "One move back ( [ )", () => table.go(table.cursor - 1)),
    next: button("▶", "One move on ( ] )", () => table.go(table.cursor + 1)),
    last: button("▶|", "To the end", () => table.go(table.last)),
  };
  for (const [name, one] of Object.entries(steps)) one.setAttribute("aria-label", { first: "To the start", before: "One move back", next: "One move on", last: "To the end" }[name] ?? "");
  const pace = h("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": "Speed" });
  // From one move in three seconds to twenty in a second.
  const setPace = () => {
    table.pace = 3000 * (50 / 3000) ** (Number(pace.value) / 100);
  };
  pace.addEventListener("input", setPace);
  setPace();
  const speed = h("label", { class: "speed" }, "Slow", pace, "Fast");

  const dialog = pasteDialog(async (text, number, as_far) => {
    await table.paste(text, number, as_far);
    const { games = 1, format = "game", over, problem } = table.game ?? {};
    const what = `Read as ${format}${games > 1 ? `, game ${number} of ${games}` : ""}${problem ? ", up to the wrong move" : ""}. `;
    const next = over ? "Step through it with ◀ and ▶." : table.waiting ? "“Go on” lets the player move; you can also move for it." : "Your move.";
    notice.hidden = true;
    toast(what + next);
    return { games };
  });
  const share = async () => {
    const address = new URL(location.href);
    address.hash = link("play", "", place());
    try {
      await navigator.clipboard.writeText(address.href);
      toast("The address of this game is copied.");
    } catch {
      prompt("The address of this game", address.href);
    }
  };
  const save = h("select", { "aria-label": "Save the game" }, ...[["", "Save …"], ["txt", "Transcript"], ["ggf", "GGF"], ["obf", "This position (OBF)"]].map(([value, text]) => h("option", { value: value ?? "" }, text ?? "")));
  save.addEventListener("change", () => {
    const { game } = table;
    if (game && save.value) {
      const side = table.step?.side === "white" ? "O" : "X";
      const content = { txt: game.moves, ggf: game.ggf, obf: `${table.step?.board ?? ""} ${side};` }[save.value] ?? "";
      download(`game.${save.value}`, "text/plain", `${content}\n`);
    }
    save.value = "";
  });

  /** What the address says of the game. */
  function place(): Record<string, string> {
    const all: Record<string, string> = { black: table.seats.black, white: table.seats.white };
    const { game } = table;
    if (game?.moves) all.moves = game.moves;
    if (game?.start) all.start = game.start;
    if (table.cursor !== table.last) all.at = String(table.cursor);
    if (seed !== 1) all.seed = String(seed);
    return all;
  }

  /** The legal move that is looked at. */
  function tried(): string | null {
    return looked && table.step?.legal.includes(looked) ? looked : null;
  }

  function think(): void {
    const { step } = table;
    if (!step) return;
    const question = JSON.stringify([table.shown, thinker.showsParts && tried(), thinker.player, thinker.limits, thinker.showsValues, thinker.showsParts]);
    if (question === asked) return;
    asked = question;
    void thinker.think(table.shown, !step.side, tried(), seed).then((found) => {
      if (!found) return;
      thoughts = found;
      draw();
    });
  }

  function draw(): void {
    const { game, step } = table;
    if (!game || !step) return;
    setQuery(place());
    think();
    const { judgement, explanation } = thoughts;
    const isHere = thoughts.game === JSON.stringify(table.shown);
    const isCurrent = judgement && thinker.showsValues && isHere;
    const values = new Map(
      (isCurrent ? judgement.moves : []).map((move) => {
        const best = judgement?.best.includes(move.at) ?? false;
        const unit = move.discs === null ? "" : " discs";
        return [move.at, { text: worth(move, judgement?.moves), said: `worth ${worth(move, judgement?.moves)}${unit}${best ? ", best" : ""}`, best }];
      }),
    );
    const isSeen = explanation && explanation.value !== null && thinker.showsParts && isHere && thoughts.after === tried();
    board.show({
      board: isSeen ? explanation.board : step.board,
      legal: step.legal,
      canPlay: step.side !== null && (table.isYourTurn || table.paused || table.cursor !== table.last),
      side: step.side,
      last: step.at,
      turned: step.turned,
      values,
      heat: isSeen ? explanation.squares : null,
      hint: hint.moves === table.shown.moves ? hint.squares : [],
    });
    put(count.black, String(step.discs[0]));
    put(count.white, String(step.discs[1]));
    const { waiting } = table;
    const waits = table.thinking ? `${shortName(table.seats[table.thinking])} is thinking …` : waiting && table.paused ? `${shortName(table.seats[waiting])} is paused.` : "";
    const passed = step.passed && step.side ? `${step.passed === "black" ? "Black" : "White"} had to pass. ` : "";
    put(line, passed, status(game, table.cursor), " ", h("span", { class: "soft" }, waits));
    put(opening, game.opening ? `Opening: ${game.opening}` : game.start ? "From a set position" : "");
    back.disabled = table.cursor === 0;
    help.disabled = !step.side;
    pause.hidden = game.over || !(table.isWatched || (table.paused && waiting));
    pause.textContent = table.paused ? "Go on" : "Pause";
    speed.hidden = !table.isWatched;
    steps.first.disabled = steps.before.disabled = table.cursor === 0;
    steps.next.disabled = steps.last.disabled = table.cursor === table.last;
    drawMoves();
    review.offer(game, seed);
  }

  let drawn = "";
  function drawMoves(): void {
    const steps = (table.game?.steps ?? []).slice(1);
    const all = steps.map(({ at, by, passed }) => `${at}${by}${passed}`).join();
    if (all !== drawn) {
      drawn = all;
      put(list, ...steps.map(moveItem));
    }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = list.children[table.cursor - 1] as HTMLElement | undefined;
    here?.querySelector("button")?.setAttribute("aria-current", "step");
    if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  function moveItem(step: Step, index: number): HTMLElement {
    const words = `${index + 1}. ${step.by === "black" ? "Black" : "White"} ${step.at}`;
    const one = h("button", { type: "button", class: `move ${step.by ?? ""}`, "aria-label": words, onclick: () => table.go(index + 1) }, step.at ?? "");
    return h("li", {}, one, step.passed && step.side ? h("span", { class: "note" }, " pass") : null);
  }

  const keys = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    const press = {
      u: () => back.click(),
      h: () => help.click(),
      v: () => thinker.toggle("values"),
      d: () => thinker.toggle("parts"),
      p: () => pause.click(),
      "[": () => table.go(table.cursor - 1),
      "]": () => table.go(table.cursor + 1),
    }[event.key.toLowerCase()];
    if (!press) return;
    event.preventDefault();
    press();
  };
  document.addEventListener("keydown", keys);

  put(
    root,
    h("h1", {}, "Play"),
    h("div", { class: "seats no-print" }, black.element, button("⇄", "Swap colours", swap, "swap"), white.element, button("New game", "Start again", fresh, "main")),
    notice,
    h(
      "div",
      { class: "table" },
      h(
        "div",
        { class: "side-board" },
        h("div", { class: "score" }, h("span", { class: "disc small black", "aria-hidden": "true" }), h("span", { class: "visually-hidden" }, "Black has "), count.black, h("span", { "aria-hidden": "true" }, "–"), h("span", { class: "visually-hidden" }, " discs, White has "), count.white, h("span", { class: "disc small white", "aria-hidden": "true" })),
        board.element,
        line,
        said,
      ),
      h(
        "div",
        { class: "side-panel" },
        h("div", { class: "row no-print" }, back, help, pause, ...Object.values(steps), speed),
        opening,
        list,
        h("div", { class: "row no-print" }, button("Paste a game", "Any format", () => dialog.showModal()), button("Copy address", "Share this game", () => void share()), save),
        thinker.element,
        review.element,
        h("details", { class: "no-print" }, h("summary", {}, "Keys"), h("p", { class: "note" }, "Arrow keys move on the board, Enter plays, N goes to the next legal move. U takes back, H gives a hint, V shows values, D what each disc adds, [ and ] step, P pauses and goes on.")),
      ),
    ),
    dialog,
  );
  const so_far = { start: query.get("start"), moves: query.get("moves") ?? "" };
  const asked_at = Number(query.get("at") ?? Number.NaN);
  const at = Number.isFinite(asked_at) ? Math.floor(asked_at) : undefined;
  /** Says what is wrong with the address, and how much of it is shown. */
  const tellProblem = (problem: string, moves: number) => {
    const shown = moves > 1 ? `The ${moves} moves before it are shown.` : moves > 0 ? "The move before it is shown." : "A new game is shown.";
    put(notice, h("strong", {}, "This address has a mistake. "), `${problem}. ${shown}`);
    notice.hidden = false;
  };
  const begin = async () => {
    try {
      await table.load(so_far, at, true);
      if (table.game?.problem) tellProblem(table.game.problem, table.last);
    } catch (error) {
      table.paused = true;
      await table.load();
      tellProblem(error instanceof Error ? error.message : String(error), 0);
    }
  };
  act(begin());
  return () => {
    document.removeEventListener("keydown", keys);
    table.close();
    thinker.close();
    review.close();
  };
}
