// The studies on disk, what goes on, and the beginning of new work.

import { type Job, call, follow, start } from "../api";
import { type Child, h, put, show_error, toast } from "../dom";
import { count, percent, size, time } from "../format";
import { type Route, link } from "../shell";
import { showJobs } from "./jobs";
import { type StudyEntry, tidy } from "./types";

/** Studies are looked at this often while the page is seen, in milliseconds. */
const EVERY = 4000;
/** More rows than this are shown only on request. */
const MOST = 200;
/** Columns for which a tablet has no room. */
const SPARE = new Set(["changed", "size"]);

export function mount(root: HTMLElement, route: Route): () => void {
  if (route.rest === "new") return mountForm(root, route);
  const chosen = new Set<string>();
  let studies: StudyEntry[] = [];
  let all = false;
  let told = "";

  const search = h("input", { type: "search", placeholder: "Filter: method, key or folder", "aria-label": "Filter", class: "grow" });
  const state = h(
    "select",
    { "aria-label": "State" },
    ...["all studies", "running", "stopped", "finished", "with a problem"].map((name) => h("option", {}, name)),
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
      names.length > 0 && h("button", { type: "button", onclick: () => void report(names) }, "Write report"),
      names.length > 0 &&
        h("button", { type: "button", onclick: () => { chosen.clear(); told = ""; show(); } }, "Clear selection"),
    );
  };

  const show = (): void => {
    const found = studies.filter(fits);
    const key = JSON.stringify([found, [...chosen], all]);
    if (key === told) return;
    told = key;
    showBar();
    if (!found.length) {
      put(list, h("p", { class: "note" }, studies.length ? "No study matches the filter." : "No studies yet. “Start training” starts one, as does `outflank learn` in this folder."));
      return;
    }
    const rows = all ? found : found.slice(0, MOST);
    const focus = document.activeElement?.getAttribute("data-focus");
    put(list, table(rows), rows.length < found.length && h("button", { type: "button", onclick: () => { all = true; show(); } }, `Show all ${found.length} studies`));
    if (focus) list.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focus)}"]`)?.focus();
  };

  const table = (rows: StudyEntry[]): HTMLElement => {
    const heads = ["", "study", "runs", "state", "value", "games", "time", "changed", "size", ""];
    return h(
      "div",
      { class: "box" },
      h(
        "table",
        { class: "many studies" },
        h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { class: head === "study" ? "name" : SPARE.has(head) ? "spare" : null, scope: "col" }, head)))),
        h("tbody", {}, ...rows.map(row)),
      ),
    );
  };

  const row = (study: StudyEntry): HTMLElement => {
    const folder = tidy(study.folder);
    const cell = (label: string, ...children: Child[]) => h("td", { "data-label": label, class: SPARE.has(label) ? "spare" : null }, h("span", {}, ...children));
    const box = h("input", {
      type: "checkbox",
      "data-study": folder,
      "data-focus": `select ${folder}`,
      "aria-label": `Select ${study.label || folder}`,
      onchange: (event: Event) => {
        if ((event.target as HTMLInputElement).checked) chosen.add(folder);
        else chosen.delete(folder);
        told = "";
        show();
      },
    });
    box.checked = chosen.has(folder);
    const now: [number, string][] = [[study.going, "running"], [study.stopped, "stopped"], [study.waiting, "waiting"], [study.missed, "missed the goal"]];
    return h(
      "tr",
      {},
      h("td", { class: "pick" }, h("label", {}, box)),
      h(
        "th",
        { class: "name", scope: "row" },
        h("a", { href: link("curves", "", { s: folder }), "data-focus": `open ${folder}` }, study.label || folder),
        h("div", { class: "note" }, folder),
        study.problem && h("div", { class: "bad" }, study.problem),
      ),
      cell("runs", `${study.finished}/${study.runs}`),
      cell("state", ...now.filter(([runs]) => runs > 0).map(([runs, what]) => h("span", { class: `chip state-${what}` }, `${runs} ${what}`))),
      cell(study.probe ?? "value", study.value !== null && percent(study.value), study.probe !== null && h("div", { class: "note" }, study.probe)),
      cell("games", count(study.games)),
      cell("time", study.seconds > 0 ? time(study.seconds) : ""),
      cell("changed", study.age === null ? "" : `${time(study.age)} ago`),
      cell("size", size(study.bytes)),
      h(
        "td",
        { class: "do" },
        study.stopped + study.waiting > 0 &&
          study.going === 0 &&
          h("button", { type: "button", "data-focus": `resume ${folder}`, "aria-label": `Resume ${folder}`, onclick: () => void resume(folder) }, "Resume"),
      ),
    );
  };

  const resume = async (folder: string): Promise<void> => {
    try {
      await start("resume", { folder });
      toast(`${folder} resumed.`);
    } catch (error) {
      toast((error as Error).message, "error");
    }
  };

  const report = async (names: string[]): Promise<void> => {
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "");
    try {
      await start("report", { studies: names, out: `report-${stamp}.html`, figures_as: ["svg", "pdf"] });
      toast("Writing the report. It will appear under Papers.");
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
      // Ages change all the time; ten seconds are exact enough.
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

/** The form to start training, which a first visit does not load. */
function mountForm(root: HTMLElement, route: Route): () => void {
  let [isGone, end] = [false, () => {}];
  import("./new")
    .then(({ mountNew }) => {
      if (!isGone) end = mountNew(root, route);
    })
    .catch((error: unknown) => show_error(root, error));
  return () => {
    isGone = true;
    end();
  };
}
