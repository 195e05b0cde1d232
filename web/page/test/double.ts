/** A small engine in JavaScript for the tests of the page: three methods on two data sets, by the same messages. */

import type { Engine } from "../src/engine/instance.js";
import type {
  Answer,
  Data,
  Event,
  Fit,
  MapSource,
  MethodInfo,
  ParameterInfo,
  Request,
} from "../src/protocol.js";

const parameter = (
  name: string,
  kind: ParameterInfo["kind"],
  legal: string,
  usual: string,
  words?: string[],
): ParameterInfo => ({
  name,
  about: `the ${name}`,
  legal,
  kind,
  default: usual,
  ...(words ? { words } : {}),
});

const method = (name: string, title: string, more: ParameterInfo[] = []): MethodInfo => ({
  name,
  title,
  summary: `${title}, in a sentence.`,
  preserves: "something",
  cost: "n",
  new_points: "somehow",
  accepts: ["points"],
  needs_labels: false,
  least_points: 3,
  parameters: [parameter("dim", "integer", "1 to n - 1", "2"), ...more],
  facts: [{ name: "answer", meaning: "the answer" }],
  explanation: [
    { title: "Idea", parts: [{ text: `${title} keeps <b>something</b> of x_ij² in n^2.` }] },
    {
      title: "Definition",
      parts: [{ text: "With x," }, { equations: ["min_Y Σ_{i<j} w_ij |x_i − x_j|²", "y = √(λ_j) Vᵀ x"] }],
    },
    { title: "Steps", parts: [{ steps: ["First.", "Then."] }] },
    { title: "When it fails", parts: [{ text: "On everything else." }] },
    {
      title: "Reference",
      parts: [{ text: "Somebody (1901), doi:10.1234/ab.c; more: https://example.org/paper.html." }],
    },
  ],
});

const METHODS = [
  method("pca", "PCA"),
  method("isomap", "Isomap", [
    parameter("k", "integer", "1 to n - 1", "10"),
    parameter("solver", "words", "auto or dense", "auto", ["auto", "dense"]),
    parameter("components", "words", "refuse, bridge or largest", "refuse", ["refuse", "bridge", "largest"]),
  ]),
  method("lle", "LLE <b>", [
    parameter("k", "integer", "1 to n - 1", "10"),
    parameter("reg", "real", "at least 0", "0.001"),
  ]),
  {
    ...method("tsne", "t-SNE", [parameter("perplexity", "real", "above 0", "30")]),
    given_start: true,
    fixes: true,
  },
];

/** The data sets: names, and what is expected to go wrong. */
const ROLLS = [
  ["swiss-roll", null],
  ["tight-swiss-roll", "The layers <touch>."],
] as const;

class Refusal extends Error {
  constructor(
    readonly kind: "parameter" | "request" | "disconnected",
    message: string,
    readonly parameter?: string,
  ) {
    super(message);
  }
}

/** From this number of points on, iterations and measures take long. */
const MANY = 1600;

function spend(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

function random(seed: number): () => number {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function roll(data: string, n: number, noise: number, seed: number): Data {
  const next = random(seed + 1);
  const points = new Float64Array(3 * n);
  const truth = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const [t, y] = [1.5 * Math.PI * (1 + 2 * next()), 21 * next()];
    points.set(
      [t * Math.cos(t), y, t * Math.sin(t)].map((x) => x + noise * (next() - 0.5)),
      3 * i,
    );
    truth.set([(t * Math.sqrt(1 + t * t) + Math.asinh(t)) / 2, y], 2 * i);
  }
  return {
    data,
    title: "swiss-roll",
    n,
    columns: 3,
    points,
    truth,
    truth_columns: 2,
    truth_names: ["arc length", "height"],
    geometry: "isometric",
    labels: [],
    quantities: [],
    row_names: null,
    images: null,
    pixels: null,
    rows: null,
    column_names: [],
    notes: "A rolled sheet.",
  };
}

/** The first two columns, each row's nearest rows, distances: enough to draw. */
/** Data with at least this number of points take much memory. */
export const LARGE = 700;
let engines = 0;

class Double implements Engine {
  private large = false;
  private readonly data = new Map<string, Data>();
  private readonly models = new Map<string, Fit & { data: string }>();
  private readonly sources = new Map<string, unknown>();

  call<R extends Request>(
    request: R,
    event: (event: Event) => boolean | undefined = () => undefined,
  ): Answer<R> {
    try {
      return { id: request.id, type: "result", value: this.value(request, event) as never };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return {
        id: request.id,
        type: "failed",
        kind: error.kind,
        message: error.message,
        ...(error.parameter === undefined ? {} : { parameter: error.parameter }),
      };
    }
  }

  private of(name: string): Data {
    const found = this.data.get(name);
    if (!found) throw new Refusal("request", `no data set ${name}`);
    return found;
  }

  bytes(): number {
    return this.large ? 64e6 : 0;
  }

  private keep(data: Data): Data {
    this.large ||= data.n >= LARGE;
    this.data.set(data.data, { ...data, points: data.points.slice(), truth: data.truth?.slice() ?? null });
    return data;
  }

  private value(request: Request, event: (event: Event) => boolean | undefined): unknown {
    switch (request.type) {
      case "describe":
        return {
          version: "0.0.0",
          methods: METHODS,
          datasets: ROLLS.map(([name, failure]) => ({
            name,
            summary: "A rolled sheet.",
            shows: "unrolling",
            failure,
            default_n: 1000,
            largest_n: null,
            ambient: 3,
            dimension: 2,
            geometry: "isometric",
            truth_names: ["arc length", "height"],
            default_scale: null,
            source: "",
            license: "",
            parameters: [],
          })),
          measures: ["trustworthiness", "continuity", "procrustes", "affine"].map((name) => ({
            name,
            meaning: name,
            low: 0,
            high: 1,
            better: name < "p" || name > "q" ? "higher" : "lower",
            explanation: [
              {
                title: "Definition",
                parts: [{ text: `As ${name}, with` }, { equations: ["T = 1 − Σ_i r_i"] }],
              },
            ],
          })),
          per_point: [
            {
              name: "false_neighbors",
              title: "false neighbors",
              meaning: "neighbors that are none",
              measure: "trustworthiness",
              low: 0,
              high: null,
              better: "lower",
              needs_model: false,
            },
            {
              name: "spacing",
              title: "spacing",
              meaning: "factor of lengths",
              measure: null,
              low: 0,
              high: null,
              better: null,
              needs_model: false,
            },
            {
              name: "perturbation",
              title: "perturbation score",
              meaning: "how far points jump",
              measure: null,
              low: 0,
              high: null,
              better: "lower",
              needs_model: true,
            },
            {
              name: "roundness",
              title: "roundness of small circles",
              meaning: "shortest by longest axis",
              measure: null,
              low: 0,
              high: 1,
              better: "higher",
              needs_model: true,
            },
          ],
        };
      case "generate":
        if (ROLLS.every(([name]) => name !== request.dataset))
          throw new Refusal("parameter", `the data set must be swiss-roll, but is ${request.dataset}`);
        return this.keep(roll(request.data, request.n ?? 1000, request.noise ?? 0, request.seed ?? 0));
      case "points": {
        const n = request.points.length / request.columns;
        const pixels = request.images
          ? request.images.height * request.images.width * request.images.channels
          : request.columns;
        if (pixels !== request.columns)
          throw new Refusal(
            "request",
            `the columns of pictures must be ${pixels}, but is ${request.columns}`,
          );
        this.sources.set(request.data, request.source);
        return this.keep({
          data: request.data,
          title: request.title ?? "",
          n,
          columns: request.columns,
          points: Float64Array.from(request.points),
          truth: request.truth ? Float64Array.from(request.truth) : null,
          truth_columns: request.truth_columns ?? 0,
          truth_names: request.truth_names ?? [],
          geometry: request.geometry ?? "unknown",
          labels: request.labels ?? [],
          quantities: request.quantities ?? [],
          row_names: request.row_names ?? null,
          images: request.images ?? null,
          pixels: null,
          rows: null,
          column_names: request.column_names ?? [],
          notes: request.notes ?? "",
        });
      }
      case "sample": {
        const { points, columns, ...whole } = this.of(request.of);
        return this.keep({
          ...whole,
          data: request.data,
          n: request.n,
          columns,
          points: points.slice(0, request.n * columns),
          rows: Uint32Array.from({ length: request.n }, (_, i) => i),
        });
      }
      case "read": {
        const lines = new TextDecoder()
          .decode(request.bytes)
          .trim()
          .split("\n")
          .map((line) => line.split(","));
        const header = lines[0]?.every((cell) => Number.isNaN(Number(cell))) ? lines.shift() : undefined;
        const left = [...(request.ignore ?? []), request.label_column, request.name_column];
        const coordinates = lines.map((line) => line.filter((_, i) => !header || !left.includes(header[i])));
        const gap = coordinates.findIndex((row) => row.includes(""));
        if (gap >= 0 && (request.missing ?? "refuse") === "refuse")
          throw new Refusal("parameter", `row ${gap} has a gap; leave out such rows (--missing drop)`);
        const rows = coordinates.filter((row) => !row.includes("")).map((row) => row.map(Number));
        if (rows.some((row) => row.some(Number.isNaN) || row.length !== rows[0]!.length))
          throw new Refusal("parameter", `${request.name}: every value must be a number`);
        const large = rows.some((row) => (row[0] ?? 0) > 1000) && !request.standardize;
        const name = header?.find((name) => !left.includes(name)) ?? null;
        const warning = {
          kind: "dominant" as const,
          columns: [{ number: 0, name }],
          fraction: 0.999,
          others: 2,
        };
        const data = this.value(
          {
            id: 0,
            type: "points",
            data: request.data,
            points: Float64Array.from(rows.flat()),
            columns: rows[0]!.length,
            title: request.name,
          },
          event,
        ) as Data;
        return { ...data, warnings: large ? [warning] : [] };
      }
      case "drop":
        for (const name of request.data ?? []) this.data.delete(name);
        for (const name of request.models ?? []) this.models.delete(name);
        return {};
      case "ranges": {
        const n = this.of(request.data).n;
        const info = METHODS.find(({ name }) => name === request.method)!;
        return {
          parameters: info.parameters.map(({ name, default: usual }) => ({
            name,
            value: String(request.settings?.[name] ?? request.common?.[name as "k"] ?? usual),
            low: name === "reg" ? 0 : 1,
            high: name === "reg" || name === "perplexity" ? null : n - 1,
            low_open: false,
            high_open: false,
          })),
        };
      }
      case "fit":
        return this.fit(request, event);
      case "transform": {
        const columns = this.models.get(request.model)!.columns;
        return {
          columns,
          coordinates: Float64Array.from(
            { length: (request.points.length / request.columns) * columns },
            (_, i) => request.points[Math.floor(i / columns) * request.columns + (i % columns)]!,
          ),
        };
      }
      case "invert": {
        // The first columns of the data are the map: decoded to them, and 7 in the others.
        const { data, coordinates, columns } = this.models.get(request.model)!;
        const { columns: wide } = this.of(data);
        const [x, y] = [request.places[0]!, request.places[1]!];
        const far = Float64Array.from({ length: coordinates.length / columns }, (_, i) =>
          Math.hypot(coordinates[i * columns]! - x, coordinates[i * columns + 1]! - y),
        );
        const row = far.indexOf(far.reduce((a, b) => Math.min(a, b)));
        const points = Float64Array.from({ length: wide }, (_, a) => (a < 2 ? request.places[a]! : 7));
        return {
          columns: wide,
          points,
          nearest: Uint32Array.of(row),
          distances: Float64Array.of(far[row]!),
          by: request.by === "kernel_ridge" ? "kernel_ridge" : "linear",
        };
      }
      case "measures":
        if (this.of(request.data).n < 11)
          throw new Refusal("parameter", "k must be 1 to n - 1 (here <fewer>), but is 10", "k");
        spend(this.of(request.data).n < MANY ? 0 : 400);
        return {
          scores: [
            { name: "trustworthiness", value: 0.85 + this.spread(request.map) / 10 },
            { name: "procrustes", value: 0.25 },
            { name: "continuity", value: 0.75 },
          ],
        };
      case "per_point":
        if (request.names?.[0] === "perturbation") return this.jumps(request.map);
        if (request.names?.[0] === "roundness") return this.ellipses(request.map);
        return {
          measures: (request.names ?? []).map((name) => ({
            name,
            values: Float64Array.from({ length: this.of(request.data).n }, (_, i) => i),
          })),
        };
      case "graph":
        return this.graph(this.of(request.data), request.k ?? 10);
      case "distances":
        return {
          values: Float64Array.from({ length: this.of(request.data).n }, (_, i) =>
            Math.abs(i - request.from),
          ),
        };
      case "path":
        return { rows: Uint32Array.of(request.from, 0, request.to), length: 3, straight: 2, truth: null };
      case "weights":
        return { neighbors: Uint32Array.of(0, 1, 2), weights: Float64Array.of(0.7, 0.5, -0.2) };
      case "diagnose":
        return {
          sentences: [{ cause: "test", sentence: `<i>${request.model.split("-")[0]}</i> was measured.` }],
        };
      case "drivers": {
        const count = request.rows?.length ?? this.models.get(request.model)!.n;
        return {
          points: count,
          columns: Uint32Array.of(1, 0),
          importance: Float64Array.of(2, 0.5),
          spread: Float64Array.of(0.25, 0.125),
          certainty: 0.75,
          exact: request.model.startsWith("pca"),
        };
      }
      case "command":
        return {
          words: [],
          line: `compare run ${JSON.stringify(this.sources.get(request.data) ?? request.data.split("/")[0])} ${request.methods.map(({ method }) => method).join()}`,
        };
      default:
        throw new Refusal("request", `unknown request ${request.type}`);
    }
  }

  private fit(request: Extract<Request, { type: "fit" }>, event: (event: Event) => boolean | undefined): Fit {
    const { points, columns, n } = this.of(request.data);
    const dim = Number(request.settings?.dim ?? request.common?.dim ?? 2);
    const k = Number(request.settings?.k ?? request.common?.k ?? 10);
    if (request.method === "lle" && k > 40)
      throw new Refusal("disconnected", `the neighbor graph must be <connected>, but k is ${k}; use fewer`);
    // With k = 3 the graph has several components.
    if (request.method === "isomap" && k === 3 && (request.settings?.["components"] ?? "refuse") === "refuse")
      throw new Refusal("disconnected", "the neighbor graph has 3 components");
    if (Number(request.settings?.["reg"] ?? 0) > 1) throw new Error("unreachable executed");
    event({ id: request.id, type: "stage", stage: "drawing" });
    const at = (turn: number) =>
      Float64Array.from({ length: n * dim }, (_, i) => {
        const [row, a] = [Math.floor(i / dim), i % dim];
        return points[row * columns + (a % columns)]! + turn * points[row * columns + ((a + 1) % columns)]!;
      });
    const iterations =
      request.method !== "tsne" ? 0 : Number(request.settings?.["perplexity"] ?? 30) > 90 ? 3000 : 30;
    for (let i = 1; i <= iterations; i++) {
      spend(n < MANY ? 8 : 40);
      event({
        id: request.id,
        type: "frame",
        iteration: i,
        objective: 1 / i,
        columns: dim,
        coordinates: Float32Array.from(at(i / iterations)),
      });
    }
    const fit: Fit = {
      model: request.model ?? request.method,
      method: request.method,
      n,
      columns: dim,
      coordinates: at(request.method === "pca" ? 0 : k / 20),
      rows: null,
      spectrum: Float64Array.of(5, 4),
      further: request.further ? Float64Array.of(0.1) : new Float64Array(0),
      facts: { answer: 42 },
      notes: [],
      per_point:
        request.method === "isomap"
          ? [{ title: "spacing", values: Float64Array.from({ length: n }, (_, i) => i / n) }]
          : [],
      stages: ["drawing"],
      iterations,
      settings: {},
      neighborhood: null,
    };
    // t-SNE adds nothing to its start but a note, and the perplexity to the first coordinate unless rows are fixed.
    const { start, fixed } = request;
    if (start && start.coordinates.length !== n * dim)
      throw new Refusal("parameter", `the start must have <${n}> rows and ${dim} columns`);
    if (start) {
      fit.coordinates = Float64Array.from(start.coordinates);
      if (!fixed) fit.coordinates[0]! += Number(request.settings?.["perplexity"] ?? 30);
      fit.notes.push(start.goes_on ? "the fit goes on from the given map" : "the start was used");
      if (fixed) fit.notes.push(`the rows ${fixed.join(", ")} are fixed`);
    }
    // Dense Isomap places the first half of the points.
    if (request.method === "isomap" && request.settings?.["solver"] === "dense") {
      fit.n = Math.floor(n / 2);
      Object.assign(fit, {
        coordinates: fit.coordinates.slice(0, fit.n * dim),
        rows: Uint32Array.from({ length: fit.n }, (_, i) => i),
        per_point: [],
        notes: [`${fit.n} of ${n} points were placed`],
      });
    }
    this.models.set(fit.model, { ...fit, coordinates: fit.coordinates.slice(), data: request.data });
    return fit;
  }

  /** The first point jumps to the place of the last. */
  private jumps(map: MapSource): unknown {
    if (!("model" in map)) throw new Refusal("request", "perturbation needs the model of the map");
    const { n, columns, coordinates } = this.models.get(map.model)!;
    const places = coordinates.slice();
    places.set(coordinates.subarray((n - 1) * columns), 0);
    return {
      measures: [
        {
          name: "perturbation",
          values: Float64Array.from({ length: n }, (_, i) => (i === 0 ? 20 : 1)),
          places,
          columns,
          per_point: 1,
          drawn: Uint32Array.of(0),
          sentence: "Be careful with 1 point.",
        },
      ],
    };
  }

  /** Every circle becomes an ellipse four times as long as wide, along the first column. */
  private ellipses(map: MapSource): unknown {
    if (!("model" in map)) throw new Refusal("request", "roundness needs the model of the map");
    const { n, columns, coordinates } = this.models.get(map.model)!;
    const places = new Float64Array(2 * n * columns);
    for (let i = 0; i < n; i++)
      for (let axis = 0; axis < 2; axis++)
        for (let a = 0; a < columns; a++)
          places[(2 * i + axis) * columns + a] =
            coordinates[i * columns + a]! + (a === axis ? 4 - 3 * axis : 0);
    const values = new Float64Array(n).fill(0.25);
    return { measures: [{ name: "roundness", values, places, columns, per_point: 2 }] };
  }

  private spread(map: MapSource): number {
    return "coordinates" in map ? Math.abs(Math.sin(map.coordinates[0]!)) : 0;
  }

  private graph({ n, points, columns }: Data, k: number): unknown {
    const m = Math.min(k, n - 1);
    const neighbors = new Uint32Array(n * m);
    const distances = new Float64Array(n * m);
    for (let i = 0; i < n; i++) {
      const all = Array.from(
        { length: n },
        (_, j) =>
          [
            Math.hypot(
              ...Array.from(
                { length: columns },
                (_, a) => points[i * columns + a]! - points[j * columns + a]!,
              ),
            ),
            j,
          ] as const,
      );
      all
        .filter(([, j]) => j !== i)
        .sort((a, b) => a[0] - b[0])
        .slice(0, m)
        .forEach(([distance, j], place) => {
          neighbors[i * m + place] = j;
          distances[i * m + place] = distance;
        });
    }
    const edges = Uint32Array.from({ length: 2 * n * m }, (_, e) =>
      e % 2 === 0 ? Math.floor(e / 2 / m) : neighbors[Math.floor(e / 2)]!,
    );
    return {
      offsets: Uint32Array.from({ length: n + 1 }, (_, i) => i * m),
      neighbors,
      distances,
      edges,
      lengths: distances.slice(),
      shortcuts: Uint8Array.from({ length: n * m }, (_, e) => (e === 5 ? 1 : 0)),
      true_shortcuts: 3,
      components: new Uint32Array(n),
      sizes: k === 3 ? Uint32Array.of(40, n - 140, 100) : Uint32Array.of(n),
    };
  }
}

export function instantiate(): Promise<Engine> {
  // For the tests: how many engines the worker has started.
  engines += 1;
  (globalThis as { engines?: number }).engines = engines;
  return Promise.resolve(new Double());
}
