// A network as a drawing: the board on the left, hidden nodes by depth, the output on the right.

import type { Portrait } from "../board/types";
import { squareName } from "../board/types";
import { h, s } from "../dom";

const [WIDTH, HEIGHT, CELL] = [900, 470, 44];
const MOST_LINKS = 300;

/** Draws it. A node that is looked at fades what it is not connected to. */
export function topology(portrait: Portrait): HTMLElement {
  const places = new Map<string, { x: number; y: number }>();
  const drawing = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: portrait.links.length > 150 ? "topology dense" : "topology", role: "group", "aria-label": `The network of ${portrait.player}` });
  const links = portrait.links.slice(0, MOST_LINKS);
  const used = new Set(links.map((link) => link.from));
  const [left, top] = [20, 30];
  for (let index = 0; index < 64; index++) {
    const name = squareName(index);
    const [x, y] = [left + (index % 8) * CELL, top + Math.floor(index / 8) * CELL];
    places.set(name, { x: x + CELL / 2, y: y + CELL / 2 });
    drawing.append(s("rect", { x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4, class: used.has(name) ? "input used" : "input" }, s("title", {}, name)));
  }
  if (used.has("one")) {
    places.set("one", { x: left + 4 * CELL, y: top + 8.7 * CELL });
  }
  const hidden = portrait.nodes.filter((node) => node.depth > 0);
  const deepest = Math.max(1, ...hidden.map((node) => node.depth));
  const [first, last] = [left + 8 * CELL + 90, WIDTH - 110];
  for (let depth = 1; depth <= deepest; depth++) {
    const column = hidden.filter((node) => node.depth === depth);
    const x = deepest === 1 ? (first + last) / 2 : first + ((last - first) * (depth - 1)) / (deepest - 1);
    column.forEach((node, index) => places.set(node.name, { x, y: top + ((HEIGHT - 2 * top) * (index + 0.5)) / column.length }));
  }
  places.set("out", { x: WIDTH - 40, y: HEIGHT / 2 });
  const most = Math.max(...links.map((link) => Math.abs(link.weight)), 1e-9);
  const lines = [...links].reverse().flatMap((link) => {
    const [from, to] = [places.get(link.from), places.get(link.to)];
    if (!from || !to) return [];
    // Lines of one row of the board would lie on each other if they were curves.
    const middle = (from.x + to.x) / 2;
    const isInput = link.from.length === 2 && /^[a-h][1-8]$/.test(link.from);
    const line = isInput ? `L${to.x} ${to.y}` : `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
    const path = s("path", { d: `M${from.x} ${from.y}${line}`, class: `link ${link.weight < 0 ? "minus" : "plus"}`, "stroke-width": (0.4 + 4 * Math.sqrt(Math.abs(link.weight) / most)).toFixed(2) }, s("title", {}, `${link.from} → ${link.to}: ${link.weight}`));
    return [{ link, path }];
  });
  drawing.append(...lines.map(({ path }) => path));
  const show = (name: string | null) => {
    for (const { link, path } of lines) path.classList.toggle("faded", name !== null && link.from !== name && link.to !== name);
  };
  const size = Math.max(3, Math.min(13, (HEIGHT - 2 * top) / (2.4 * Math.max(...[1, ...Array.from({ length: deepest }, (_, depth) => hidden.filter((node) => node.depth === depth + 1).length)]))));
  for (const name of [...hidden.map((node) => node.name), "out", ...(used.has("one") ? ["one"] : [])]) {
    const place = places.get(name);
    if (!place) continue;
    const node = portrait.nodes.find((one) => one.name === name);
    const curve = name === "out" ? portrait.output : node?.curve;
    const group = s("g", { class: "unit-group", tabindex: 0, role: "button", "aria-label": `node ${name}${curve ? `, ${curve}` : ""}` }, s("circle", { cx: place.x, cy: place.y, r: name === "out" ? 15 : size, class: "unit" }, s("title", {}, `${name}${curve ? ` (${curve})` : ""}`)));
    if (size > 7 || name === "out" || name === "one") group.append(s("text", { x: place.x, y: place.y + 4 }, name));
    for (const event of ["pointerenter", "focus"]) group.addEventListener(event, () => show(name));
    for (const event of ["pointerleave", "blur"]) group.addEventListener(event, () => show(null));
    drawing.append(group);
  }
  const all = portrait.connections ?? 0;
  const shown = lines.length < all ? ` The ${lines.length.toLocaleString("en")} strongest of ${all.toLocaleString("en")} connections.` : "";
  return h("figure", {}, h("div", { class: "box" }, drawing), h("figcaption", {}, `Green lines: weights above 0; purple, dashed: below; wider: further from 0.${shown} Point at a node to see its connections.`));
}
