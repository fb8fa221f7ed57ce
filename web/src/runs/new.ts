// A form for new training, made from the schema of methods: every key explained and checked. The
// program reads what is typed; here it is only kept and shown.

import { Refused, call, start } from "../api";
import { h, put, show_error, toast } from "../dom";
import { count } from "../format";
import { type Route, link, setQuery } from "../shell";
import { Keys, type Typed } from "./keys";
import type { Form } from "./types";

interface Preset {
  name: string;
  summary: string;
  paper: string;
}

/** What was typed, kept while the tab is open: people leave the page to look something up. */
interface Draft {
  method: string;
  options: Record<string, string>;
  typed: [string, Typed][];
}

const DRAFT = "outflank-new";

function readDraft(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT) ?? "null") as Draft | null;
  } catch {
    return null;
  }
}

/** An option of the form, with what is wrong with it below. */
function option(name: string, key: string, input: HTMLInputElement | HTMLTextAreaElement, wide = false) {
  input.id = `new-${key}`;
  const wrong = h("p", { class: "bad", id: `new-${key}-wrong`, hidden: true });
  input.setAttribute("aria-describedby", wrong.id);
  const tell = (problem: string | null): void => {
    put(wrong, problem);
    wrong.hidden = problem === null;
    if (problem === null) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  };
  return { key, input, tell, element: h("div", { class: wide ? "option grow" : "option" }, h("label", { for: input.id }, name), input, wrong) };
}

export function mountNew(root: HTMLElement, route: Route): () => void {
  const control = new AbortController();
  const { signal } = control;
  let form: Form | null = null;
  let presets: Preset[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;

  const text = (attributes: Record<string, string | number>) => h("input", { spellcheck: "false", autocomplete: "off", autocapitalize: "off", ...attributes });
  const method = option("Method", "method", text({ list: "methods", value: "ctdl-hof" }), true);
  const seeds = option("Seeds", "seeds", text({ value: "1..3", size: 10 }));
  const games = option("Games a run", "games", text({ placeholder: "the method's own", size: 16 }));
  const threads = option("Threads", "threads", text({ placeholder: "all cores", size: 9, inputmode: "numeric" }));
  const out = option("Folder", "out", text({ placeholder: "runs/…" }), true);
  const other = option("One KEY=VALUE a line, as for --set; a whole table adds a source of opponents", "other", h("textarea", { rows: 2, placeholder: "opponents.random-wpc={ number = 10 }", spellcheck: "false" }), true);
  const options = [seeds, games, threads, out, other];
  const methods = h("datalist", { id: "methods" });
  const summary = h("p", { class: "note", id: "new-summary" });
  const filter = h("input", { type: "search", placeholder: "Find a key", "aria-label": "Find a key" });
  const unused = h("div", { role: "status" });
  const wrong = h("div", { role: "status" });
  const command = h("pre", { class: "command", tabindex: 0, role: "region", "aria-label": "The same in a shell" });
  const go = h("button", { type: "submit", class: "main" }, "Start");
  const details = h("details", {}, h("summary", {}, "Other settings"), other.element);
  const keys = new Keys(filter, () => soon());
  const box = h(
    "form",
    { novalidate: true },
    h("div", { class: "row options" }, method.element, methods),
    summary,
    h("div", { class: "row options" }, seeds.element, games.element, threads.element),
    h("div", { class: "row options" }, out.element),
    h("div", { class: "row" }, h("h2", { class: "grow" }, "Settings of the method"), filter),
    unused,
    keys.element,
    details,
    h("h2", {}, "The same in a shell"),
    command,
    wrong,
    h("div", { class: "row" }, go, h("button", { type: "button", onclick: () => clear() }, "Clear the form"), h("a", { class: "button", href: link("runs") }, "Back")),
  );
  put(root, h("h1", {}, "Start training"), box);

  const draft = readDraft();
  if (draft) {
    method.input.value = draft.method;
    for (const { key, input } of options) input.value = draft.options[key] ?? input.value;
    for (const [key, typed] of draft.typed) keys.typed.set(key, typed);
    details.open = other.input.value.trim() !== "";
  }
  method.input.value = route.query.get("method") ?? method.input.value;

  const keep = (): void => {
    const kept: Draft = { method: method.input.value, options: Object.fromEntries(options.map(({ key, input }) => [key, input.value])), typed: [...keys.typed] };
    sessionStorage.setItem(DRAFT, JSON.stringify(kept));
  };
  const clear = (): void => {
    sessionStorage.removeItem(DRAFT);
    keys.typed.clear();
    seeds.input.value = "1..3";
    for (const { input } of [games, threads, out, other]) input.value = "";
    filter.value = "";
    void check();
  };

  const quote = (word: string): string => (/^[\w./=:@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

  /** Shows the form as it is now. Says whether training could begin. */
  const show = (now: Form): boolean => {
    form = now;
    const paper = presets.find(({ name }) => name === now.name)?.paper ?? now.paper;
    put(summary, [now.summary, paper, `${count(now.games)} games a run`].filter(Boolean).join(" · "));
    for (const setting of now.added) {
      const [key = "", value = ""] = setting.split(/=(.*)/s);
      keys.typed.set(key, { text: value.replace(/^"(.*)"$/s, "$1"), value, added: true });
    }
    for (const { key, applies } of now.problems) if (!applies && keys.typed.get(key)?.added) keys.typed.delete(key);
    const lost = now.problems.filter(({ key, applies }) => !applies && keys.typed.has(key));
    const own = new Set(other.input.value.split("\n").map((line) => line.split("=")[0]?.trim()));
    const real = now.problems.filter((problem) => !lost.includes(problem) && (problem.applies || own.has(problem.key)));
    put(
      unused,
      lost.length > 0 &&
        h(
          "p",
          { class: "note lost" },
          `Not used, because ${now.name} has no such ${lost.length > 1 ? "keys" : "key"}: ${lost.map(({ key }) => `${key} = ${keys.typed.get(key)?.text ?? ""}`).join(", ")}. `,
          h("button", { type: "button", onclick: () => { for (const { key } of lost) keys.typed.delete(key); soon(); } }, "Forget"),
        ),
      now.added.length > 0 && h("p", { class: "note" }, `Added, because this kind needs them: ${now.added.join(", ")}.`),
    );
    keys.show(now);
    method.tell(null);
    for (const { key, tell } of [seeds, games, threads]) tell(real.find((problem) => problem.key === key)?.problem ?? null);
    out.tell(null);
    const shown = new Set(["seeds", "games", "threads", ...keys.typed.keys()]);
    const others = real.filter(({ key }) => !shown.has(key)).map(({ problem }) => problem);
    other.tell(others.length ? others.join("\n") : null);
    if (others.length) details.open = true;
    out.input.placeholder = now.out;
    put(command, now.command.map(quote).join(" "));
    put(wrong, real.length > 0 && h("p", { class: "bad" }, real.length > 1 ? `${real.length} settings are wrong; the command is without them.` : `${real[0]?.key ?? ""} is wrong; the command is without it.`));
    go.disabled = real.length > 0;
    return real.length === 0;
  };

  /** Lets the program read the form. */
  const check = async (): Promise<boolean> => {
    clearTimeout(timer);
    keep();
    const mine = ++turn;
    const set = [...keys.settings, ...other.input.value.split("\n").map((line) => line.trim()).filter(Boolean)];
    const request = { method: method.input.value.trim(), set, seeds: seeds.input.value, games: games.input.value, threads: threads.input.value, out: out.input.value };
    try {
      const now = await call<Form>("form", request, { signal });
      // What was typed since is on its way.
      if (mine !== turn) return false;
      setQuery({ method: request.method });
      return show(now);
    } catch (error) {
      if (signal.aborted || mine !== turn) return false;
      go.disabled = true;
      put(wrong);
      const isRefused = error instanceof Refused;
      if (isRefused && error.status === 422) method.tell(error.message);
      else if (isRefused && error.status === 403 && out.input.value.trim() && error.message.includes(out.input.value.trim())) out.tell(error.message);
      else show_error(wrong, error);
      return false;
    }
  };
  const soon = (): void => {
    keep();
    clearTimeout(timer);
    timer = setTimeout(() => void check(), 250);
  };

  box.addEventListener("submit", (event) => {
    event.preventDefault();
    go.disabled = true;
    (async () => {
      if (!(await check())) {
        box.querySelector<HTMLElement>("[aria-invalid]")?.focus();
        return;
      }
      await start("learn", form?.learn ?? {});
      sessionStorage.removeItem(DRAFT);
      toast("Training has begun.");
      location.hash = link("runs");
    })().catch((error: unknown) => {
      go.disabled = false;
      show_error(wrong, error);
    });
  });
  for (const { input } of [method, ...options]) input.addEventListener("input", soon);
  call<{ results: Preset[] }>("presets", {}, { signal })
    .then((answer) => {
      presets = answer.results;
      put(methods, ...presets.map((preset) => h("option", { value: preset.name }, preset.summary)));
    })
    .catch((error: unknown) => signal.aborted || show_error(wrong, error))
    .finally(() => void (signal.aborted || check()));
  return () => {
    clearTimeout(timer);
    control.abort();
  };
}
