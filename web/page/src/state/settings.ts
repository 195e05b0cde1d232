/** The settings of the page, and their form in the address. */

/** Ways of decoding places of maps, and their names. */
export const INVERSES = [
  ["", "off"],
  ["auto", "by the map or near points"],
  ["barycentric", "by near points"],
  ["kernel_ridge", "by kernel ridge"],
] as const;

export type Inverse = (typeof INVERSES)[number][0];

/** Texts by name, as they would be typed on the command line. */
export type Texts = Record<string, string>;

/** A row of the data, and its place in a map. */
export interface FixedPlace {
  row: number;
  place: number[];
}

export interface Chosen {
  name: string;
  /** Parameters that differ from the method's default and from the shared ones. */
  set: Texts;
  /** The fit starts at the map of this method; without it the method chooses its start. */
  from?: Chosen | undefined;
  /** The map is fitted again, from the map that it would be, with these rows at these places. */
  fixed?: FixedPlace[] | undefined;
}

/** The most parameters that a title names. */
const MOST_NAMED = 3;

/** The title of a method with the parameters that are set: `t-SNE, perplexity 5`. */
export function titled(title: string, set: Texts): string {
  const entries = Object.entries(set);
  const named = entries.slice(0, MOST_NAMED).map(([name, text]) => `, ${name} ${text}`);
  return `${title}${named.join("")}${entries.length > MOST_NAMED ? ", …" : ""}`;
}

export interface Settings {
  /** The data set, or `own:` and the name of one's own. */
  data: string;
  n: number;
  noise: number;
  seed: number;
  /** Parameters shared by all methods that have them. */
  k: number;
  dim: number;
  methods: Chosen[];
  /** What the points are colored by. */
  color: string;
  graph: boolean;
  /** Whether names of rows are drawn next to their points. */
  names: boolean;
  /** How the place under the pointer is decoded to data; empty for not at all. */
  decode: Inverse;
  /** Whether maps with distortion ellipses are un-warped around the point that was pointed at last. */
  unwarp: boolean;
  /** Angles of the data, in degrees. */
  view: [number, number];
}

/** Another object with the same contents, which changes of this one do not reach. */
export function copied({ name, set, from, fixed }: Chosen): Chosen {
  return {
    name,
    set: { ...set },
    ...(from ? { from: copied(from) } : {}),
    ...(fixed ? { fixed: [...fixed] } : {}),
  };
}

/** The settings where nothing else is chosen. */
export function usual(data: string, n: number, methods: readonly string[]): Settings {
  return {
    data,
    n,
    noise: 0,
    seed: 0,
    k: 10,
    dim: 2,
    methods: methods.map((name) => ({ name, set: {} })),
    color: "",
    graph: false,
    names: true,
    decode: "",
    unwarp: false,
    view: [25, 20],
  };
}

/** The part of an address after `#`. */
export function encode(settings: Settings): string {
  const { data, n, noise, seed, k, dim, methods, color, graph, names, decode, unwarp, view } = settings;
  const parts: [string, string][] = [
    ["data", encodeURIComponent(data)],
    ["n", String(n)],
    ["noise", String(noise)],
    ["seed", String(seed)],
    ["k", String(k)],
    ["dim", String(dim)],
    ["color", encodeURIComponent(color)],
    ["view", view.join(",")],
    ...(graph ? ([["graph", "1"]] as [string, string][]) : []),
    ...(names ? [] : ([["names", "0"]] as [string, string][])),
    ...(decode ? ([["decode", decode]] as [string, string][]) : []),
    ...(unwarp ? ([["unwarp", "1"]] as [string, string][]) : []),
    ["methods", methods.map(written).join(",")],
  ];
  return parts.map(([key, text]) => `${key}=${text}`).join("&");
}

/** The settings that an address names; missing and unreadable ones are as in `start`. */
export function decode(address: string, start: Settings): Settings {
  const given = new Map<string, string>();
  for (const part of address.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at > 0) given.set(part.slice(0, at), part.slice(at + 1));
  }
  const text = (key: string, otherwise: string) => {
    const found = given.get(key);
    return found === undefined ? otherwise : decoded(found);
  };
  const number = (key: string, otherwise: number, low: number, high: number, whole: boolean) => {
    const found = given.get(key);
    const value = found === undefined || found === "" ? NaN : Number(found);
    return value >= low && value <= high && (!whole || Number.isInteger(value)) ? value : otherwise;
  };
  const view = (given.get("view") ?? "").split(",").map(Number);
  const methods = given.get("methods");
  return {
    data: text("data", start.data),
    n: number("n", start.n, 2, 1e6, true),
    noise: number("noise", start.noise, 0, 1e6, false),
    seed: number("seed", start.seed, 0, Number.MAX_SAFE_INTEGER, true),
    k: number("k", start.k, 1, 1e4, true),
    dim: number("dim", start.dim, 1, 1e4, true),
    color: text("color", start.color),
    graph: given.has("graph") ? given.get("graph") === "1" : start.graph,
    names: given.has("names") ? given.get("names") !== "0" : start.names,
    decode: INVERSES.find(([key]) => key === given.get("decode"))?.[0] ?? start.decode,
    unwarp: given.has("unwarp") ? given.get("unwarp") === "1" : start.unwarp,
    view: view.length === 2 && view.every(Number.isFinite) ? (view as [number, number]) : start.view,
    methods: methods === undefined ? start.methods : methods.split(",").filter(Boolean).map(chosen),
  };
}

/** The settings that {@link encode} has written: what it leaves out is as it is without a choice. */
export function recalled(state: string): Settings {
  return decode(state, usual("", 0, []));
}

/** The name under which an address has the start of a fit. No parameter of a method has it. */
const FROM = "from";

/** The name under which an address has fixed rows. No parameter of a method has it. */
const FIXED = "fixed";

/** Fixed rows and their places in an address: `12_0.5_-3*40_1_2`. */
function places(fixed: readonly FixedPlace[]): string {
  return fixed.map(({ row, place }) => [row, ...place].join("_")).join("*");
}

/** The fixed rows that {@link places} has written; none where one cannot be read. */
function placesOf(text: string): FixedPlace[] {
  const found = text.split("*").map((part) => part.split("_").map((number) => Number(number || NaN)));
  const good = found.every(
    (numbers) => numbers.length > 1 && numbers.every(Number.isFinite) && Number(numbers[0]) >= 0,
  );
  return good ? found.map(([row = 0, ...place]) => ({ row: Math.trunc(row), place })) : [];
}

/** The start of a fit and its fixed rows. */
function further({ from, fixed }: Chosen): [string, string][] {
  return [
    ...(from ? ([[FROM, written(from)]] as [string, string][]) : []),
    ...(fixed?.length ? ([[FIXED, places(fixed)]] as [string, string][]) : []),
  ];
}

/** A method in an address. */
export function written(chosen: Chosen): string {
  const { name, set } = chosen;
  const settings = [...Object.entries(set), ...further(chosen)];
  return [name, ...settings.map(([key, text]) => `${key}=${text}`)].map(encoded).join("~");
}

/** The name of a method, its parameters that are set, its start, and its fixed rows. */
export function listed({ name, set, from, fixed }: Chosen): string[][] {
  return [
    [name],
    ...Object.entries(set),
    ...(from ? [[FROM, ...listed(from).flat()]] : []),
    ...(fixed?.length ? [[FIXED, String(fixed.length)]] : []),
  ];
}

/** The method that {@link written} has written. */
export function chosen(text: string): Chosen {
  const [name = "", ...settings] = text.split("~").map(decoded);
  const found: Chosen = { name, set: {} };
  for (const setting of settings) {
    const at = setting.indexOf("=");
    const [key, value] = [setting.slice(0, at), setting.slice(at + 1)];
    if (at > 0 && key === FROM) found.from = chosen(value);
    else if (at > 0 && key === FIXED) {
      const fixed = placesOf(value);
      if (fixed.length > 0) found.fixed = fixed;
    } else if (at > 0) found.set[key] = value;
  }
  return found;
}

/** Decodes text in percent encoding; other text is left unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Percent encoding that includes the tilde, which separates settings. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("~", "%7E");
}
