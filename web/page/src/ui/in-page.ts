/** Messages of the engine about files in the words of the page. */

/** A message of the engine about reading a file, with the form's words instead of the command line's. */
export function inPage(message: string): string {
  const column = "([\\p{L}\\p{N}_.-]+?)";
  const pattern = (source: string) => new RegExp(source, "gu");
  // A command line has the number of a column whose name is more than a word; the form has its name.
  const [, place, name] = /column (\d+) `([^`]+)`/.exec(message) ?? [];
  const choose = (text: string) =>
    `choose “${name !== undefined && text === place ? name : text}” as “class”`;
  return message
    .replace(
      pattern(
        `a column of classes is named by --label-column ${column}, one of names by --name-column ${column}, another that is no coordinate left out by --ignore ${column}(?=, and|; (?:the|\\d+) other column|; words|$)`,
      ),
      (_, text: string) =>
        `${choose(text)} if it holds the class of each row, as “name” if it names the rows; else as “left out”`,
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
      "choose “$1” as “left out”",
    )
    .replace(
      pattern(
        `leave out a column of identifiers \\(--ignore ${column}\\), or read it as classes \\(--label-column ${column}\\) or as names \\(--name-column ${column}\\)`,
      ),
      "choose a column of identifiers, “$1”, as “left out”, “class” or “name”",
    )
    .replaceAll("; words as coordinates: --categories indicators", "")
    .replaceAll("leave out by --ignore what", "choose as “left out” what")
    .replaceAll("say --skip-rows 1", "delete the first line of the file")
    .replace(pattern("say --skip-rows (\\d+)"), "delete the first $1 lines of the file")
    .replace(pattern("say --header-rows \\d+"), "keep only the names")
    .replaceAll("say --transpose", "exchange rows and columns of the file")
    .replace(pattern("(; the other columns? of words): --ignore ([^\\s;]+)"), "$1: “left out” $2")
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
      "choose “$1” as “left out” if it is none",
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
    .replaceAll(" (--ignore)", " as “left out”")
    .replace(
      pattern("say so \\(--missing-values ('[^']*'|[^)]*)\\), and "),
      (_, word: string) => `write “${word.replace(/^'(.*)'$/, "$1")}” into “also missing”, and `,
    )
    .replace(pattern(" \\(--missing (drop|mean)\\)"), "");
}
