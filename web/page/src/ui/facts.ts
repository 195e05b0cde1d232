/** Facts of a model as a list. */

import type { FactInfo } from "../protocol.js";
import { h, number } from "./dom.js";

const MOST_NUMBERS = 8;

/** A list of name and value; long lists of numbers are shortened. */
export function factList(facts: Record<string, unknown>, infos: readonly FactInfo[]): HTMLElement {
  const rows = Object.entries(facts).flatMap(([name, value]) => {
    const meaning = infos.find((info) => info.name === name)?.meaning ?? "";
    return [
      h("dt", { title: meaning }, name.replaceAll("_", " ")),
      h("dd", { title: meaning }, words(value)),
    ];
  });
  return h("dl", { class: "facts" }, ...rows);
}

/** A value of JSON for a reader; for records within lists only their number. */
export function words(value: unknown): string {
  if (Array.isArray(value) && value.some((part) => typeof part === "object" && part !== null)) {
    const flat = value.every(
      (part): part is unknown[] =>
        Array.isArray(part) && part.length <= 3 && part.every((cell) => typeof cell !== "object"),
    );
    return flat ? pairs(value) : `${value.length} records`;
  }
  if (typeof value === "number") return number(value);
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_NUMBERS).map(words).join(", ");
    return value.length > MOST_NUMBERS ? `${shown}, … (${value.length})` : shown;
  }
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, part]) => `${name.replaceAll("_", " ")}: ${words(part)}`)
      .join(", ");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A short list of tuples. */
function pairs(tuples: unknown[][]): string {
  const shown = tuples
    .slice(0, MOST_NUMBERS)
    .map((tuple) => `(${tuple.map(words).join(", ")})`)
    .join(" ");
  return tuples.length > MOST_NUMBERS ? `${shown} … (${tuples.length})` : shown;
}
