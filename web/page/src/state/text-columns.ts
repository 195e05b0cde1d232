/** The columns of a text file, seen in its start: their names, what they hold, and how they are read at first. */

import type { ReadOptions } from "../engine/sources.js";

const MOST_BYTES = 20_000;

/** Rows from which on words that all differ are names: of fewer they may be classes. */
const FEWEST_NAMES = 10;

/** Cells that show what a column holds. */
const EXAMPLES = 3;

const TEXT = /\.(csv|tsv|txt)$/i;

/** Words for a missing value, as the engine has them. */
const MISSING = /^(|na|n\/a|nan|null|none|\?|\.)$/i;

/** A column of a text file. */
export interface Column {
  /** Counted from 0. */
  number: number;
  /** Empty where R writes none above the names of rows. */
  name: string;
  kind: "numbers" | "words" | "empty";
  /** Whether cells of the start stand for missing values. */
  gaps: boolean;
  /** Whether all words differ. */
  distinct: boolean;
  /** How many words there are. */
  words: number;
  examples: string[];
}

/** What a column is used for. */
export const ROLES = ["coordinate", "class", "color", "name", "left out"] as const;
export type Role = (typeof ROLES)[number];

/** How options name a column: commas separate columns on the command line. */
export function called({ name, number }: Column): string {
  return name === "" || name.includes(",") ? String(number) : name;
}

/** The role of a column by the options. */
export function roleOf(column: Column, options: ReadOptions): Role {
  const names = [called(column), column.name, String(column.number)];
  const among = (list: readonly (string | undefined)[] = []) =>
    list.some((name) => name !== undefined && name !== "" && names.includes(name));
  if (among([options.label_column])) return "class";
  if (among([options.name_column])) return "name";
  if (among(options.color_columns)) return "color";
  return among(options.ignore) ? "left out" : "coordinate";
}

/** The options with another role of a column. A file has one column of classes and one of names: the one before is left out where it holds words. */
export function withRole(
  columns: readonly Column[],
  options: ReadOptions,
  column: Column,
  role: Role,
): ReadOptions {
  const roles = new Map(columns.map((one) => [one, roleOf(one, options)]));
  if (role === "class" || role === "name")
    for (const [one, before] of roles)
      if (before === role) roles.set(one, one.kind === "words" ? "left out" : "coordinate");
  roles.set(column, role);
  const of = (wanted: Role) => columns.filter((one) => roles.get(one) === wanted).map(called);
  const { label_column: _, name_column: __, color_columns: ___, ignore: ____, ...others } = options;
  const [label, name, color, ignore] = [of("class")[0], of("name")[0], of("color"), of("left out")];
  return {
    ...others,
    ...(label !== undefined ? { label_column: label } : {}),
    ...(name !== undefined ? { name_column: name } : {}),
    ...(color.length > 0 ? { color_columns: color } : {}),
    ...(ignore.length > 0 ? { ignore } : {}),
  };
}

/** The columns of a text: their names, or their numbers from 0 where the first row holds a number, as the engine reads it. */
export function columnsOf(text: string): Column[] {
  const { header, width, rows } = table(text);
  const names = header ?? Array.from({ length: width }, (_, i) => String(i));
  return names.map((name, i) => {
    const cells = rows.map((row) => row[i] ?? "");
    const filled = cells.filter((cell) => !MISSING.test(cell));
    const words = filled.some((cell) => !number(cell));
    return {
      number: i,
      name,
      kind: words ? "words" : filled.length > 0 ? "numbers" : "empty",
      gaps: filled.length < cells.length,
      distinct: new Set(cells).size === cells.length,
      words: new Set(filled).size,
      examples: [...new Set(filled)].slice(0, EXAMPLES),
    };
  });
}

/** Whether numbers of a text have decimal commas, decided by the first number with a comma or a point. */
export function decimalCommas(text: string): Pick<ReadOptions, "decimal_comma"> {
  const { rows, delimiter } = table(text);
  const found = rows.flat().find((cell) => number(cell) && /[.,]/.test(cell));
  return delimiter !== "," && found?.includes(",") ? { decimal_comma: true } : {};
}

/**
 * The columns of words of a text file: one whose words all differ has names. Of the others the one with the fewest
 * different words has classes, and the rest are left out.
 */
export function wordColumns(
  columns: readonly Column[],
  rows: number,
): Pick<ReadOptions, "label_column" | "name_column" | "ignore"> {
  const named = columns.filter(({ name }) => name !== "");
  const words = named.filter(({ kind }) => kind === "words");
  if (words.length === named.length) return {};
  const names = words.filter(({ distinct }) => rows >= FEWEST_NAMES && distinct);
  const classes = words.filter((column) => !names.includes(column)).sort((a, b) => a.words - b.words);
  const left = [...names.slice(1), ...classes.slice(1)];
  return {
    ...(classes[0] ? { label_column: called(classes[0]) } : {}),
    ...(names[0] ? { name_column: called(names[0]) } : {}),
    ...(left.length > 0 ? { ignore: left.map(called) } : {}),
  };
}

/** The options with which a file is read at first. */
export async function suggested(file: File): Promise<ReadOptions> {
  if (!TEXT.test(file.name)) return {};
  const windows = await isWindows(file);
  const text = whole(file, await start(file, windows));
  return {
    ...wordColumns(columnsOf(text), table(text).rows.length),
    ...(windows ? { windows_1252: true } : {}),
    ...decimalCommas(text),
  };
}

/** The columns of a text file by its start; none of other files. */
export async function fileColumns(file: File, { windows_1252 }: ReadOptions): Promise<Column[]> {
  return TEXT.test(file.name) ? columnsOf(whole(file, await start(file, windows_1252))) : [];
}

/** The whole lines of the start of a file. */
function whole(file: File, text: string): string {
  return file.size > MOST_BYTES ? text.slice(0, text.lastIndexOf("\n")) : text;
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
  return new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer());
}

/** The encoding by the byte-order mark, else UTF-8 or windows-1252. */
function encoding(bytes: Uint8Array, windows: boolean): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  return mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : windows ? "windows-1252" : "utf-8";
}

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
  const plain = text.replace(/^\uFEFF/, "");
  const line = plain
    .replace(/"(?:[^"]|"")*"/g, (quoted) => quoted.replace(/[\r\n]/g, " "))
    .split(/\r?\n|\r/, 1);
  const delimiter = ["\t", ";", ","].find((mark) => line[0]?.includes(mark)) ?? ",";
  const all = records(plain, delimiter);
  const first = all[0] ?? [""];
  const second = all[1]?.length ?? 0;
  // R writes no name above the names of rows.
  const header = first.some(number) ? undefined : second === first.length + 1 ? ["", ...first] : first;
  return { header, width: header?.length ?? first.length, rows: header ? all.slice(1) : all, delimiter };
}

/** The records of a text and their cells; a line break or a delimiter within quotation marks is text. */
function records(text: string, delimiter: string): string[][] {
  const all: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    cells.push(cell.trim());
    cell = "";
  };
  const endRecord = () => {
    endCell();
    if (cells.length > 1 || cells[0] !== "") all.push(cells);
    cells = [];
  };
  for (let i = 0; i < text.length; i++) {
    const letter = text.charAt(i);
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(i + 1) === '"') cell += text.charAt(i++);
      else quoted = false;
    } else if (letter === '"' && cell.trim() === "") {
      cell = "";
      quoted = true;
    } else if (letter === delimiter) endCell();
    else if (letter === "\n" || letter === "\r") {
      if (letter === "\r" && text.charAt(i + 1) === "\n") i++;
      endRecord();
    } else cell += letter;
  }
  endRecord();
  return all;
}
