// A window for a game in any format: pasted, or from a file.

import { h, put } from "../dom";

/** Opens it; `read` takes the text and the number of the game, and throws what is wrong with it. */
export function pasteDialog(read: (text: string, number: number) => Promise<{ games: number; format: string }>): HTMLDialogElement {
  const text = h("textarea", { rows: 7, class: "wide", "aria-label": "Game or position", placeholder: "f5d6c3d3c4…, GGF, 64 squares and the side to move, or moves among other words" });
  const file = h("input", { type: "file", accept: ".txt,.ggf,.obf,.pgn,text/plain", "aria-label": "A file" });
  const number = h("input", { type: "number", min: 1, value: 1, class: "narrow" });
  const which = h("label", { hidden: true }, "Game", number);
  const problem = h("p", { class: "error", role: "alert", hidden: true });
  const open = h("button", { type: "button", class: "main" }, "Show it");
  const close = h("button", { type: "button" }, "Cancel");
  const dialog = h(
    "dialog",
    { "aria-labelledby": "paste-title" },
    h("h2", { id: "paste-title" }, "Paste a game"),
    h("p", { class: "note" }, "A transcript, GGF, a position or lines of OBF; also moves with numbers or words between them."),
    text,
    h("div", { class: "row" }, file, which),
    problem,
    h("div", { class: "row" }, open, close),
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
  open.addEventListener("click", async () => {
    problem.hidden = true;
    open.disabled = true;
    try {
      const asked = Math.max(1, Math.round(Number(number.value) || 1));
      const { games } = await read(text.value, asked);
      number.max = String(games);
      which.hidden = games < 2;
      put(which, "Game", number, `of ${games}`);
      dialog.close();
    } catch (error) {
      put(problem, error instanceof Error ? error.message : String(error));
      problem.hidden = false;
    } finally {
      open.disabled = false;
    }
  });
  close.addEventListener("click", () => dialog.close());
  return dialog;
}
