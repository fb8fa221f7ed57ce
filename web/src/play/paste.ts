// A window for a game in any format: pasted, or from a file.

import { h, put } from "../dom";

/** Takes a text and the number of the game in it; with `as_far`, the moves before a wrong one. */
type Read = (text: string, number: number, as_far: boolean) => Promise<{ games: number }>;

/** Makes it; `read` throws what is wrong with the text. */
export function pasteDialog(read: Read): HTMLDialogElement {
  const text = h("textarea", { rows: 7, class: "wide", "aria-label": "Game or position", placeholder: "f5d6c3d3c4…, GGF, 64 squares and the side to move, or moves among other words" });
  const file = h("input", { type: "file", accept: ".txt,.ggf,.obf,.pgn,text/plain", "aria-label": "Or a file" });
  const number = h("input", { type: "number", min: 1, value: 1, class: "narrow" });
  const which = h("label", { hidden: true }, "Game", number);
  const problem = h("p", { class: "error", role: "alert", hidden: true });
  const open = h("button", { type: "button", class: "main" }, "Load");
  const rest = h("button", { type: "button", hidden: true }, "Show the moves before it");
  const close = h("button", { type: "button" }, "Cancel");
  const dialog = h(
    "dialog",
    { "aria-labelledby": "paste-title" },
    h("h2", { id: "paste-title" }, "Paste a game"),
    h("p", { class: "note" }, "A transcript, GGF, a position or OBF; also moves among numbers and words. A game that is not over goes on from where it ends."),
    text,
    h("div", { class: "row" }, file, which),
    problem,
    h("div", { class: "row" }, open, rest, close),
  );
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    // A whole database is not for this window.
    if (chosen.size > 200_000) {
      put(problem, `${chosen.name} is larger than 200 kB; outflank analyse reads such files`);
      problem.hidden = false;
      return;
    }
    void chosen.text().then((content) => {
      text.value = content;
    });
  });
  const take = async (as_far: boolean): Promise<void> => {
    problem.hidden = rest.hidden = true;
    open.disabled = true;
    try {
      const asked = Math.max(1, Math.round(Number(number.value) || 1));
      const { games } = await read(text.value, asked, as_far);
      number.max = String(games);
      which.hidden = games < 2;
      put(which, "Game", number, `of ${games}`);
      dialog.close();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      put(problem, message);
      problem.hidden = false;
      // Moves can be taken up to the wrong one; of other texts nothing can.
      rest.hidden = as_far || !/move ([2-9]|\d\d)\b/.test(message);
    } finally {
      open.disabled = false;
    }
  };
  open.addEventListener("click", () => void take(false));
  rest.addEventListener("click", () => void take(true));
  close.addEventListener("click", () => dialog.close());
  return dialog;
}
