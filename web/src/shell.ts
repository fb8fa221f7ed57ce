// The frame of all pages: addresses, the bar at the top, and which page is shown.

import { takeToken } from "./api";
import { h, put, show_error } from "./dom";

/** What the address names: `#/player/runs/rsel/1?at=5000`. */
export interface Route {
  page: string;
  /** What follows the page, decoded. */
  rest: string;
  query: URLSearchParams;
}

type Mount = (root: HTMLElement, route: Route) => () => void;

/** The pages, and what the bar calls them; those without a name are reached by links. */
const PAGES: Record<string, { name: string; load: () => Promise<{ mount: Mount }> }> = {
  runs: { name: "Runs", load: () => import("./runs/index") },
  curves: { name: "Curves", load: () => import("./curves/index") },
  play: { name: "Play", load: () => import("./play/index") },
  player: { name: "Player", load: () => import("./player/index") },
  front: { name: "", load: () => import("./front/index") },
  papers: { name: "Papers", load: () => import("./papers/index") },
};

/** The address of a page. */
export function link(page: string, rest = "", query: URLSearchParams | Record<string, string> = {}): string {
  const path = rest.split("/").map(encodeURIComponent).join("/");
  const text = new URLSearchParams(query).toString();
  return `#/${page}${rest && "/"}${path}${text && "?"}${text}`;
}

/** Changes the query of the address without mounting the page again. */
export function setQuery(query: URLSearchParams | Record<string, string>): void {
  const route = current();
  history.replaceState(null, "", link(route.page, route.rest, query));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function current(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [page = "", ...rest] = path.split("/");
  return { page: page || "runs", rest: rest.map(decode).join("/"), query: new URLSearchParams(query) };
}

let unmount = () => {};
let turn = 0;

async function show(): Promise<void> {
  const mine = ++turn;
  const route = current();
  const root = document.getElementById("main");
  if (!root) return;
  const page = PAGES[route.page];
  for (const anchor of document.querySelectorAll("#nav a"))
    if (anchor.getAttribute("data-page") === route.page) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  unmount();
  unmount = () => {};
  document.title = page?.name ? `${page.name} · Outflank` : "Outflank";
  root.className = `page-${page ? route.page : "none"}`;
  put(root);
  try {
    if (!page) throw new Error(`There is no page called "${route.page}".`);
    const { mount } = await page.load();
    // Another page may have been opened meanwhile.
    if (mine === turn) unmount = mount(root, route);
  } catch (error) {
    if (mine === turn) show_error(root, error);
  }
}

takeToken();
const nav = document.getElementById("nav");
if (nav)
  put(
    nav,
    ...Object.entries(PAGES).map(([page, { name }]) => name && h("a", { href: link(page), "data-page": page }, name)),
  );
// Addresses with # are pages, so the link to the page itself is followed by hand.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main")?.focus();
});
window.addEventListener("hashchange", () => {
  takeToken();
  void show();
});
void show();
