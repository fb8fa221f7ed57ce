// Which study is better, and is it certain? The tests of `outflank compare`.

import { call } from "../api";
import { h, put } from "../dom";
import { percent } from "../format";

interface Compared {
  probe: string;
  studies: { name: string; runs: number; mean: number; interval: [number, number] | null; median: number; least: number; most: number; group: string | null }[];
  pairs: { a: string; b: string; difference: number; p: number | null; holm: number | null; a12: number | null; effect: string | null; relation: string }[];
  notes: string[];
}

/** Shows the comparison of studies by a probe, if they can be compared. */
export function showComparison(root: HTMLElement, studies: string[], probe: string, signal: AbortSignal): void {
  call<{ results: Compared[] }>("compare", { studies, probe }, { signal })
    .then(({ results }) => {
      const found = results[0];
      if (!found) return put(root);
      const row = (name: string, ...cells: string[]) => h("tr", {}, h("th", { class: "name", scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell)));
      const head = (...names: string[]) => h("thead", {}, h("tr", {}, ...names.map((name, index) => h("th", { class: index ? null : "name" }, name))));
      const number = (value: number | null, digits = 3) => (value === null ? "" : value < 0.001 ? "< 0.001" : value.toFixed(digits));
      put(
        root,
        h("h2", {}, "Comparison"),
        h("div", { class: "box" }, h("table", {}, head("study", "runs", "mean", "95% interval", "median", "lowest", "highest", "group"), h("tbody", {}, ...found.studies.map((study) => row(study.name, String(study.runs), percent(study.mean), study.interval ? study.interval.map(percent).join(" to ") : "", percent(study.median), percent(study.least), percent(study.most), study.group ?? ""))))),
        h("div", { class: "box" }, h("table", {}, head("pair", "difference", "p", "Holm", "A12", "effect"), h("tbody", {}, ...found.pairs.map((pair) => row(`${pair.a} ${pair.relation} ${pair.b}`, percent(pair.difference), number(pair.p), number(pair.holm), number(pair.a12, 2), pair.effect ?? ""))))),
        h("p", { class: "note" }, "Welch's test, corrected by Holm's method; studies that share a letter do not differ significantly. ", found.notes.join(" ")),
      );
    })
    .catch((error: unknown) => {
      if (!signal.aborted) put(root, h("p", { class: "note" }, `No comparison yet: ${(error as Error).message}`));
    });
}
