// Two fingers zoom a chart and move it; one finger reads values, and scrolls the page up and down.

import type uPlot from "uplot";

/** Fingers that are closer than this, in pixels, say nothing of a size. */
const CLOSE = 16;

/** Listens to the fingers on a chart. `zoomTo` takes the places at its left and right edges. */
export function followFingers(plot: uPlot, isLog: boolean, zoomTo: (from: number, to: number) => void): void {
  const { over } = plot;
  const along = (place: number) => (isLog ? Math.log(place) : place);
  const back = (length: number) => (isLog ? Math.exp(length) : length);
  const fingers = new Map<number, number>();
  /** The lengths along the axis under the two fingers when the second came. They stay under them. */
  let held: [number, number] | null = null;
  const leftOf = (event: PointerEvent) => event.clientX - over.getBoundingClientRect().left;
  const lengthAt = (left: number) => along(plot.posToVal(left, "x"));

  over.style.touchAction = "pan-y";
  over.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, leftOf(event));
    const [a, b] = [...fingers.values()];
    held = a !== undefined && b !== undefined && fingers.size === 2 && Math.abs(a - b) >= CLOSE ? [lengthAt(a), lengthAt(b)] : null;
  });
  over.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, leftOf(event));
    const [a = 0, b = 0] = [...fingers.values()];
    if (fingers.size === 1) plot.setCursor({ left: a, top: event.clientY - over.getBoundingClientRect().top });
    if (!held || fingers.size !== 2 || Math.abs(a - b) < CLOSE) return;
    const scale = (held[1] - held[0]) / (b - a);
    // Fingers that crossed would turn the axis around.
    if (!(scale > 0)) return;
    const from = held[0] - a * scale;
    zoomTo(back(from), back(from + over.clientWidth * scale));
  });
  const leave = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    held = null;
  };
  over.addEventListener("pointerup", leave);
  over.addEventListener("pointercancel", leave);
  over.addEventListener("pointerleave", leave);
}
