// A performance profile: how a player does against opponents of every strength.

import { call } from "../api";
import { h, put, s } from "../dom";

interface Bin {
  low: number;
  high: number;
  opponents: number;
  double_games: number;
  mean: number | null;
  dropped: boolean;
  interval: [number, number] | null;
}

interface Answer {
  results: { name: string; bins: Bin[] }[];
}

/** The section; games are played when it is asked to. */
export function profile(player: string): { element: HTMLElement; close: () => void } {
  const control = new AbortController();
  const button = h("button", { type: "button" }, "Measure the profile");
  const out = h("div", { role: "status" });
  const element = h(
    "section",
    { class: "no-print", "aria-label": "Profile" },
    h("h2", {}, "Profile"),
    h("p", { class: "note no-print" }, "Double games against some twenty thousand random weighted piece counters of known strength."),
    h("div", { class: "row no-print" }, button),
    out,
  );
  button.addEventListener("click", () => {
    button.disabled = true;
    put(out, h("p", { class: "note" }, "Playing …"));
    call<Answer>("profile", { teams: [player] }, { signal: control.signal })
      .then(({ results }) => {
        const bins = (results[0]?.bins ?? []).filter((bin) => bin.mean !== null && !bin.dropped);
        put(out, bins.length ? chart(bins) : h("p", {}, "Too few games to show."));
        element.classList.remove("no-print");
      })
      .catch((error: unknown) => {
        if (!control.signal.aborted) put(out, h("p", { class: "error" }, error instanceof Error ? error.message : String(error)));
      })
      .finally(() => {
        button.disabled = false;
      });
  });
  return { element, close: () => control.abort() };
}

function chart(bins: Bin[]): HTMLElement {
  const [width, height, left, bottom] = [640, 320, 54, 46];
  const lows = bins.map((bin) => bin.low);
  const [from, to] = [Math.min(...lows), Math.max(...bins.map((bin) => bin.high))];
  const ends = bins.flatMap((bin) => bin.interval ?? [bin.mean ?? 0]);
  const floor = Math.max(0, Math.floor(10 * Math.min(...ends)) / 10);
  const x = (value: number) => left + ((width - left - 12) * (value - from)) / Math.max(1e-9, to - from);
  const y = (value: number) => height - bottom - ((height - bottom - 12) * (value - floor)) / Math.max(1e-9, 1 - floor);
  const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "scatter profile", role: "img", "aria-label": "Score against opponents of rising strength" });
  const percent = (value: number) => `${Math.round(100 * value)}%`;
  for (let tick = floor; tick <= 1.0001; tick += 0.1)
    drawing.append(s("line", { x1: left, x2: width - 12, y1: y(tick), y2: y(tick), class: "tick" }), s("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, percent(tick)));
  for (let tick = Math.ceil(10 * from) / 10; tick <= to; tick += 0.1)
    drawing.append(s("line", { x1: x(tick), x2: x(tick), y1: 12, y2: height - bottom, class: "tick" }), s("text", { x: x(tick), y: height - bottom + 18, "text-anchor": "middle" }, percent(tick)));
  drawing.append(s("text", { x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, "strength of the opponents (their score against random ones)"));
  const middle = (bin: Bin) => x((bin.low + bin.high) / 2);
  for (const bin of bins) {
    if (!bin.interval) continue;
    drawing.append(s("line", { x1: middle(bin), x2: middle(bin), y1: y(bin.interval[0]), y2: y(bin.interval[1]), class: "whisker" }));
  }
  drawing.append(s("path", { d: `M${bins.map((bin) => `${middle(bin).toFixed(1)} ${y(bin.mean ?? 0).toFixed(1)}`).join("L")}`, class: "curve" }));
  for (const bin of bins) {
    const words = `against ${percent(bin.low)} to ${percent(bin.high)}: ${(100 * (bin.mean ?? 0)).toFixed(1)}%, ${bin.double_games} double games`;
    drawing.append(s("circle", { cx: middle(bin), cy: y(bin.mean ?? 0), r: 3, class: "dot-point" }, s("title", {}, words)));
  }
  return h("figure", {}, h("div", { class: "box" }, drawing), h("figcaption", {}, "Share of the points in double games, with 95% intervals. Bins with too few games are left out."));
}
