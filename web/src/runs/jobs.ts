// Work that was started from the page: progress, speed, stop and resume.

import { type Job, forget, start, stop, ticket } from "../api";
import { type Child, h, put, toast } from "../dom";
import { count, percent, time } from "../format";
import { link } from "../shell";
import { tidy } from "./types";

const WORDS: Record<Job["state"], string> = {
  running: "running",
  stopping: "stopping …",
  done: "done",
  stopped: "stopped",
  failed: "failed",
};

/** Shows the jobs; the elements of a job that goes on are kept, so that a button can be pressed. */
export function showJobs(root: HTMLElement, jobs: Job[]): void {
  const old = new Map([...root.children].map((card) => [card.getAttribute("data-job"), card as HTMLElement]));
  const cards = jobs.map((job) => {
    const card = old.get(String(job.id)) ?? h("article", { class: "card job", "data-job": job.id });
    fill(card, job);
    return card;
  });
  if (cards.length !== root.children.length || cards.some((card, index) => root.children[index] !== card))
    put(root, ...cards);
}

function fill(card: HTMLElement, job: Job): void {
  const isRunning = job.state === "running" || job.state === "stopping";
  const share = job.total > 0 ? Math.min(1, job.done / job.total) : 0;
  const left = job.rate > 0 && job.total > job.done ? (job.total - job.done) / job.rate : null;
  const facts: string[] = [];
  if (job.total > 0) facts.push(`${count(job.done)} of ${count(job.total)} ${job.unit}`);
  if (isRunning && job.rate > 0) facts.push(`${count(job.rate)} ${job.unit} a second`);
  facts.push(`${isRunning ? "" : "took "}${time(job.seconds)}`);
  if (isRunning && left !== null) facts.push(`about ${time(left)} left`);
  if (job.part) facts.push(job.part);
  const bar = h("progress", { max: 1, value: job.state === "done" ? 1 : share, "aria-label": job.title });
  // The row of buttons stays while nothing about it changes: neither a press nor the focus is lost.
  if (card.dataset.state !== job.state) {
    card.dataset.state = job.state;
    const head = h(
      "div",
      { class: "row" },
      h("strong", { class: "grow" }, job.title),
      h("span", { class: `chip state-${job.state}` }, WORDS[job.state]),
      ...buttons(job, isRunning),
    );
    put(card, head, h("div", {}));
  }
  const body = card.lastElementChild;
  if (!body) return;
  put(
    body,
    (isRunning || job.state === "stopped") && bar,
    h("p", { class: "note" }, facts.join(" · ")),
    isRunning && job.runs.length > 0 && runs(job),
    job.problem && h("div", { class: "error", role: "alert" }, job.problem),
    job.notes.length > 0 && h("p", { class: "note" }, job.notes.slice(-3).join(" · ")),
  );
}

/** The runs that go on, with their last values. */
function runs(job: Job): Child {
  const going = job.runs.filter((run) => run.games > 0 && !run.ended).slice(0, 12);
  const ended = job.runs.filter((run) => run.ended).length;
  if (!going.length && !ended) return null;
  const each = job.total / Math.max(1, job.runs.length);
  return h(
    "ul",
    { class: "going" },
    ...going.map((run) => {
      const values = Object.entries(run.values).map(([probe, value]) => `${probe} ${percent(value)}`);
      return h(
        "li",
        {},
        `run ${run.seed} `,
        h("progress", { max: each, value: run.games, "aria-label": `run ${run.seed}` }),
        ` ${values.slice(0, 2).join(", ")}`,
      );
    }),
    ended > 0 && h("li", { class: "soft" }, `${ended} of ${job.runs.length} runs finished`),
  );
}

/** The folder of the runs of a job of training. */
function folder(job: Job): string | null {
  const out = job.request["out"];
  const named = / in (runs\/\S+)$/.exec(job.title)?.[1];
  return typeof out === "string" ? tidy(out) : (named ?? null);
}

function buttons(job: Job, isRunning: boolean): Child[] {
  const press = (name: string, work: () => Promise<unknown>) =>
    h(
      "button",
      {
        type: "button",
        onclick: (event: MouseEvent) => {
          const button = event.currentTarget as HTMLButtonElement;
          button.disabled = true;
          work().catch((error: Error) => {
            button.disabled = false;
            toast(error.message, "error");
          });
        },
      },
      name,
    );
  const out = job.command === "learn" ? folder(job) : null;
  const answer = (job.answer ?? {}) as { report?: string; page?: string };
  const page = answer.report ?? answer.page;
  return [
    out !== null && h("a", { class: "button", href: link("curves", "", { s: out }) }, "Curves"),
    job.state === "done" &&
      page !== undefined &&
      press("Open", async () => void window.open(await ticket(tidy(page)), "_blank", "noopener")),
    isRunning && press("Stop", () => stop(job.id)),
    (job.state === "stopped" || job.state === "failed") &&
      press("Resume", async () => {
        await start(job.command, job.request);
        await forget(job.id);
      }),
    !isRunning && press("Clear", () => forget(job.id)),
  ];
}
