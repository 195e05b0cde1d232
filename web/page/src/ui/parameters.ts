/** Controls for all parameters of a method, from their declared kinds and ranges. */

import type { MethodInfo, ParameterInfo, ParameterRange } from "../protocol.js";
import type { Texts } from "../state/settings.js";
import { button, h } from "./dom.js";
import { Slider } from "./slider.js";

/** Where a range has no upper end, the slider ends at this multiple of the default. */
const REACH = 10;

/**
 * A row per parameter, with the values in force; `usual` is the value of one that is not set, `change` receives the text
 * of a new value, and `again` makes the rows anew after one was set to its default.
 */
export function parameters(
  info: MethodInfo,
  ranges: readonly ParameterRange[],
  set: Texts,
  usual: (name: string) => string | undefined,
  change: (name: string, text: string) => void,
  again: () => void,
): HTMLElement {
  const differs = () => info.parameters.some(({ name }) => set[name] !== undefined);
  const reset = (names: readonly string[], at: HTMLElement) => {
    // Rows are made anew where none of their controls is in use.
    at.blur();
    for (const name of names) change(name, "");
    again();
  };
  const all = button(
    "defaults",
    `all parameters of ${info.title} to their defaults`,
    () => reset(Object.keys(set), all),
    "reset",
  );
  all.hidden = !differs();
  const rows = info.parameters.map((parameter) => {
    const range = ranges.find(({ name }) => name === parameter.name);
    const value = set[parameter.name] ?? range?.value ?? parameter.default;
    const otherwise = usual(parameter.name) ?? parameter.default;
    const back = button(
      "↺",
      `${parameter.name} to its default, ${otherwise}`,
      () => reset([parameter.name], back),
      "reset",
    );
    back.hidden = set[parameter.name] === undefined;
    const changed = (text: string) => {
      change(parameter.name, text);
      back.hidden = set[parameter.name] === undefined;
      all.hidden = !differs();
    };
    return h("div", { class: "parameter" }, control(parameter, range, value, otherwise, changed), back);
  });
  return h("div", { class: "parameters" }, ...rows, all);
}

/** The control of one parameter. */
export function control(
  parameter: ParameterInfo,
  range: ParameterRange | undefined,
  value: string,
  usual: string,
  change: (text: string) => void,
): HTMLElement {
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
    const [low, high] = ends(range, current, kind === "integer", Number(usual));
    const most = range?.high ?? Number.MAX_SAFE_INTEGER;
    return new Slider({
      label: name,
      title,
      low,
      high,
      most,
      whole: kind === "integer",
      value: current,
      change: (next) => change(String(next)),
    }).element;
  }
  const box = h("input", {
    type: "text",
    value,
    "aria-label": name,
    onchange: () => change(box.value.trim()),
  });
  box.placeholder = legal;
  return row(name, title, box);
}

function row(name: string, title: string, control: Node): HTMLElement {
  return h("label", { class: "row", title }, h("span", {}, name), control);
}

/** The ends of a slider: the ends of the range where they are near, else ends with the default well inside; they contain the value. */
export function ends(
  range: Pick<ParameterRange, "low" | "high" | "low_open" | "high_open"> | undefined,
  value: number,
  whole: boolean,
  usual: number,
): [number, number] {
  const size = Math.max(Math.abs(Number.isFinite(usual) && usual !== 0 ? usual : value), whole ? 5 : 1e-9);
  let low = range?.low ?? (value < 0 ? -REACH * size : whole ? 0 : size / 1000);
  let high = range?.high ?? Math.max(REACH * size, low + size);
  if (range?.low_open) low += whole ? 1 : Math.min(size / 1000, (high - low) / 1000);
  if (range?.high_open && range.high !== null) high -= whole ? 1 : (high - low) / 1000;
  return [Math.min(low, value), Math.max(high, value)];
}
