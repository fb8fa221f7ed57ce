// A form for new training, made from the schema of methods: every key explained and checked.

import { Refused, call, start } from "../api";
import { type Child, h, put, show_error, toast } from "../dom";
import { count, parseSeeds } from "../format";
import { type Route, link, setQuery } from "../shell";
import type { Field, Form } from "./types";

interface Preset {
  name: string;
  summary: string;
  paper: string;
}

export function mountNew(root: HTMLElement, route: Route): () => void {
  const control = new AbortController();
  const { signal } = control;
  /** What was changed, key by key, as TOML. */
  const changed = new Map<string, string>();
  let form: Form | null = null;
  let presets: Preset[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const method = h("input", { list: "methods", value: route.query.get("method") ?? "ctdl-hof", "aria-label": "Method", class: "grow", spellcheck: "false" });
  const methods = h("datalist", { id: "methods" });
  const summary = h("p", { class: "note" });
  const seeds = h("input", { value: "1..3", size: 10, inputmode: "text" });
  const games = h("input", { type: "number", min: 1, placeholder: "the method's own", size: 14 });
  const threads = h("input", { type: "number", min: 1, max: 4096, placeholder: "all cores", size: 9 });
  const out = h("input", { placeholder: "runs/…", class: "grow" });
  const filter = h("input", { type: "search", placeholder: "Find a key", "aria-label": "Find a key" });
  const keys = h("div", { class: "keys" });
  const other = h("textarea", { rows: 2, class: "grow", placeholder: "opponents.random-wpc={ number = 10 }", spellcheck: "false" });
  const wrong = h("div", { "aria-live": "polite" });
  const command = h("pre", { class: "command" });
  const go = h("button", { type: "submit", class: "main" }, "Start");
  const box = h(
    "form",
    {},
    h("div", { class: "row" }, h("label", { class: "grow" }, "Method", method), methods),
    summary,
    h("div", { class: "row" }, h("label", {}, "Seeds", seeds), h("label", {}, "Games a run", games), h("label", {}, "Threads", threads)),
    h("div", { class: "row" }, h("label", { class: "grow" }, "Folder", out)),
    h("div", { class: "row" }, h("h2", { class: "grow" }, "Keys of the method"), filter),
    keys,
    h("details", {}, h("summary", {}, "Other settings"), h("p", { class: "note" }, "One KEY=VALUE a line, as for --set; a whole table adds a source of opponents."), other),
    wrong,
    h("h2", {}, "The same in a shell"),
    command,
    h("div", { class: "row" }, go, h("a", { class: "button", href: link("runs") }, "Back")),
  );
  put(root, h("h1", {}, "Start training"), box);

  const set = (): string[] => [
    ...[...changed].map(([key, value]) => `${key}=${value}`),
    ...other.value.split("\n").map((line) => line.trim()).filter(Boolean),
  ];

  const quote = (word: string): string => (/^[\w./=:@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const showCommand = (): void => {
    const words = ["outflank", "learn", method.value, ...set().flatMap((text) => ["--set", text]), "--seeds", seeds.value];
    if (games.value) words.push("--games", games.value);
    if (threads.value) words.push("--threads", threads.value);
    if (out.value) words.push("--out", out.value);
    command.textContent = words.map(quote).join(" ");
    out.placeholder = games.value ? "runs/…" : (form?.out ?? "runs/…");
  };

  const check = async (): Promise<void> => {
    const name = method.value.trim();
    try {
      parseSeeds(seeds.value);
      const keys = set();
      if (games.value) keys.push(`games=${games.value}`);
      form = await call<Form>("form", { method: name, set: keys }, { signal });
      const preset = presets.find((preset) => preset.name === name);
      summary.textContent = [form.summary, preset?.paper ?? form.paper, `${count(form.games)} games a run`].filter(Boolean).join(" · ");
      put(wrong);
      go.disabled = false;
      showKeys();
      setQuery({ method: name });
    } catch (error) {
      if (signal.aborted) return;
      go.disabled = true;
      show_error(wrong, error);
      if (!(error instanceof Refused) || error.status === 422) markWrong(error as Error);
    }
    showCommand();
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), 250);
  };

  /** Marks the key that a message names. */
  const markWrong = (error: Error): void => {
    for (const input of keys.querySelectorAll("[data-key]"))
      input.toggleAttribute("aria-invalid", error.message.includes(input.getAttribute("data-key") ?? " "));
  };

  const showKeys = (): void => {
    if (!form) return;
    const groups = new Map<string, Field[]>();
    for (const field of form.fields) {
      const group = field.key.includes(".") ? (field.key.split(".")[0] ?? "") : "run";
      groups.set(group, [...(groups.get(group) ?? []), field]);
    }
    const open = new Set([...keys.querySelectorAll("details[open]")].map((group) => group.getAttribute("data-group")));
    const focus = document.activeElement?.getAttribute("data-key");
    const words = filter.value.toLowerCase();
    const sections = [...groups].map(([group, fields]) => {
      const shown = fields.filter((field) => `${field.key} ${field.about}`.toLowerCase().includes(words));
      const news = fields.filter((field) => changed.has(field.key)).length;
      const section = h(
        "details",
        { "data-group": group, open: open.has(group) || words !== "" || (open.size === 0 && group === "search") },
        h("summary", {}, h("strong", {}, group), ` ${kind(fields)}`, news > 0 && h("span", { class: "chip" }, `${news} changed`)),
        ...shown.map(line),
      );
      return shown.length ? section : null;
    });
    put(keys, ...sections);
    if (focus) keys.querySelector<HTMLElement>(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  };

  const kind = (fields: Field[]): string => fields.find((field) => /^[^.]+\.kind$/.test(field.key))?.value ?? "";

  const line = (field: Field): HTMLElement => {
    const id = `key-${field.key}`;
    const chosen = field.choices.find((choice) => choice.name === field.value);
    return h(
      "div",
      { class: changed.has(field.key) ? "key changed" : "key" },
      h("label", { for: id }, h("code", {}, field.key)),
      input(field, id),
      h("p", { class: "note" }, field.about, chosen && ` ${chosen.about}`, field.off !== null && ` Off: ${field.off}.`),
    );
  };

  const change = (field: Field, text: string): void => {
    // Another kind has other keys.
    if (field.key.endsWith(".kind"))
      for (const key of [...changed.keys()]) if (key.startsWith(field.key.slice(0, -4))) changed.delete(key);
    changed.set(field.key, text);
    soon();
  };

  const input = (field: Field, id: string): Child => {
    const common = { id, "data-key": field.key };
    switch (field.holds) {
      case "choice": {
        const select = h("select", { ...common, onchange: () => change(field, JSON.stringify(select.value)) }, ...field.choices.map((choice) => h("option", { title: choice.about }, choice.name)));
        select.value = field.value ?? "";
        return select;
      }
      case "flag": {
        const box = h("input", { ...common, type: "checkbox", onchange: () => change(field, String(box.checked)) });
        box.checked = field.value === "true";
        return box;
      }
      case "table": {
        const box = h("input", { ...common, type: "checkbox", disabled: field.value === null, onchange: () => change(field, "false") });
        box.checked = field.value !== null;
        return box;
      }
      default: {
        const isNumber = field.holds === "whole" || field.holds === "number";
        const box = h("input", {
          ...common,
          inputmode: isNumber ? "decimal" : "text",
          spellcheck: "false",
          value: changed.has(field.key) && field.holds !== "text" ? (changed.get(field.key) ?? "") : (field.value ?? ""),
          oninput: () => change(field, field.holds === "text" ? JSON.stringify(box.value) : box.value.trim() || '""'),
        });
        return box;
      }
    }
  };

  box.addEventListener("submit", (event) => {
    event.preventDefault();
    go.disabled = true;
    const request: Record<string, unknown> = { method: method.value.trim(), set: set() };
    (async () => {
      request["seeds"] = parseSeeds(seeds.value);
      if (games.value) request["games"] = Number(games.value);
      if (threads.value) request["threads"] = Number(threads.value);
      if (out.value.trim()) request["out"] = out.value.trim();
      await start("learn", request);
      toast("Training has begun.");
      location.hash = link("runs");
    })().catch((error: unknown) => {
      go.disabled = false;
      show_error(wrong, error);
    });
  });
  method.addEventListener("input", () => {
    changed.clear();
    soon();
  });
  for (const field of [seeds, games, threads, out, other]) field.addEventListener("input", soon);
  filter.addEventListener("input", showKeys);
  call<{ results: Preset[] }>("presets", {}, { signal })
    .then((answer) => {
      presets = answer.results;
      put(methods, ...presets.map((preset) => h("option", { value: preset.name }, preset.summary)));
      void check();
    })
    .catch((error: unknown) => signal.aborted || show_error(wrong, error));
  return () => {
    clearTimeout(timer);
    control.abort();
  };
}
