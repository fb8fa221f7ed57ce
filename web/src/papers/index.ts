// The papers whose experiments come with the program, and the pages that were written.

import { call, start, ticket } from "../api";
import { h, put, show_error, toast } from "../dom";
import { count, time } from "../format";
import { type Route, link } from "../shell";

interface Papers {
  papers: { name: string; title: string }[];
  pages: { path: string; title: string; age: number }[];
}

export function mount(root: HTMLElement, route: Route): () => void {
  const control = new AbortController();
  const { signal } = control;
  const stop = () => control.abort();
  if (route.rest) {
    void open(root, route.rest).catch((error: unknown) => show_error(root, error));
    return stop;
  }
  put(root, h("h1", {}, "Papers and reports"), h("p", { class: "note" }, "Loading …"));
  call<Papers>("papers", {}, { signal })
    .then(({ papers, pages }) => {
      const isOf = (name: string) => pages.find((page) => page.path.includes(name) && page.path.endsWith("index.html"));
      put(
        root,
        h("h1", {}, "Papers and reports"),
        h("p", {}, "The experiments of five papers come with the program. A reproduction trains what is missing and puts our figures beside the published ones; at a small scale it shows how it works, not what is true."),
        h("div", { class: "papers" }, ...papers.map((paper) => card(paper, isOf(paper.name)?.path, signal))),
        h("h2", {}, "Pages in this folder"),
        pages.length
          ? h("ul", {}, ...pages.map((page) => h("li", {}, h("a", { href: link("papers", page.path) }, page.title || page.path), h("span", { class: "note" }, ` ${page.path}, ${time(page.age)} ago`))))
          : h("p", { class: "note" }, "None yet. To write a report, select studies under Runs."),
      );
    })
    .catch((error: unknown) => signal.aborted || show_error(root, error));
  return stop;
}

function card(paper: { name: string; title: string }, page: string | undefined, signal: AbortSignal): HTMLElement {
  const scale = h("select", { "aria-label": `Scale of ${paper.name}` }, ...["0.001", "0.01", "0.1", "1"].map((scale) => h("option", {}, scale)));
  const plan = h("p", { class: "note", "aria-live": "polite" });
  const request = () => ({ studies: [paper.name], scale: Number(scale.value), out: `runs/${paper.name}-x${scale.value}` });
  const begin = async () => {
    try {
      await start("study", request());
      toast(`Reproducing ${paper.name}; see Runs.`);
      location.hash = link("runs");
    } catch (error) {
      toast((error as Error).message, "error");
    }
  };
  const estimate = async () => {
    plan.textContent = "…";
    try {
      const answer = await call<{ plan: { missing: number; games: number; seconds: number | null } }>("plan", request(), { signal });
      const { missing, games, seconds } = answer.plan;
      plan.textContent = `${missing} runs to train, ${count(games)} games${seconds === null ? "" : `, about ${time(seconds)}`}.`;
    } catch (error) {
      plan.textContent = (error as Error).message;
    }
  };
  scale.addEventListener("change", () => void estimate());
  return h(
    "section",
    { class: "card" },
    h("h3", {}, paper.title),
    page !== undefined && h("p", {}, h("a", { href: link("papers", page) }, "Our figures beside the published ones")),
    h("div", { class: "row no-print" }, h("label", {}, "Scale", scale), h("button", { type: "button", onclick: () => void estimate() }, "How long?"), h("button", { type: "button", onclick: () => void begin() }, "Reproduce")),
    plan,
  );
}

/** A page in a frame: it may run nothing, and has its own styles. */
async function open(root: HTMLElement, path: string): Promise<void> {
  const url = await ticket(path);
  put(
    root,
    h("div", { class: "row no-print" }, h("a", { class: "button", href: link("papers") }, "All pages"), h("span", { class: "grow note" }, path), h("a", { class: "button", href: url, target: "_blank", rel: "noopener" }, "Open in a new tab")),
    h("iframe", { class: "page", src: url, title: path, sandbox: "allow-popups" }),
  );
}
