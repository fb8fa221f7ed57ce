// Elements without HTML: text is always text.

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
}

function add(element: Element, children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

/** An HTML element: `h("a", { href, onclick }, "text", other)`. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** An SVG element. */
export function s<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

/** Replaces what is in an element. */
export function put(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  add(element, children);
}

/** Shows an error where the page would be. */
export function show_error(root: Element, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  put(root, h("div", { class: "error", role: "alert" }, h("strong", {}, "That did not work. "), message));
}

/** Says something for a few seconds. */
export function toast(message: string, kind: "note" | "error" = "note"): void {
  const place = document.getElementById("toasts");
  const item = h("p", { class: kind }, message);
  place?.append(item);
  while (place && place.children.length > 4) place.firstElementChild?.remove();
  setTimeout(() => item.remove(), kind === "error" ? 12_000 : 5_000);
}

/** Gives the browser a file. */
export function download(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const anchor = h("a", { href: url, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
