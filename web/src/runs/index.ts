// The studies on disk, what goes on, and the beginning of new work.

import { type Job, call, follow, start } from "../api";
import { type Child, h, put, show_error, toast } from "../dom";
import { count, percent, size, time } from "../format";
import { type Route, link } from "../shell";
import { showJobs } from "./jobs";
import { mountNew } from "./new";
import { type StudyEntry, tidy } from "./types";

/** Studies are looked at this often while the page is seen, in milliseconds. */
const EVERY = 4000;
/** More rows than this are shown only on request. */
const MOST = 200;

export function mount(root: HTMLElement, route: Route): () => void {
  if (route.rest === "new") return mountNew(root, route);
  const chosen = new Set<string>();
  let studies: StudyEntry[] = [];
  let all = false;
  let told = "";

  const search = h("input", { type: "search", placeholder: "Filter: method, key or folder", "aria-label": "Filter", class: "grow" });
  const state = h(
    "select",
    { "aria-label": "State" },
    ...["all studies", "going", "stopped", "finished", "with a problem"].map((name) => h("option", {}, name)),
  );
  const jobs = h("div", { class: "jobs" });
  const list = h("div", {});
  const bar = h("div", { class: "row selection", "aria-live": "polite" });
  put(
    root,
    h("div", { class: "row" }, h("h1", { class: "grow" }, "Runs"), h("a", { class: "button main no-print", href: link("runs", "new") }, "Start training")),
    jobs,
    h("div", { class: "row no-print" }, search, state),
    bar,
    list,
  );

  const fits = (study: StudyEntry): boolean => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = `${study.label} ${study.folder} ${study.probe ?? ""}`.toLowerCase();
    const states = [true, study.going > 0, study.stopped > 0, study.finished === study.runs, study.problem !== null];
    return words.every((word) => text.includes(word)) && states[state.selectedIndex] === true;
  };

  const showBar = (): void => {
    const names = [...chosen];
    const query = new URLSearchParams(names.map((name) => ["s", name]));
    put(
      bar,
      names.length > 0 && h("span", {}, `${names.length} selected`),
      names.length > 0 && h("a", { class: "button main", href: link("curves", "", query) }, names.length > 1 ? "Compare" : "Curves"),
      names.length > 0 && h("button", { type: "button", onclick: () => void report(names) }, "Write a report"),
      names.length > 0 &&
        h("button", { type: "button", onclick: () => { chosen.clear(); told = ""; show(); } }, "Select none"),
    );
  };

  const show = (): void => {
    const found = studies.filter(fits);
    const key = JSON.stringify([found, [...chosen], all]);
    if (key === told) return;
    told = key;
    showBar();
    if (!found.length) {
      put(list, h("p", { class: "note" }, studies.length ? "No study fits the filter." : "No study here yet. “Start training” begins one; `outflank learn` in this folder does the same."));
      return;
    }
    const rows = all ? found : found.slice(0, MOST);
    const focus = document.activeElement?.getAttribute("data-study");
    put(list, table(rows), rows.length < found.length && h("button", { type: "button", onclick: () => { all = true; show(); } }, `Show all ${found.length}`));
    if (focus) list.querySelector<HTMLElement>(`input[data-study="${CSS.escape(focus)}"]`)?.focus();
  };

  const table = (rows: StudyEntry[]): HTMLElement => {
    const heads = ["", "study", "runs", "now", "value", "games", "cost", "changed", "size", ""];
    return h(
      "div",
      { class: "box" },
      h(
        "table",
        { class: "many studies" },
        h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { class: head === "study" ? "name" : null }, head)))),
        h("tbody", {}, ...rows.map(row)),
      ),
    );
  };

  const row = (study: StudyEntry): HTMLElement => {
    const folder = tidy(study.folder);
    const cell = (label: string, ...children: Child[]) => h("td", { "data-label": label }, h("span", {}, ...children));
    const box = h("input", {
      type: "checkbox",
      "data-study": folder,
      "aria-label": `Select ${study.label || folder}`,
      onchange: (event: Event) => {
        if ((event.target as HTMLInputElement).checked) chosen.add(folder);
        else chosen.delete(folder);
        told = "";
        show();
      },
    });
    box.checked = chosen.has(folder);
    const now: [number, string][] = [[study.going, "going"], [study.stopped, "stopped"], [study.waiting, "waiting"], [study.missed, "missed the goal"]];
    return h(
      "tr",
      {},
      h("td", { class: "pick" }, box),
      h(
        "th",
        { class: "name", scope: "row" },
        h("a", { href: link("curves", "", { s: folder }) }, study.label || folder),
        h("div", { class: "note" }, folder),
        study.problem && h("div", { class: "bad" }, study.problem),
      ),
      cell("runs", `${study.finished}/${study.runs}`),
      cell("now", ...now.filter(([runs]) => runs > 0).map(([runs, what]) => h("span", { class: `chip state-${what}` }, `${runs} ${what}`))),
      cell(study.probe ?? "value", study.value !== null && percent(study.value), study.probe !== null && h("div", { class: "note" }, study.probe)),
      cell("games", count(study.games)),
      cell("cost", study.seconds > 0 ? time(study.seconds) : ""),
      cell("changed", study.age === null ? "" : `${time(study.age)} ago`),
      cell("size", size(study.bytes)),
      h(
        "td",
        { class: "do" },
        study.stopped + study.waiting > 0 &&
          study.going === 0 &&
          h("button", { type: "button", onclick: () => void resume(folder) }, "Resume"),
      ),
    );
  };

  const resume = async (folder: string): Promise<void> => {
    try {
      await start("resume", { folder });
      toast(`${folder} goes on`);
    } catch (error) {
      toast((error as Error).message, "error");
    }
  };

  const report = async (names: string[]): Promise<void> => {
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "");
    try {
      await start("report", { studies: names, out: `report-${stamp}.html`, figures_as: ["svg", "pdf"] });
      toast("The report is being written; it will be listed under Papers.");
      window.scrollTo({ top: 0 });
    } catch (error) {
      toast((error as Error).message, "error");
    }
  };

  let busy = false;
  const control = new AbortController();
  const look = async (): Promise<void> => {
    if (busy || document.hidden) return;
    busy = true;
    try {
      studies = (await call<{ results: StudyEntry[] }>("runs", { folder: "." }, { signal: control.signal })).results;
      // Ages change all the time; to the minute is enough.
      for (const study of studies) if (study.age !== null && study.age >= 10) study.age = Math.round(study.age / 10) * 10;
      show();
    } catch (error) {
      if (!control.signal.aborted) show_error(list, error);
    } finally {
      busy = false;
    }
  };
  search.addEventListener("input", show);
  state.addEventListener("change", show);
  const timer = setInterval(() => void look(), EVERY);
  let ended = "";
  const unfollow = follow((found: Job[]) => {
    showJobs(jobs, found);
    const states = found.map((job) => `${job.id} ${job.state}`).join();
    if (states !== ended) void look();
    ended = states;
  });
  void look();
  return () => {
    clearInterval(timer);
    unfollow();
    control.abort();
  };
}
