/** Controls for all parameters of a method, from their declared kinds and ranges. */

import type { MethodInfo, ParameterInfo, ParameterRange } from "../protocol.js";
import type { Texts } from "../state/settings.js";
import { h } from "./dom.js";
import { Slider } from "./slider.js";

/** Where a range has no upper end, the slider ends at this multiple of the value. */
const REACH = 10;

/** A row per parameter, with the values in force; `change` receives the text of a new value. */
export function parameters(
  info: MethodInfo,
  ranges: readonly ParameterRange[],
  set: Texts,
  change: (name: string, text: string) => void,
): HTMLElement {
  const rows = info.parameters.map((parameter) => {
    const range = ranges.find(({ name }) => name === parameter.name);
    const value = set[parameter.name] ?? range?.value ?? parameter.default;
    return control(parameter, range, value, (text) => change(parameter.name, text));
  });
  return h("div", { class: "parameters" }, ...rows);
}

function control(parameter: ParameterInfo, range: ParameterRange | undefined, value: string, change: (text: string) => void): HTMLElement {
  const { name, about, kind, legal } = parameter;
  const title = `${about} (${legal})`;
  if (kind === "flag" || kind === "words") {
    const words = kind === "flag" ? ["true", "false"] : (parameter.words ?? []);
    const select = h("select", { "aria-label": name, onchange: () => change(select.value) });
    select.append(...words.map((word) => h("option", { value: word, selected: word === value }, word)));
    return row(name, title, select);
  }
  const current = Number(value);
  if ((kind === "integer" || kind === "real") && value.trim() !== "" && Number.isFinite(current)) {
    const [low, high] = ends(range, current, kind === "integer");
    const most = range?.high ?? Number.MAX_SAFE_INTEGER;
    return new Slider({ label: name, title, low, high, most, whole: kind === "integer", value: current, change: (next) => change(String(next)) }).element;
  }
  const box = h("input", { type: "text", value, "aria-label": name, onchange: () => change(box.value.trim()) });
  box.placeholder = legal;
  return row(name, title, box);
}

function row(name: string, title: string, control: Node): HTMLElement {
  return h("label", { class: "row", title }, h("span", {}, name), control);
}

/** The ends of a slider: those of the range where they are near, else such that the value lies well inside. */
export function ends(range: Pick<ParameterRange, "low" | "high" | "low_open" | "high_open"> | undefined, value: number, whole: boolean): [number, number] {
  const size = Math.max(Math.abs(value), whole ? 5 : 1e-9);
  let low = range?.low ?? (value < 0 ? -REACH * size : whole ? 0 : size / 1000);
  let high = range?.high ?? Math.max(REACH * size, low + size);
  if (range?.low_open) low += whole ? 1 : Math.min(size / 1000, (high - low) / 1000);
  if (range?.high_open && range.high !== null) high -= whole ? 1 : (high - low) / 1000;
  return [Math.min(low, value), Math.max(high, value)];
}
