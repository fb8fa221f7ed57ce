import { h, put } from "../dom";
import type { Route } from "../shell";

export function mount(root: HTMLElement, _route: Route): () => void {
  put(root, h("h1", {}, "play"));
  return () => {};
}
