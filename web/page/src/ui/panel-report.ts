/** Scores, facts and spectrum under a panel. */

import type { EngineFailure } from "../engine/client.js";
import type { Fit, MeasureInfo, MethodInfo } from "../protocol.js";
import { BEST } from "../state/best.js";
import type { Texts } from "../state/settings.js";
import { curve, spectrum } from "./chart.js";
import { button, fill, h, number } from "./dom.js";
import { factList } from "./facts.js";
import type { Frame } from "./film.js";

export interface Score {
  info: MeasureInfo;
  value: number;
  /** Whether it is among the first shown. */
  main: boolean;
  /** Whether no other map of the page has a better value. */
  best: boolean;
}

/** The note on a map of one dimension. */
export const ONE_DIMENSION =
  "A map of one dimension, drawn to the right; heights keep points apart and mean nothing.";

/** How scores differ where measures look at some rows only. */
export function averaged(rows: number, n: number): string {
  return `Measures of ranks and neighborhoods are averages over ${rows.toLocaleString("en")} of ${n.toLocaleString("en")} points; those that need all points are left out.`;
}

/** The main scores in a row; the others follow when the row is opened, with the number of rows they average over. A name explains its measure. */
export function scoreList(
  scores: readonly Score[],
  over: string | undefined,
  open: boolean,
  explain: (info: MeasureInfo) => void,
): HTMLElement {
  const entry = ({ info, value, best }: Score) => {
    const name = info.name.replaceAll("_", " ");
    const range = `${info.low} to ${number(info.high)}, ${info.better} is better`;
    const marked = best ? `. Blue: ${BEST}` : "";
    const title = `${info.meaning} (${range})${marked}${over === undefined ? "" : `. ${over}`}`;
    const term = button(name, `explain ${name}`, () => explain(info), "term");
    term.title = `${title}. Click for the definition.`;
    return h("div", { class: best ? "best" : "", title }, h("dt", {}, term), h("dd", {}, number(value)));
  };
  const main = scores.filter((score) => score.main);
  const rest = scores.filter((score) => !score.main);
  return h(
    "div",
    {},
    h("dl", { class: "main" }, ...main.map(entry)),
    rest.length > 0 &&
      h(
        "details",
        { open },
        h("summary", { title: "the other scores of this map" }, `${rest.length} more`),
        h("dl", {}, ...rest.map(entry)),
        over !== undefined && h("p", { class: "soft" }, over),
      ),
  );
}

/** Blanks scores that belong to an earlier map, so that nothing moves; a word states that they are being measured. */
export function unscored(scores: HTMLElement, word: string | undefined): void {
  const [list, summary] = [scores.querySelector("dl"), scores.querySelector("summary")];
  if (!list || !summary) {
    fill(scores, word !== undefined && h("p", { class: "soft" }, word));
    return;
  }
  for (const value of scores.querySelectorAll("dd")) value.textContent = "…";
  for (const best of scores.querySelectorAll(".best")) best.classList.remove("best");
  if (word !== undefined) summary.textContent = word;
}

/** For a disconnected graph: the policies that embed it, each by a button. */
export function remedies(
  failure: EngineFailure,
  info: MethodInfo,
  set: Texts,
  everywhere: (name: string, text: string) => void,
): HTMLElement[] {
  const policy = info.parameters.find(({ name }) => name === "components");
  if (failure.kind !== "disconnected" || !policy) return [];
  const words = (policy.words ?? []).filter((word) => word !== (set[policy.name] ?? policy.default));
  return [
    h(
      "span",
      { class: "buttons" },
      ...words.map((word) =>
        button(word, `components: ${word}, in all panels`, () => everywhere(policy.name, word)),
      ),
    ),
  ];
}

/** The policies under a map of a disconnected graph, where one was chosen, which is marked. */
export function policies(
  info: MethodInfo,
  set: Texts,
  everywhere: (name: string, text: string) => void,
): HTMLElement | undefined {
  const policy = info.parameters.find(({ name }) => name === "components");
  const chosen = policy && set[policy.name];
  if (!policy || chosen === undefined || chosen === policy.default) return undefined;
  const choice = (word: string) => {
    const choose = button(word, `components: ${word}, in all panels`, () => everywhere(policy.name, word));
    choose.setAttribute("aria-pressed", String(word === chosen));
    return choose;
  };
  return h(
    "div",
    { class: "buttons policies", role: "group", "aria-label": "components" },
    ...(policy.words ?? []).map(choice),
  );
}

/** The spectrum, the objective over the iterations, and the facts. */
export function report(fit: Fit, info: MethodInfo, frames: readonly Frame[]): Node[] {
  const parts: Node[] = [];
  const values = [...fit.spectrum, ...fit.further];
  if (values.length > 1) {
    const used = Math.min(fit.columns, fit.spectrum.length);
    const beyond =
      values.length > used && h("p", { class: "soft" }, "Pale: eigenvalues that the map does not use.");
    parts.push(h("h2", {}, "Spectrum"), spectrum(values, used), ...(beyond ? [beyond] : []));
  }
  const objective = curve(
    frames.map((frame) => frame.objective),
    "objective",
  );
  if (objective) parts.push(h("h2", {}, "Iterations"), objective);
  if (Object.keys(fit.facts).length > 0) parts.push(h("h2", {}, "Facts"), factList(fit.facts, info.facts));
  if (fit.stages.length > 0) parts.push(h("p", { class: "soft" }, `Stages: ${fit.stages.join(" → ")}`));
  return parts;
}
