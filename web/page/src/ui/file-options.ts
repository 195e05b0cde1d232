/** How a file is read: the role of each of its columns, missing values, encoding, standardization, and warnings. */

import type { ReadOptions } from "../engine/sources.js";
import type { FileWarning } from "../protocol.js";
import { type Column, called, ROLES, roleOf, withRole } from "../state/text-columns.js";
import { button, h } from "./dom.js";
import { type Repair, remedies, warned } from "./file-warnings.js";

/** What is done with missing values, as the command line has it. */
const MISSING = [
  ["refuse", "refuse the file"],
  ["drop", "leave out such rows"],
  ["mean", "the mean of the column"],
  ["median", "the median of the column"],
  ["zero", "0"],
] as const satisfies readonly (readonly [NonNullable<ReadOptions["missing"]>, string])[];

/** A file that was read, or could not be. */
export interface Opened {
  file: File;
  options: ReadOptions;
  columns: readonly Column[];
  /** Rows that were read. */
  rows: number;
  warnings: readonly FileWarning[];
  /** Why the file could not be read. */
  failure?: string;
}

/** A form for the options of a file, which reads it again, and what is suspicious in it. */
export function fileOptions(opened: Opened, read: (options: ReadOptions) => void): HTMLElement[] {
  const { file, columns } = opened;
  const repairs = (list: readonly Repair[]) =>
    list.map(({ text, title, options }) => button(text, title, () => read(options), "repair"));
  const warnings = opened.warnings.map((warning) => {
    const { sentence, repairs: offered } = warned(warning, opened);
    return h("li", {}, `${sentence} `, ...repairs(offered));
  });
  const remedied = opened.failure === undefined ? [] : remedies(opened.failure, opened);
  return [
    ...(warnings.length > 0
      ? [
          h(
            "ul",
            { class: "warnings", role: "status", "aria-label": `warnings about ${file.name}` },
            ...warnings,
          ),
        ]
      : []),
    ...(remedied.length > 0 ? [h("p", { class: "repairs" }, ...repairs(remedied))] : []),
    ...(columns.length >= 2 ? [form(opened, read)] : []),
    ...(columns.length >= 2 ? [roles(opened, read)] : []),
  ];
}

function form({ file, options }: Opened, read: (options: ReadOptions) => void): HTMLElement {
  const check = (name: "windows_1252" | "decimal_comma" | "standardize", text: string) => {
    const box = h("input", {
      type: "checkbox",
      checked: options[name] ?? false,
      onchange: () => {
        const { [name]: _, ...others } = options;
        read({ ...others, ...(box.checked ? { [name]: true } : {}) });
      },
    });
    return h("label", { class: "check" }, box, text);
  };
  const missing = h(
    "select",
    {
      "aria-label": "missing values",
      onchange: () => {
        const { missing: _, ...others } = options;
        const chosen = MISSING.find(([value]) => value === missing.value)?.[0] ?? "refuse";
        read({ ...others, ...(chosen === "refuse" ? {} : { missing: chosen }) });
      },
    },
    ...MISSING.map(([value, text]) =>
      h("option", { value, selected: value === (options.missing ?? "refuse") }, text),
    ),
  );
  const words = h("input", {
    type: "text",
    "aria-label": "also missing",
    title: "further words and numbers that stand for missing values",
    placeholder: "-999, unknown",
    value: (options.missing_values ?? []).join(", "),
    onchange: () => {
      const { missing_values: _, ...others } = options;
      const list = words.value
        .split(",")
        .map((word) => word.trim())
        .filter(Boolean);
      read({ ...others, ...(list.length > 0 ? { missing_values: list } : {}) });
    },
  });
  return h(
    "div",
    { class: "group" },
    h("b", {}, file.name),
    check("standardize", "standardize"),
    h("label", { class: "row" }, h("span", {}, "missing values"), missing),
    h("label", { class: "row" }, h("span", {}, "also missing"), words),
    check("decimal_comma", "decimal commas"),
    check("windows_1252", "text of Windows (windows-1252)"),
  );
}

/** The columns with what they hold and their roles, which can be changed. */
function roles({ columns, options, failure }: Opened, read: (options: ReadOptions) => void): HTMLElement {
  const row = (column: Column) => {
    const title = column.name === "" ? `column ${column.number}` : column.name;
    const role = roleOf(column, options);
    const select = h(
      "select",
      {
        "aria-label": `role of ${title}`,
        onchange: () => {
          const chosen = ROLES.find((role) => role === select.value);
          if (chosen) read(withRole(columns, options, column, chosen));
        },
      },
      ...ROLES.map((name) => h("option", { value: name, selected: name === role }, name)),
    );
    return h(
      "tr",
      { class: role.replace(" ", "-") },
      h("th", { scope: "row", title: `option of the command line: ${called(column)}` }, title),
      h("td", {}, column.kind + (column.gaps ? ", with gaps" : "")),
      h("td", { class: "soft" }, column.examples.join(", ")),
      h("td", {}, select),
    );
  };
  const counts = ROLES.map((role) => {
    const count = columns.filter((column) => roleOf(column, options) === role).length;
    return count > 0 && `${role} ${count}`;
  }).filter(Boolean);
  const heads = ["column", "holds", "first values", "role"].map((text) => h("th", { scope: "col" }, text));
  return h(
    "details",
    { class: "columns", open: failure !== undefined },
    h("summary", {}, `columns: ${counts.join(", ")}`),
    h(
      "div",
      { class: "scroll" },
      h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...columns.map(row))),
    ),
  );
}
