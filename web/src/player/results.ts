// Results of a player against others, on request.

import { follow, type Job, start, stop } from "../api";
import { playerSelect, shortName } from "../board/players";
import type { Opponents } from "../board/types";
import { h, put, toast } from "../dom";

interface Measured {
  probe: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  score: number;
  interval: [number, number];
}

const USUAL = ["random", "heuristic", "lr2006", "ctdl2009-best", "mobility"];

/** A table of results that grows as matches are played. */
export function results(player: string, all: Opponents): { element: HTMLElement; close: () => void } {
  const games = h("select", { id: "games" }, ...[100, 1000, 10000].map((count) => h("option", { value: count }, count.toLocaleString("en"))));
  games.value = "1000";
  const other = playerSelect(all, "heuristic", { id: "opponent" });
  const play = h("button", { type: "button", class: "main" }, "Play a match");
  const usual = h("button", { type: "button" }, "Against the usual five");
  const halt = h("button", { type: "button", hidden: true }, "Stop");
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Games played" });
  const words = h("p", { class: "note", role: "status" });
  const rows = h("tbody", {});
  const head = ["against", "games", "wins", "draws", "losses", "score", "95% interval"].map((text, index) => h("th", { class: index ? "" : "name", scope: "col" }, text));
  const table = h("div", { class: "box results", hidden: true }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), rows));
  let id = 0;
  let unfollow = () => {};

  const show = (job: Job) => {
    progress.hidden = job.state !== "running" && job.state !== "stopping";
    halt.hidden = progress.hidden;
    play.disabled = usual.disabled = !progress.hidden;
    progress.max = Math.max(1, job.total);
    progress.value = job.done;
    if (!progress.hidden) {
      put(words, `${job.done.toLocaleString("en")} of ${job.total.toLocaleString("en")} ${job.unit}`);
      return;
    }
    unfollow();
    id = 0;
    put(words, job.state === "failed" ? (job.problem ?? "It failed.") : job.state === "stopped" ? "Stopped." : "");
    const answer = job.answer as { results?: Measured[] } | null;
    const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
    for (const row of answer?.results ?? []) {
      const cells = [row.games, row.wins, row.draws, row.losses].map((count) => h("td", {}, count.toLocaleString("en")));
      const [low, high] = row.interval;
      rows.append(h("tr", {}, h("td", { class: "name" }, shortName(row.probe)), ...cells, h("td", {}, percent(row.score)), h("td", {}, `${percent(low)} to ${percent(high)}`)));
      table.hidden = false;
      element.classList.remove("no-print");
    }
  };
  const run = async (vs: string[]) => {
    try {
      play.disabled = usual.disabled = true;
      const request = { players: [player], vs, games: Number(games.value) };
      id = (await start("measure", request)).id;
      unfollow = follow((jobs) => {
        const job = jobs.find((one) => one.id === id);
        if (job) show(job);
      });
    } catch (error) {
      play.disabled = usual.disabled = false;
      toast(error instanceof Error ? error.message : String(error), "error");
    }
  };
  play.addEventListener("click", () => void run([other.value]));
  usual.addEventListener("click", () => void run(USUAL.filter((name) => name !== player)));
  halt.addEventListener("click", () => void stop(id).catch(() => {}));
  const element = h(
    "section",
    { class: "no-print", "aria-label": "Results" },
    h("h2", {}, "Results"),
    h("p", { class: "note no-print" }, "Games from the usual start, with alternating colours. As in the papers, both players make one move in ten at random, so that games differ."),
    h("div", { class: "row no-print" }, h("label", { for: "opponent" }, "Against"), other, h("label", { for: "games" }, "Games"), games, play, usual, halt),
    progress,
    words,
    table,
  );
  return {
    element,
    close: () => unfollow(),
  };
}
