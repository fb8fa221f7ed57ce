// The keys of a method as rows of a form: each explained, with its value and what is wrong with it.

import { type Child, h, put } from "../dom";
import type { Field, Form, FormProblem } from "./types";

/** What was typed for a key: as it stands in the form, and as TOML. */
export interface Typed {
  text: string;
  value: string;
  /** Whether the program added it for a kind that needs it. */
  added?: boolean;
}

interface Row {
  element: HTMLElement;
  update: (field: Field, problem: FormProblem | undefined) => void;
}

export class Keys {
  readonly element = h("div", { class: "keys" });
  /** What was typed, key by key. Keys that the method does not have wait here for one that has. */
  readonly typed = new Map<string, Typed>();
  private rows = new Map<string, Row>();
  private form: Form | null = null;
  /** Which rows there are. They are made again only when this changes: a caret must stay. */
  private shape = "";

  constructor(
    private readonly filter: HTMLInputElement,
    private readonly changed: () => void,
  ) {
    filter.addEventListener("input", () => this.form && this.show(this.form));
  }

  /** The settings, `KEY=VALUE`; kinds come first, because a kind decides which keys there are. */
  get settings(): string[] {
    const rank = (key: string) => (key.endsWith(".kind") ? 0 : 100) + key.split(".").length;
    return [...this.typed].sort(([a], [b]) => rank(a) - rank(b)).map(([key, { value }]) => `${key}=${value}`);
  }

  show(form: Form): void {
    this.form = form;
    const groups = new Map<string, Field[]>();
    // The number of games has its own place in the form.
    for (const field of form.fields.filter(({ key }) => key !== "games")) {
      const group = field.key.includes(".") ? (field.key.split(".")[0] ?? "") : "run";
      groups.set(group, [...(groups.get(group) ?? []), field]);
    }
    const words = this.filter.value.trim().toLowerCase();
    const fits = (field: Field) => `${field.key} ${field.about}`.toLowerCase().includes(words);
    const shape = JSON.stringify([words, form.fields.map(({ key, holds, choices }) => [key, holds, choices.length])]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(groups, fits, words !== "");
    }
    for (const field of form.fields) this.rows.get(field.key)?.update(field, form.problems.find(({ key }) => key === field.key));
    for (const [group, fields] of groups) {
      const news = fields.filter(({ key }) => this.typed.has(key)).length;
      const head = this.element.querySelector(`details[data-group="${CSS.escape(group)}"] .about`);
      const kind = fields.find(({ key }) => key === `${group}.kind`)?.value ?? "";
      if (head) put(head, kind, " ", news > 0 && h("span", { class: "chip" }, `${news} changed`));
    }
    // A mistake must not hide in a closed group.
    for (const wrong of this.element.querySelectorAll("[aria-invalid]")) wrong.closest("details")?.setAttribute("open", "");
  }

  private build(groups: Map<string, Field[]>, fits: (field: Field) => boolean, isFiltered: boolean): void {
    const open = new Set([...this.element.querySelectorAll("details[open]")].map((group) => group.getAttribute("data-group")));
    const focused = document.activeElement;
    const focus = focused?.closest(".keys") ? focused.getAttribute("data-key") : null;
    this.rows = new Map();
    const sections = [...groups].map(([group, fields]) => {
      const shown = fields.filter(fits);
      const isOpen = isFiltered || open.has(group) || (open.size === 0 && group === "search");
      return shown.length
        ? h("details", { "data-group": group, open: isOpen }, h("summary", {}, h("strong", {}, group), " ", h("span", { class: "about" })), ...shown.map((field) => this.row(field)))
        : null;
    });
    put(this.element, ...sections, sections.every((section) => section === null) && h("p", { class: "note" }, "No key fits."));
    if (focus) this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  private row(field: Field): HTMLElement {
    const { key } = field;
    const id = `key-${key}`;
    const input = this.input(field, id);
    const about = h("p", { class: "note", id: `${id}-about` });
    const wrong = h("p", { class: "bad", id: `${id}-wrong`, hidden: true });
    const reset = h("button", { type: "button", hidden: true, "aria-label": `Reset ${key}`, onclick: () => this.forget(key) }, "Reset");
    const element = h("div", { class: "key" }, h("label", { for: id }, h("code", {}, key)), h("span", { class: "value" }, input, reset), about, wrong);
    const update = (now: Field, problem: FormProblem | undefined): void => {
      const typed = this.typed.get(key);
      this.fill(input, now, typed);
      element.classList.toggle("changed", typed !== undefined);
      reset.hidden = typed === undefined;
      const chosen = now.choices.find(({ name }) => name === now.value);
      put(about, now.about, chosen && ` ${chosen.about}`, now.off !== null && ` Off: ${now.off}.`);
      put(wrong, problem?.problem);
      wrong.hidden = problem === undefined;
      if (problem) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
      input.setAttribute("aria-describedby", problem ? wrong.id : about.id);
    };
    this.rows.set(key, { element, update });
    return element;
  }

  /** Shows a value, unless somebody is typing there. */
  private fill(input: HTMLInputElement | HTMLSelectElement, field: Field, typed: Typed | undefined): void {
    if (field.holds === "flag" && input instanceof HTMLInputElement) {
      input.checked = (typed?.text ?? field.value) === "true";
    } else if (field.holds === "table" && input instanceof HTMLInputElement) {
      input.checked = field.value !== null;
      input.disabled = field.value === null && typed === undefined;
    } else if (input !== document.activeElement || input instanceof HTMLSelectElement) {
      input.value = typed?.text ?? field.value ?? "";
    }
  }

  private input(field: Field, id: string): HTMLInputElement | HTMLSelectElement {
    const common = { id, "data-key": field.key };
    const set = (text: string, value: string): void => {
      this.typed.set(field.key, { text, value });
      this.changed();
    };
    switch (field.holds) {
      case "choice": {
        const options: Child[] = field.choices.map(({ name, about }) => h("option", { title: about }, name));
        const select = h("select", { ...common, onchange: () => set(select.value, JSON.stringify(select.value)) }, ...options);
        return select;
      }
      case "flag": {
        const box = h("input", { ...common, type: "checkbox", onchange: () => set(String(box.checked), String(box.checked)) });
        return box;
      }
      case "table": {
        const remove = (): void => {
          for (const key of [...this.typed.keys()]) if (key.startsWith(`${field.key}.`)) this.typed.delete(key);
          set("false", "false");
        };
        const box = h("input", { ...common, type: "checkbox", onchange: () => (box.checked ? this.forget(field.key) : remove()) });
        return box;
      }
      default: {
        const change = (): void => {
          const text = box.value.trim();
          // An empty place means the method's own value, except for texts, which may be empty.
          if (field.holds === "text") set(box.value, JSON.stringify(box.value));
          else if (text) set(box.value, text);
          else this.forget(field.key);
        };
        const box = h("input", { ...common, spellcheck: "false", autocomplete: "off", autocapitalize: "off", oninput: change, onblur: () => this.form && this.show(this.form) });
        return box;
      }
    }
  }

  private forget(key: string): void {
    this.typed.delete(key);
    this.changed();
  }
}
