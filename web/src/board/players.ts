// Who can play: a list to choose from, with how far a player looks ahead.

import { call } from "../api";
import { h } from "../dom";
import type { Opponents } from "./types";

export const YOU = "you";

/** Everybody who can play. */
export function opponents(signal?: AbortSignal): Promise<Opponents> {
  return call<Opponents>("opponents", {}, signal ? { signal } : {});
}

/** A player's name without its options, and the options. */
export function splitPlayer(player: string): [string, string] {
  const at = player.lastIndexOf("@");
  return at < 0 ? [player, ""] : [player.slice(0, at), player.slice(at + 1)];
}

/** The short name of a player, for a heading. */
export function shortName(player: string): string {
  if (player === YOU) return "you";
  const [name, options] = splitPlayer(player);
  const parts = name.split("/");
  const short = parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : name;
  return options ? `${short}@${options}` : short;
}

/** A list of players. What is not in it, but chosen, is added. */
export function playerSelect(all: Opponents, chosen: string, { you = false, id = "" } = {}): HTMLSelectElement {
  const select = h("select", { id: id || null });
  const option = (value: string, text = value, title = "") => h("option", { value, title: title || null }, text);
  if (you) select.append(option(YOU, "You"));
  select.append(
    h("optgroup", { label: "Named players" }, ...all.named.map(({ name, summary }) => option(name, name, summary))),
  );
  if (all.files.length)
    select.append(h("optgroup", { label: "Player files" }, ...all.files.map((file) => option(file))));
  for (const { label, folder, runs } of all.studies)
    if (runs.length)
      select.append(
        h("optgroup", { label: `${label} (${folder})` }, ...runs.map((run) => option(run, `champion of ${run}`))),
      );
  setPlayer(select, chosen);
  return select;
}

/** Chooses a player of a list. */
export function setPlayer(select: HTMLSelectElement, player: string): void {
  if (![...select.options].some((option) => option.value === player))
    select.append(h("option", { value: player }, player));
  select.value = player;
}

/** A seat at the board: who plays, and how far it looks ahead. */
export class Seat {
  readonly element: HTMLElement;
  private readonly who: HTMLSelectElement;
  private readonly ahead: HTMLSelectElement;

  constructor(all: Opponents, colour: "black" | "white", player: string, change: () => void) {
    const [name, options] = known(player);
    this.who = playerSelect(all, name, { you: true, id: `seat-${colour}` });
    const depths = ["", "depth=2", "depth=4", "depth=6", "depth=4,solve=12", "depth=8,solve=16"];
    const words: Record<string, string> = {
      "": "no search",
      "depth=4,solve=12": "4 moves ahead, last 12 exact",
      "depth=8,solve=16": "8 moves ahead, last 16 exact",
    };
    this.ahead = h(
      "select",
      { "aria-label": `How far ${colour} looks ahead` },
      ...depths.map((depth) => h("option", { value: depth }, words[depth] ?? `${depth.slice(6)} moves ahead`)),
    );
    setPlayer(this.ahead, options);
    const changed = () => {
      this.ahead.hidden = this.who.value === YOU;
      change();
    };
    this.who.addEventListener("change", changed);
    this.ahead.addEventListener("change", changed);
    this.ahead.hidden = this.who.value === YOU;
    const word = colour === "black" ? "Black" : "White";
    this.element = h(
      "div",
      { class: "seat" },
      h("span", { class: `disc small ${colour}`, "aria-hidden": "true" }),
      h("label", { for: `seat-${colour}` }, word),
      h("span", { class: "choices" }, this.who, this.ahead),
    );
  }

  get player(): string {
    const { value } = this.who;
    return value === YOU || !this.ahead.value ? value : `${value}@${this.ahead.value}`;
  }

  set player(player: string) {
    const [name, options] = known(player);
    setPlayer(this.who, name);
    setPlayer(this.ahead, options);
    this.ahead.hidden = name === YOU;
  }
}

/** Options that the list of depths can show; all others stay with the name. */
function known(player: string): [string, string] {
  const [name, options] = splitPlayer(player);
  return /^(depth=\d+)?,?(solve=\d+)?$/.test(options) ? [name, options] : [player, ""];
}
