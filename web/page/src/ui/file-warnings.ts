/** Sentences about probable mistakes in a file, each with the buttons that repair it. */

import type { ReadOptions } from "../engine/sources.js";
import type { FileColumn, FileWarning } from "../protocol.js";
import { type Column, called, withRole } from "../state/text-columns.js";
import { counted, number } from "./dom.js";
import { inPage } from "./in-page.js";

/** A button that reads the file by other options. */
export interface Repair {
  text: string;
  title: string;
  options: ReadOptions;
}

interface Read {
  options: ReadOptions;
  columns: readonly Column[];
  rows: number;
}

const MOST_NAMES = 5;

/** A warning in words, with its repairs. */
export function warned(warning: FileWarning, read: Read): { sentence: string; repairs: Repair[] } {
  const { options } = read;
  const rows = read.rows.toLocaleString("en");
  switch (warning.kind) {
    case "reader":
      return { sentence: `${inPage(warning.sentence)}.`, repairs: named(warning.sentence, read) };
    case "classes":
      return {
        sentence: `“${warning.name}” has ${warning.classes} classes for ${rows} rows: probably no classes.`,
        repairs: ["name" as const, "left out" as const].flatMap((role) => as(warning.name, role, read)),
      };
    case "equal":
      return { sentence: `All ${rows} rows are equal: there are no distances between them.`, repairs: [] };
    case "distances":
      return {
        sentence:
          "The rows are symmetric with zeros on the diagonal: probably a matrix of distances, which this page reads as points. `compare embed --set given=distances` reads it as one.",
        repairs: [],
      };
    case "nines": {
      const missing_values = [...new Set([...(options.missing_values ?? []), String(warning.number)])];
      const repair = (missing: "drop" | "mean", text: string): Repair => ({
        text,
        title: `${warning.number} stands for a missing value: ${text}`,
        options: { ...options, missing_values, missing },
      });
      return {
        sentence: `${counted(warning.rows, "row")} of ${rows} ${warning.rows === 1 ? "has" : "have"} ${warning.number} in ${list(warning.columns)}, far from all other values: probably a missing value.`,
        repairs: [repair("drop", "leave out such rows"), repair("mean", "fill in the mean")],
      };
    }
    case "dominant": {
      const percent =
        100 * warning.fraction >= 99.995 ? "more than 99.99" : (100 * warning.fraction).toFixed(2);
      return {
        sentence: `${list(warning.columns)} has ${percent} % of the variance: distances hardly depend on the other ${warning.others} columns.`,
        repairs: [
          {
            text: "standardize",
            title: "divide each column by its standard deviation",
            options: { ...options, standardize: true },
          },
          ...warning.columns.flatMap((column) => as(nameOf(column), "left out", read)),
        ],
      };
    }
    case "constant":
      return {
        sentence: `${list(warning.columns)} ${warning.columns.length === 1 ? "is" : "are"} constant and ${warning.columns.length === 1 ? "changes" : "change"} no distance.`,
        repairs: leftOut(warning.columns, options),
      };
    case "copies":
      return {
        sentence: `${warning.copies} of ${rows} rows ${warning.copies === 1 ? "is a copy of another" : "are copies of others"}; the parameter duplicates of a method merges or keeps them.`,
        repairs: [],
      };
    case "indifferent":
      return {
        sentence: `All pairs of a sample of rows are at distance ${number(warning.distance)}.`,
        repairs: [],
      };
  }
}

/** What repairs a file that could not be read: the options that the message names. */
export function remedies(message: string, read: Read): Repair[] {
  const { options } = read;
  const found: Repair[] = [];
  if (/--missing\b/.test(message) && options.missing === undefined) {
    const word = /--missing-values ('[^']*'|[^\s),]+)/.exec(message)?.[1]?.replace(/^'(.*)'$/, "$1");
    const declared = word === undefined ? {} : { missing_values: [...(options.missing_values ?? []), word] };
    const title = word === undefined ? "missing values" : `“${word}” stands for a missing value`;
    for (const [missing, text] of [
      ["drop", "leave out such rows"],
      ["mean", "fill in the mean"],
    ] as const)
      found.push({ text, title: `${title}: ${text}`, options: { ...options, ...declared, missing } });
  }
  if (/say --encoding windows-1252/.test(message))
    found.push({
      text: "text of Windows",
      title: "read the text as windows-1252",
      options: { ...options, windows_1252: true },
    });
  if (/say --decimal-comma/.test(message))
    found.push({
      text: "decimal commas",
      title: "numbers have decimal commas",
      options: { ...options, decimal_comma: true },
    });
  return [...found, ...named(message, read)];
}

/** Repairs of the columns that a message names by options of the command line. */
function named(message: string, read: Read): Repair[] {
  const roles = [
    ["--label-column", "class"],
    ["--name-column", "name"],
    ["--ignore", "left out"],
  ] as const;
  return roles.flatMap(([option, role]) => {
    const name = new RegExp(`${option} ([^\\s,;)]+)`).exec(message)?.[1];
    return name === undefined ? [] : as(name.replace(/\.$/, ""), role, read);
  });
}

/** The repair that gives a column another role. */
function as(name: string, role: "class" | "name" | "left out", { columns, options }: Read): Repair[] {
  const column = columns.find(
    (one) => one.name === name || called(one) === name || String(one.number) === name,
  );
  if (!column) return [];
  const title = column.name === "" ? `column ${column.number}` : `“${column.name}”`;
  const text = role === "left out" ? `leave out ${title}` : `${title} as ${role}`;
  return [{ text, title: text, options: withRole(columns, options, column, role) }];
}

function leftOut(columns: readonly FileColumn[], options: ReadOptions): Repair[] {
  const ignore = [...(options.ignore ?? []), ...columns.map(nameOf)];
  const text = columns.length === 1 ? "leave it out" : "leave them out";
  return [{ text, title: text, options: { ...options, ignore } }];
}

function nameOf({ name, number }: FileColumn): string {
  return name === null || name === "" || name.includes(",") ? String(number) : name;
}

/** Names of columns for a sentence. */
function list(columns: readonly FileColumn[]): string {
  const names = columns
    .slice(0, MOST_NAMES)
    .map(({ name, number }) => (name ? `“${name}”` : `column ${number}`));
  const more = columns.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
