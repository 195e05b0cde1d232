/** How a text file is read: which column holds classes, which are left out, whether columns are standardized. */

import type { ReadOptions } from "../engine/sources.js";
import { button, h } from "./dom.js";

const MOST_HEADER = 20_000;

/** A form for the options of a file, which reads it again. */
export async function fileOptions(file: File, options: ReadOptions, read: (options: ReadOptions) => void): Promise<HTMLElement | undefined> {
  if (!/\.(csv|tsv|txt)$/i.test(file.name)) return undefined;
  const names = columns(await file.slice(0, MOST_HEADER).text());
  if (names.length < 2) return undefined;
  const pick = (chosen: string | undefined) => [h("option", { value: "" }, "none"), ...names.map((name) => h("option", { value: name, selected: name === chosen }, name))];
  const classes = h("select", { "aria-label": "column of classes" }, ...pick(options.label_column));
  const ignore = h("input", { type: "text", "aria-label": "columns to leave out", placeholder: "id, name", value: (options.ignore ?? []).join(", ") });
  const scale = h("input", { type: "checkbox", checked: options.standardize ?? false });
  const again = () => {
    const left = ignore.value.split(",").map((name) => name.trim()).filter(Boolean);
    read({
      ...(classes.value !== "" ? { label_column: classes.value } : {}),
      ...(left.length > 0 ? { ignore: left } : {}),
      ...(scale.checked ? { standardize: true } : {}),
    });
  };
  return h("div", { class: "group" },
    h("span", {}, file.name),
    h("label", { class: "row" }, h("span", {}, "classes"), classes),
    h("label", { class: "row" }, h("span", {}, "leave out"), ignore),
    h("label", { class: "check" }, scale, "standardize"),
    button("read again", `read ${file.name} again with these options`, again));
}

/** The columns of the first line: their names, or their numbers from 0 where the line holds numbers alone. */
export function columns(text: string): string[] {
  const line = text.replace(/^\uFEFF/, "").split(/\r?\n/, 1)[0] ?? "";
  const delimiter = ["\t", ";", ","].find((mark) => line.includes(mark)) ?? ",";
  const cells = line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  return cells.every((cell) => cell !== "" && Number.isFinite(Number(cell))) ? cells.map((_, i) => String(i)) : cells;
}
