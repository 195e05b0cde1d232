import assert from "node:assert/strict";
import { test } from "node:test";
import { allRows } from "../src/draw/cloud.js";
import {
  byClass,
  byNumber,
  classColor,
  contrast,
  DARK_GROUND,
  LIGHT_GROUND,
  ramp,
  robustEnds,
  STEPS,
} from "../src/draw/color.js";
import type { Data } from "../src/protocol.js";
import { commonEnds, distancesFrom, shared } from "../src/state/coloring.js";
import { csv, escapeMarkup, svg } from "../src/state/export.js";
import { decode, encode, recalled, type Settings, titled } from "../src/state/settings.js";
import {
  columnsOf,
  decimalCommas,
  roleOf,
  suggested,
  withRole,
  wordColumns,
} from "../src/state/text-columns.js";
import { gap } from "../src/ui/chart.js";
import { duration, number } from "../src/ui/dom.js";
import { words } from "../src/ui/facts.js";
import { remedies, warned } from "../src/ui/file-warnings.js";
import { inPage } from "../src/ui/in-page.js";
import { endTexts } from "../src/ui/legend.js";
import { ends } from "../src/ui/parameters.js";
import { Progress } from "../src/ui/progress.js";
import { at, fraction } from "../src/ui/slider.js";

const START: Settings = {
  data: "swiss-roll",
  n: 1000,
  noise: 0,
  seed: 0,
  k: 10,
  dim: 2,
  color: "truth:0",
  graph: false,
  names: true,
  decode: "",
  unwarp: false,
  view: [30, 20],
  methods: [{ name: "pca", set: {} }],
};

test("settings come back from their address, with names of any characters", () => {
  const settings: Settings = {
    ...START,
    data: "own:a&b=c,d~e #<script>.csv",
    n: 500,
    noise: 0.05,
    seed: 7,
    k: 12,
    dim: 3,
    color: "label:ä",
    graph: true,
    names: false,
    decode: "barycentric",
    unwarp: true,
    view: [-5.5, 12],
    methods: [
      { name: "isomap", set: { k: "12", given: "a,b~c=d" } },
      { name: "tsne", set: {} },
    ],
  };
  assert.deepEqual(decode(`#${encode(settings)}`, START), settings);
  assert.deepEqual(decode(encode({ ...settings, methods: [] }), START).methods, []);
  // Also without the settings that they had before.
  for (const one of [START, settings]) assert.deepEqual(recalled(encode(one)), one);
});

test("what an address lacks or what cannot be read is as at the start", () => {
  assert.deepEqual(decode("", START), START);
  assert.deepEqual(decode("#n=abc&k=-3&dim=1.5&seed=&noise=-1&view=1&=&%&color=%E0%A4%A", START), {
    ...START,
    color: "%E0%A4%A",
  });
});

test("a title names the parameters that are set, at most three", () => {
  assert.equal(titled("t-SNE", {}), "t-SNE");
  assert.equal(titled("t-SNE", { perplexity: "5" }), "t-SNE, perplexity 5");
  assert.equal(titled("A", { a: "1", b: "2", c: "x", d: "4" }), "A, a 1, b 2, c x, …");
});

test("markup is escaped", () => {
  assert.equal(escapeMarkup(`<a href="x">'&'</a>`), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  const coloring = byClass([0], 1, false);
  const text = svg("<script>", Float32Array.of(1, 2, 0), allRows(1), coloring, [10, 10], 2);
  assert.ok(text.includes("<title>&lt;script&gt;</title>") && text.includes('cx="1.00"'));
});

test("a table has one line per point, with its row and quoted labels", () => {
  const cloud = { values: Float64Array.of(1, 2.5, -3, 1e-9), dim: 2, rows: Int32Array.of(4, 0) };
  assert.equal(
    csv(cloud, [{ title: "label", of: (row) => `a"${row}` }]),
    'row,label,y1,y2\n4,"a""4",1,2.5\n0,"a""0",-3,1e-9\n',
  );
  assert.equal(csv(cloud, []).split("\n")[0], "row,y1,y2");
});

test("colors of classes have a contrast of 3 to 1 to either ground", () => {
  for (let i = 0; i < 30; i++) {
    assert.ok(contrast(classColor(i, false), LIGHT_GROUND) >= 3, `light ${i}`);
    assert.ok(contrast(classColor(i, true), DARK_GROUND) >= 4, `dark ${i}`);
  }
  assert.ok(Math.abs(contrast([0, 0, 0], [255, 255, 255]) - 21) < 1e-9);
});

test("a class that stands for an unknown one is gray and named so", () => {
  const labels = { name: "class", classes: ["a", "?", "b"], values: Uint32Array.of(0, 1, 2) };
  const colors = (unknown?: number) =>
    shared("label:0", { labels: [{ ...labels, unknown }] } as unknown as Data, false, undefined);
  const { coloring, legend } = colors(1);
  assert.ok(legend.kind === "classes");
  assert.deepEqual(legend.classes, ["a", "? (unknown)", "b"]);
  assert.deepEqual([coloring.colors[0], coloring.colors[2]], [classColor(0, false), classColor(2, false)]);
  const [red, green, blue] = coloring.colors[1]!;
  assert.ok(Math.max(red, green, blue) - Math.min(red, green, blue) < 16, "gray");
  assert.deepEqual(colors().coloring.colors[1], classColor(1, false));
});

test("twenty classes stay apart on either ground", () => {
  const linear = (v: number) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const product = (rows: number[][], x: number[]) =>
    rows.map((row) => row.reduce((sum, a, i) => sum + a * x[i]!, 0));
  const oklab = (color: readonly number[]) =>
    product(
      [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
      ],
      product(
        [
          [0.4122214708, 0.5363325363, 0.0514459929],
          [0.2119034982, 0.6806995451, 0.1073969566],
          [0.0883024619, 0.2817188376, 0.6299787005],
        ],
        color.map(linear),
      ).map(Math.cbrt),
    );
  for (const dark of [false, true]) {
    const seen = Array.from({ length: 20 }, (_, i) => oklab(classColor(i, dark)));
    seen.forEach((a, i) =>
      seen.slice(0, i).forEach((b, j) => {
        const apart = Math.hypot(...a.map((x, c) => x - b[c]!));
        assert.ok(apart > (i < 10 ? 0.15 : 0.11), `${dark}: ${i} and ${j}: ${apart}`);
      }),
    );
  }
});

test("the ramp brightens from one end to the other, and missing values have a color of their own", () => {
  for (const dark of [false, true]) {
    const light = (t: number) => {
      const [r, g, b] = ramp(t, dark);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    for (let i = 1; i <= 50; i++) assert.ok(light(i / 50) > light((i - 1) / 50));
  }
  const { bins, colors } = byNumber([0, 1, 0.5, NaN, -9, 9], 0, 1, false);
  assert.deepEqual([...bins], [0, STEPS - 1, STEPS / 2, STEPS, 0, STEPS - 1]);
  assert.equal(colors.length, STEPS + 1);
  assert.deepEqual([...byNumber([3, 3], 3, 3, false).bins], [0, 0]);
});

test("a few extreme values do not take the whole ramp", () => {
  const values = Float64Array.from({ length: 100 }, (_, i) => (i === 50 ? 1e9 : i));
  const [low, high] = robustEnds(values);
  assert.ok(low >= 0 && high < 100);
  assert.deepEqual(robustEnds([]), [0, 1]);
  assert.deepEqual(robustEnds([NaN, 2, 2]), [2, 2]);
});

test("one end of the ramp of a measure is its best value", () => {
  const info = { name: "m", title: "m", meaning: "m", measure: null, low: 0, high: 1, needs_model: false };
  const values = [Float64Array.of(0.5, 0.6), Float64Array.of(0.7, NaN)];
  assert.deepEqual(commonEnds(values, { ...info, better: "higher" }), [0.5, 1]);
  assert.deepEqual(commonEnds(values, { ...info, better: "lower" }), [0, 0.7]);
  assert.deepEqual(commonEnds(values, { ...info, better: null }), [0.5, 0.7]);
});

test("distances from a row are Euclidean", () => {
  const data = { n: 2, columns: 2, points: Float64Array.of(0, 0, 3, 4) } as Data;
  assert.deepEqual([...distancesFrom(0, data)], [0, 5]);
});

test("a slider reaches both ends of its range, and a typed value has its place", () => {
  const options = { label: "", low: 0.001, high: 10, whole: false, value: 1, change: () => undefined };
  assert.equal(at(0, options), 0.001);
  assert.equal(at(1, options), 10);
  for (const value of [0.001, 0.05, 1, 10])
    assert.ok(Math.abs(at(fraction(value, options), options) / value - 1) < 0.06);
  const whole = { ...options, low: 2, high: 60, whole: true };
  assert.deepEqual([at(fraction(12, whole), whole), at(-1, whole), at(2, whole)], [12, 2, 60]);
});

test("a slider of a parameter contains its value and respects open ends", () => {
  const open = { low_open: true, high_open: true };
  assert.deepEqual(ends({ low: 0, high: 10, ...open }, 5, true, 5), [1, 9]);
  const [low, high] = ends({ low: 0, high: null, ...open }, 30, false, 30);
  assert.ok(low > 0 && low < 1 && high === 300);
  assert.deepEqual(ends({ low: 1, high: 999, low_open: false, high_open: false }, 12, true, 10), [1, 999]);
  // The ends are the ends of the default, wherever the value is: a slider that was dragged to its end leads back.
  const iterations = { low: 0, high: null, low_open: false, high_open: false };
  assert.deepEqual(
    [0, 1000, 7000].map((value) => ends(iterations, value, true, 1000)),
    Array(3).fill([0, 10000]),
  );
  assert.deepEqual(ends({ low: 1, high: null, ...open }, 0.12, false, 12).at(-1), 120);
  assert.deepEqual(ends(iterations, 20000, true, 1000), [0, 20000]);
});

const names = (text: string) => columnsOf(text).map(({ name }) => name);
const suggestedRoles = (text: string) => {
  const columns = columnsOf(text);
  const records = text.trim().split("\n").length;
  return wordColumns(columns, records - (columns.every(({ name }, i) => name === String(i)) ? 0 : 1));
};

test("the columns of a file are its names, or numbers where it has none", () => {
  assert.deepEqual(names('"id";"kind, of"\n1;2'), ["id", "kind, of"]);
  assert.deepEqual(names("1,2.5,-3\n"), ["0", "1", "2"]);
  assert.deepEqual(names("\uFEFFa\tb\r\n1\t2"), ["a", "b"]);
});

test("a line with a number is no header, and a delimiter within quotation marks none", () => {
  assert.deepEqual(names("1.5,2,setosa\n"), ["0", "1", "2"]);
  assert.deepEqual(names('"a, b",c\n'), ["a, b", "c"]);
  // A line break within a name ends no row: the column below it holds numbers.
  const broken = columnsOf('"income\n(euro)","a ""b""",kind\n1,2,x\n3,,y\n');
  assert.deepEqual(
    broken.map(({ name, kind, gaps }) => [name, kind, gaps]),
    [
      ["income\n(euro)", "numbers", false],
      ['a "b"', "numbers", true],
      ["kind", "words", false],
    ],
  );
});

test("a column of words holds names where all differ, else classes", () => {
  assert.deepEqual(suggestedRoles('a,b,species\n1,2,setosa\n3,NA,"versi, color"\n'), {
    label_column: "species",
  });
  assert.deepEqual(suggestedRoles("1,2,setosa\n3,4,virginica"), { label_column: "2" });
  assert.deepEqual(suggestedRoles("a;b;c\n1,5;2,5;x\n"), { label_column: "c" });
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => `country ${i},${i % 2 ? "north" : "south"},${i},${i * i}`).join(
      "\n",
    );
  assert.deepEqual(suggestedRoles(`name,side,a,b\n${rows(10)}\n`), {
    label_column: "side",
    name_column: "name",
  });
  // The names of rows that R writes have no name above them, and are none of the columns.
  assert.deepEqual(suggestedRoles(`side,a,b\n${rows(10)}\n`), { label_column: "side" });
  assert.deepEqual(names("a,b\nMazda,1,2\n"), ["", "a", "b"]);
  // Of few rows words that differ may be classes, too.
  assert.deepEqual(suggestedRoles(`name,side,a,b\n${rows(9)}\n`), { label_column: "side", ignore: ["name"] });
  for (const text of ["a,b\n1,2\n", "name,kind\nx,y\n", "word\nx\n", "a,b,c\n1,?,3\n", ""])
    assert.deepEqual(suggestedRoles(text), {}, text);
});

test("the ends of a ramp tell values beyond them, and have digits that differ", () => {
  const ramp = (low: number, high: number, beyond: [boolean, boolean]) =>
    endTexts({ kind: "ramp", title: "", low, high, beyond, note: "" });
  assert.deepEqual(ramp(1, 2.5, [false, false]), ["1", "2.50"]);
  assert.deepEqual(ramp(20240101, 20241231, [true, false]), ["≤ 20240101", "20241231"]);
  assert.deepEqual(ramp(3, 3, [false, true]), ["3", "≥ 3"]);
});

test("decimal commas are seen between semicolons and tabs", () => {
  for (const text of ["a;b\n1,5;2\n", "a;b\nx;3\ny;-0,25\n", "1,5\t2,5\n"])
    assert.deepEqual(decimalCommas(text), { decimal_comma: true }, text);
  for (const text of ["a;b\n1.5;2\n", "a,b\n1,5\n", "a;b\n1;2\n", "a;b\nx,y;2\n", ""])
    assert.deepEqual(decimalCommas(text), {}, text);
});

test("text of Windows is seen by bytes that are no UTF-8", async () => {
  const bytes = [...Buffer.from("gr\u00f6\u00dfe;b\n1,5;2\n", "latin1")];
  const of = (content: number[] | string, name = "a.csv") =>
    suggested(new File([typeof content === "string" ? content : new Uint8Array(content)], name));
  assert.deepEqual(await of(bytes), { windows_1252: true, decimal_comma: true });
  assert.deepEqual(await of("gr\u00f6\u00dfe;b\n1,5;2\n"), { decimal_comma: true });
  assert.deepEqual(await of([0x80, 0, 1]), {});
  // A character of several bytes that the start of the file cuts.
  assert.deepEqual(await of(`a,b\n${"1,2\n".repeat(4998)}1,2 \u00e4`), {});
  assert.deepEqual(await of(bytes, "a.npy"), {});
});

test("messages about reading a file have the words of the page", () => {
  const cell =
    "own.csv: every cell must be a number, but row 0, column 4 `species` (counted from 0, line 1) is `setosa`; a column of classes is named by --label-column species, one of names by --name-column species, another that is no coordinate left out by --ignore species";
  const said =
    "own.csv: every cell must be a number, but row 0, column 4 `species` (counted from 0, line 1) is `setosa`; choose “species” as “class” if it holds the class of each row, as “name” if it names the rows; else as “left out”";
  assert.equal(inPage(cell), said);
  // A name of two words; a command line has the number of the column.
  const words = (text: string) =>
    text
      .replace("`species`", "`the species`")
      .replaceAll(/(column|ignore) species/g, "$1 4")
      .replace("“species”", "“the species”");
  assert.equal(inPage(words(cell)), words(said));
  assert.equal(
    inPage(
      "column 2 `my kind` (counted from 0) has 3 different whole numbers; read it as classes by --label-column 2. Read.",
    ),
    "column 2 `my kind` (counted from 0) has 3 different whole numbers; choose “my kind” as “class”. Read.",
  );
  const more = [
    `${cell}, and if the first row is a header, say --header yes`,
    `${cell}; the other columns of words: --ignore date,7`,
    `${cell}; 21 other columns are words, too`,
    `${cell}; the other column of words: --ignore date; words as coordinates: --categories indicators`,
    "column 0 `id` (counted from 0) holds integers that increase from row to row, and counts as a coordinate; leave it out by --ignore id. Read.",
    "column 2 `kind` (counted from 0) has the name of a class and 3 different whole numbers, and counts as a coordinate; read it as classes by --label-column kind. Read: all.",
    "every one of the 3 rows has a missing value; fill them in (--missing mean) or ignore columns (--ignore)",
    "column 2 (counted from 0) holds no value; ignore it (--ignore)",
    "9 cells of this column are numbers; if this one stands for a missing value, say so (--missing-values n.d.), and leave out such rows (--missing drop) or fill in the mean of the column (--missing mean), and if the first row is a header, say --header yes",
    "it looks like a number with a unit, `a`; write the number alone; else a column of classes is named by --label-column kind, one of names by --name-column kind, another that is no coordinate left out by --ignore kind",
    "it was read as these, which are no coordinate; --name-column 0 writes them with a map",
    "a number from 0 to 3: the columns have no names; if the first row holds names, say --header yes",
    "in a language of Western Europe: if so, say --encoding windows-1252; else save the file as UTF-8",
    "the file is text in UTF-8; leave out --encoding windows-1252",
    "if the numbers of the file have decimal commas, say --decimal-comma",
    "a number has no point with --decimal-comma: leave out",
    "classes are named by --label-column a.b; if this one stands for a missing value, say so (--missing-values)",
    "if the numbers of the file have decimal commas, say --decimal-comma; for this column: it looks like a date; it is left out by --ignore Datum, colors maps by --color-column Datum --date-order day-first, and is a coordinate in days by --dates-as-days --date-order day-first",
    "if the first line is a title, say --skip-rows 1",
    "if the first 3 lines are titles, say --skip-rows 3",
    "if the header has 2 rows, say --header-rows 2",
    "if the columns are the points and the rows their coordinates, say --transpose",
    "leave out a column of identifiers (--ignore a), or read it as classes (--label-column a) or as names (--name-column a)",
    "hold integers that increase from row to row, and count as coordinates; leave out by --ignore what only numbers the rows",
    "own.csv: --label-column kind: no such column",
    "own.csv: --ignore a b: no such column",
    "own.csv: --color-column a: no such column",
    "own.csv: --name-column a: no such column",
    "leave out such rows (--missing drop), or name the word that stands for an unknown class (--unknown-label, of commands that read classes for a fit or a measure)",
    "the first row (1, 2, 3) looks like a header of numbers, and counts as a point; say --header yes, or --header no if it is data",
  ];
  for (const text of more) assert.ok(!/--[a-z]/.test(inPage(text)), inPage(text));
});

test("the gap of a spectrum lies after the values that stand out", () => {
  assert.equal(gap([10, 9, 0.1, 0.09]), 2);
  assert.equal(gap([0.001, 0.0012, 0.3, 0.4]), 2);
  assert.equal(gap([1, 0.1, 1e-15, 1e-19]), 2);
  assert.equal(gap([]), 0);
});

test("a long stage with known steps says how long it will still take", () => {
  const progress = new Progress();
  assert.equal(progress.text(0, 300), "fitting · 0 s");
  progress.begin("optimization", 1000);
  assert.equal(progress.text(5000, 5000), "optimization · 5 s");
  progress.step(10, 100);
  // A stage that has just begun says nothing.
  assert.equal(progress.text(2000, 2000), "optimization 10 % · 2 s");
  assert.equal(progress.text(5000, 5000), "optimization 10 % · 5 s · about 36 s left in this stage");
  progress.step(100, 100);
  assert.equal(progress.text(9000, 9000), "optimization 100 % · 9 s");
  progress.begin("spectrum", 9000);
  assert.equal(progress.text(20_000, 20_000), "spectrum · 20 s");
});

test("after a fit of the same data the time left counts all stages", () => {
  const progress = new Progress();
  const fit = (n: number, search: number, steps: number) => {
    progress.start("roll", n, 0);
    progress.begin("neighbors", 0);
    progress.begin("optimization", search);
    progress.end(search + steps);
  };
  fit(1000, 100, 1000);
  // One fit: each stage grows as n.
  progress.start("roll", 8000, 0);
  assert.equal(progress.text(3000, 3000), "fitting · 3 s");
  progress.begin("neighbors", 0);
  assert.equal(progress.text(1000, 1000), "neighbors · 1 s");
  assert.equal(progress.text(2000, 2000), "neighbors · 2 s · about 8 s left");
  // Two fits: the search grows as n².
  fit(2000, 400, 2000);
  progress.start("roll", 8000, 0);
  progress.begin("neighbors", 0);
  assert.equal(progress.text(2000, 2000), "neighbors · 2 s · about 13 s left");
  progress.begin("optimization", 6400);
  progress.step(50, 100);
  // What the stage itself shows counts more than earlier fits.
  assert.equal(progress.text(9400, 9400), "optimization 50 % · 9 s · about 3 s left");
  // A fit with other stages, and other data, are not compared.
  progress.start("roll", 8000, 0);
  progress.begin("components", 0);
  assert.equal(progress.text(5000, 5000), "components · 5 s");
  progress.start("digits", 8000, 0);
  progress.begin("neighbors", 0);
  assert.equal(progress.text(5000, 5000), "neighbors · 5 s");
});

test("numbers and durations are short", () => {
  assert.deepEqual([0, 12, 0.5, 0.25, 3.1451, 123.4, 1e-7, 2.5e7, NaN, Infinity].map(number), [
    "0",
    "12",
    "0.500",
    "0.250",
    "3.15",
    "123",
    "1.0e-7",
    "2.5e7",
    "–",
    "∞",
  ]);
  assert.deepEqual([0.2, 16.4, 1234, 45678].map(duration), ["1 ms", "16 ms", "1.2 s", "46 s"]);
});

test("facts are short, whatever they hold", () => {
  assert.equal(words([1, 2.5, 3]), "1, 2.50, 3");
  assert.equal(words(Array.from({ length: 50 }, (_, i) => i)), "0, 1, 2, 3, 4, 5, 6, 7, … (50)");
  assert.equal(words([{ a: 1 }, { a: 2 }]), "2 records");
  assert.equal(
    words([
      [50, 2.82],
      [100, 2.5],
    ]),
    "(50, 2.82) (100, 2.50)",
  );
  assert.equal(words({ status: "Converged", big_number: null }), "status: Converged, big number: –");
});

test("a column has one role; of classes and of names there is one column", () => {
  const columns = columnsOf("id,city,kind,x\n1,a,b,2\n2,c,b,5\n");
  const [id, city, kind, x] = columns;
  assert.ok(id && city && kind && x);
  let options = withRole(columns, { standardize: true }, kind, "class");
  assert.deepEqual(options, { standardize: true, label_column: "kind" });
  options = withRole(columns, options, id, "left out");
  options = withRole(columns, options, city, "class");
  assert.deepEqual(options, { standardize: true, label_column: "city", ignore: ["id", "kind"] });
  assert.deepEqual(
    columns.map((column) => roleOf(column, options)),
    ["left out", "class", "left out", "coordinate"],
  );
  options = withRole(columns, withRole(columns, options, x, "color"), id, "coordinate");
  assert.deepEqual(options, {
    standardize: true,
    label_column: "city",
    color_columns: ["x"],
    ignore: ["kind"],
  });
});

test("each warning about a file has a sentence, and repairs that read it by other options", () => {
  const columns = columnsOf("id,sales,age,kind\n1,1000,-999,a\n2,3,4,b\n");
  const read = { options: { label_column: "kind" }, columns, rows: 40 };
  const [sales, age] = [
    { number: 1, name: "sales" },
    { number: 2, name: "age" },
  ];
  const told = (warning: Parameters<typeof warned>[0]) => {
    const { sentence, repairs } = warned(warning, read);
    return [sentence, ...repairs.map(({ text, options }) => [text, options])];
  };
  assert.deepEqual(told({ kind: "dominant", columns: [sales], fraction: 0.9876, others: 3 }), [
    "“sales” has 98.76 % of the variance: distances hardly depend on the other 3 columns.",
    ["standardize", { label_column: "kind", standardize: true }],
    ["leave out “sales”", { label_column: "kind", ignore: ["sales"] }],
  ]);
  assert.deepEqual(told({ kind: "nines", number: -999, columns: [age], others: [[0, 9]], rows: 1 }), [
    "1 row of 40 has -999 in “age”, far from all other values: probably a missing value.",
    ["leave out such rows", { label_column: "kind", missing_values: ["-999"], missing: "drop" }],
    ["fill in the mean", { label_column: "kind", missing_values: ["-999"], missing: "mean" }],
  ]);
  assert.deepEqual(told({ kind: "classes", name: "kind", classes: 33 }), [
    "“kind” has 33 classes for 40 rows: probably no classes.",
    ["“kind” as name", { name_column: "kind" }],
    ["leave out “kind”", { ignore: ["kind"] }],
  ]);
  assert.deepEqual(told({ kind: "constant", columns: [sales, age] }), [
    "“sales”, “age” are constant and change no distance.",
    ["leave them out", { label_column: "kind", ignore: ["sales", "age"] }],
  ]);
  assert.deepEqual(
    told({ kind: "reader", sentence: "column `id` counts the rows; leave it out by --ignore id" }),
    [
      "column `id` counts the rows; choose “id” as “left out” if it is none.",
      ["leave out “id”", { label_column: "kind", ignore: ["id"] }],
    ],
  );
  assert.match(warned({ kind: "copies", copies: 1 }, read).sentence, /^1 of 40 rows is a copy of another/);
  assert.deepEqual(told({ kind: "equal" }), ["All 40 rows are equal: there are no distances between them."]);
  assert.equal(told({ kind: "distances" }).length, 1);
  assert.deepEqual(
    remedies(
      "row 3, column 2 `age` is empty; leave out such rows (--missing drop) or fill in the mean of the column (--missing mean)",
      read,
    ).map(({ options }) => options),
    [
      { label_column: "kind", missing: "drop" },
      { label_column: "kind", missing: "mean" },
    ],
  );
  assert.deepEqual(
    remedies(
      "if this one stands for a missing value, say so (--missing-values n.d.), and (--missing drop)",
      read,
    )[0]?.options,
    { label_column: "kind", missing_values: ["n.d."], missing: "drop" },
  );
  assert.deepEqual(
    remedies("classes are named by --label-column id, names by --name-column id", {
      ...read,
      options: {},
    }).map(({ text }) => text),
    ["“id” as class", "“id” as name"],
  );
});
