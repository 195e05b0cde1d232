/** How a text file is read: which columns hold classes, numbers to color by and names, which are left out, whether columns are standardized. */

import type { ReadOptions } from "../engine/sources.js";
import { button, h } from "./dom.js";

const MOST_HEADER = 20_000;

/** Rows from which on words that all differ are names: of fewer they may be classes. */
const FEWEST_NAMES = 10;

/** A form for the options of a file, which reads it again. */
export async function fileOptions(
  file: File,
  options: ReadOptions,
  read: (options: ReadOptions) => void,
): Promise<HTMLElement | undefined> {
  if (!TEXT.test(file.name)) return undefined;
  const names = columns(await start(file, options.windows_1252));
  if (names.length < 2) return undefined;
  // Commas separate the columns of an option of the command line.
  const values = names.map((name, i) => (name.includes(",") ? String(i) : name));
  const option = (name: string, i: number, chosen: string | undefined) =>
    h("option", { value: values[i]!, selected: values[i] === chosen }, name);
  const pick = (chosen: string | undefined) => [
    h("option", { value: "" }, "none"),
    ...names.map((name, i) => name !== "" && option(name, i, chosen)),
  ];
  const classes = h("select", { "aria-label": "column of classes" }, ...pick(options.label_column));
  const color = h("select", { "aria-label": "column to color by" }, ...pick(options.color_columns?.[0]));
  const name = h("select", { "aria-label": "column of names" }, ...pick(options.name_column));
  const ignore = h("input", {
    type: "text",
    "aria-label": "columns to leave out",
    placeholder: "id, date",
    value: (options.ignore ?? []).join(", "),
  });
  const windows = h("input", { type: "checkbox", checked: options.windows_1252 ?? false });
  const comma = h("input", { type: "checkbox", checked: options.decimal_comma ?? false });
  const scale = h("input", { type: "checkbox", checked: options.standardize ?? false });
  const again = () => {
    const left = ignore.value
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    read({
      ...(classes.value !== "" ? { label_column: classes.value } : {}),
      ...(color.value !== "" ? { color_columns: [color.value] } : {}),
      ...(name.value !== "" ? { name_column: name.value } : {}),
      ...(left.length > 0 ? { ignore: left } : {}),
      ...(windows.checked ? { windows_1252: true } : {}),
      ...(comma.checked ? { decimal_comma: true } : {}),
      ...(scale.checked ? { standardize: true } : {}),
    });
  };
  return h(
    "div",
    { class: "group" },
    h("span", {}, file.name),
    h("label", { class: "row" }, h("span", {}, "classes"), classes),
    h("label", { class: "row" }, h("span", {}, "color by"), color),
    h("label", { class: "row" }, h("span", {}, "names"), name),
    h("label", { class: "row" }, h("span", {}, "leave out"), ignore),
    h("label", { class: "check" }, windows, "text of Windows (windows-1252)"),
    h("label", { class: "check" }, comma, "decimal commas"),
    h("label", { class: "check" }, scale, "standardize"),
    button("read again", `read ${file.name} again with these options`, again),
  );
}

/** The columns of the first line: their names, or their numbers from 0 where it holds a number, as the engine reads it. */
export function columns(text: string): string[] {
  const { header, width } = table(text);
  return header ?? Array.from({ length: width }, (_, i) => String(i));
}

/** Whether numbers of a text have decimal commas, decided by the first number with a comma or a point. */
export function decimalCommas(text: string): Pick<ReadOptions, "decimal_comma"> {
  const { rows, delimiter } = table(text);
  const found = rows.flat().find((cell) => number(cell) && /[.,]/.test(cell));
  return delimiter !== "," && found?.includes(",") ? { decimal_comma: true } : {};
}

/** The columns of words of a text file: one whose words all differ has names, the only other one classes. */
export function wordColumns(text: string): Pick<ReadOptions, "label_column" | "name_column"> {
  const [names, { rows }] = [columns(text), table(text)];
  const words = names
    .map((_, i) => i)
    .filter(
      (i) => names[i] !== "" && rows.some((row) => !number(row[i] ?? "") && !MISSING.test(row[i] ?? "")),
    );
  if (words.length === names.filter(Boolean).length) return {};
  const differ = (i: number) =>
    rows.length >= FEWEST_NAMES && new Set(rows.map((row) => row[i])).size === rows.length;
  const [named, classed] = [words.filter(differ), words.filter((i) => !differ(i))];
  return {
    ...(classed.length === 1 ? { label_column: names[classed[0]!]! } : {}),
    ...(named.length === 1 ? { name_column: names[named[0]!]! } : {}),
  };
}

/** The options with which a file is read at first. */
export async function suggested(file: File): Promise<ReadOptions> {
  if (!TEXT.test(file.name)) return {};
  const windows = await isWindows(file);
  const text = await start(file, windows);
  // The last line may be cut.
  const whole = file.size > MOST_HEADER ? text.slice(0, text.lastIndexOf("\n")) : text;
  return { ...wordColumns(whole), ...(windows ? { windows_1252: true } : {}), ...decimalCommas(whole) };
}

/** Whether the start of a text file without a byte-order mark of UTF-16 is not valid UTF-8. */
async function isWindows(file: File): Promise<boolean> {
  const bytes = await startBytes(file);
  if (encoding(bytes, false) !== "utf-8" || bytes.includes(0)) return false;
  try {
    // The last character may be cut.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/** The start of a file as text. */
async function start(file: File, windows = false): Promise<string> {
  const bytes = await startBytes(file);
  return new TextDecoder(encoding(bytes, windows)).decode(bytes);
}

async function startBytes(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, MOST_HEADER).arrayBuffer());
}

/** The encoding by the byte-order mark, else UTF-8 or windows-1252. */
function encoding(bytes: Uint8Array, windows: boolean): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  return mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : windows ? "windows-1252" : "utf-8";
}

const TEXT = /\.(csv|tsv|txt)$/i;

/** Words for a missing value, as the engine has them. */
const MISSING = /^(|na|n\/a|nan|null|none|\?|\.)$/i;

/** Whether a cell is a number, also one with a decimal comma. */
function number(cell: string): boolean {
  return cell !== "" && (Number.isFinite(Number(cell)) || /^[-+]?[\d.]*\d,\d+$/.test(cell));
}

/** The rows of a text; the first is a header if it has no numbers. */
function table(text: string): {
  header: string[] | undefined;
  width: number;
  rows: string[][];
  delimiter: string;
} {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n|\r/)
    .filter((line) => line !== "");
  const delimiter = ["\t", ";", ","].find((mark) => lines[0]?.includes(mark)) ?? ",";
  const all = lines.map((line) => cells(line, delimiter));
  const first = all[0] ?? [""];
  const second = all[1]?.length ?? 0;
  // R writes no name above the names of rows.
  const header = first.some(number) ? undefined : second === first.length + 1 ? ["", ...first] : first;
  return { header, width: header?.length ?? first.length, rows: header ? all.slice(1) : all, delimiter };
}

/** The cells of a line; a delimiter within quotation marks is text. */
function cells(line: string, delimiter: string): string[] {
  const parts: string[] = [];
  for (const part of line.split(delimiter)) {
    const open = parts.at(-1);
    if (open !== undefined && (open.split('"').length - 1) % 2 === 1)
      parts[parts.length - 1] = open + delimiter + part;
    else parts.push(part);
  }
  return parts.map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .replaceAll('""', '"'),
  );
}

/** A message of the engine about reading a file, with the form's words instead of the command line's. */
export function inPage(message: string): string {
  const column = "([\\p{L}\\p{N}_.-]+?)";
  const pattern = (source: string) => new RegExp(source, "gu");
  // A command line has the number of a column whose name is more than a word; the form has its name.
  const [, place, name] = /column (\d+) `([^`]+)`/.exec(message) ?? [];
  const choose = (text: string) =>
    `choose “${name !== undefined && text === place ? name : text}” as “classes”`;
  return message
    .replace(
      pattern(
        `a column of classes is named by --label-column ${column}, one of names by --name-column ${column}, another that is no coordinate left out by --ignore ${column}(?=, and|; (?:the|\\d+) other column|; words|$)`,
      ),
      (_, text: string) =>
        `${choose(text)} if it holds the class of each row, as “names” if it names the rows; else write it into “leave out”`,
    )
    .replace(
      pattern(
        `classes are named by --label-column ${column}; if this one stands for a missing value, say so \\(--missing-values\\)`,
      ),
      (_, text: string) =>
        `${choose(text)} if it holds classes; if this one stands for a missing value, make such cells empty`,
    )
    .replace(
      pattern(
        `it is left out by --ignore ${column}, colors maps by --color-column .*? and is a coordinate in days by --dates-as-days(?: --date-order [a-z-]+)?`,
      ),
      "write “$1” into “leave out”",
    )
    .replace(
      pattern(
        `leave out a column of identifiers \\(--ignore ${column}\\), or read it as classes \\(--label-column ${column}\\) or as names \\(--name-column ${column}\\)`,
      ),
      "write a column of identifiers, “$1”, into “leave out”, or choose it as “classes” or “names”",
    )
    .replaceAll("; words as coordinates: --categories indicators", "")
    .replaceAll("leave out by --ignore what", "write into “leave out” what")
    .replaceAll("say --skip-rows 1", "delete the first line of the file")
    .replace(pattern("say --skip-rows (\\d+)"), "delete the first $1 lines of the file")
    .replace(pattern("say --header-rows \\d+"), "keep only the names")
    .replaceAll("say --transpose", "exchange rows and columns of the file")
    .replace(pattern("(; the other columns? of words): --ignore ([^\\s;]+)"), "$1: “leave out” $2")
    .replaceAll(
      ", and if the first row is a header, say --header yes",
      "; if the first row is a header, none of its names may be a number",
    )
    .replaceAll(
      "say --header yes, or --header no if it is data",
      "give its columns names that are not numbers if it is one",
    )
    .replace(
      pattern(`leave it out by --ignore ${column}(?=[\\s,;]|\\.?$|\\. )`),
      "write “$1” into “leave out” if it is none",
    )
    .replace(
      pattern(`read it as classes by --label-column ${column}(?=[\\s,;]|\\.?$|\\. )`),
      (_, text: string) => choose(text),
    )
    .replace(pattern("--label-column ([^:]+):"), "classes, “$1”:")
    .replaceAll("; --name-column 0 writes them with a map", "")
    .replaceAll("; if the first row holds names, say --header yes", "")
    .replaceAll("say --encoding windows-1252", "tick “text of Windows”")
    .replaceAll("leave out --encoding windows-1252", "tick “text of Windows” off")
    .replaceAll("say --decimal-comma", "tick “decimal commas”")
    .replaceAll("with --decimal-comma", "with “decimal commas” ticked")
    .replace(pattern("--color-column ([^:]+):"), "color by, “$1”:")
    .replace(pattern("--name-column ([^:]+):"), "names, “$1”:")
    .replace(pattern("--ignore ([^:]+):"), "leave out, “$1”:")
    .replace(pattern(", or name the word that stands for an unknown class \\(--unknown-label[^)]*\\)"), "")
    .replaceAll(" (--ignore)", " by “leave out”")
    .replace(pattern("say so \\(--missing-values ('[^']*'|[^)]*)\\), and "), "make such cells empty, then ")
    .replace(pattern(" \\(--missing (drop|mean)\\)"), " in the file");
}
