/**
 * The messages between a page (or Node) and the engine, `web/engine`.
 *
 * One engine runs in one worker and keeps data sets and fitted models under names that
 * the caller chooses; a name that is used again replaces its former contents. A call is
 * synchronous inside the worker: request in, events while it runs, one answer out. To
 * cancel, end the worker, or return `true` from the event function; `true` after a frame
 * ends the iteration with the result so far, which is an answer as any other.
 *
 * **Bytes.** `web/engine/engine.mjs` encodes and decodes messages; no other module needs to
 * know this. A message is, little-endian:
 *
 *     u32   length of the JSON header in bytes, h
 *     u32   length of the whole message in bytes
 *     h     UTF-8 JSON
 *     0–7   zero bytes up to a multiple of 8
 *     ...   blocks of numbers, each beginning at a multiple of 8
 *
 * Wherever these types have a typed array, the JSON holds an {@link ArrayReference}. The
 * decoder replaces it by a view of the message's own `ArrayBuffer`, which may be
 * transferred. No other JSON object has the key `array`.
 *
 * **Exports of the module.** `memory`; `alloc(length) → pointer`; `release(pointer, length)`;
 * `call(pointer, length) → pointer` of the answer, whose second u32 is its length
 * (the caller releases both messages). **One import:** `host.event(pointer, length) → i32`,
 * nonzero to cancel.
 *
 * Matrices are row by row. Rows are counted from 0. Names are `snake_case` as in Rust.
 */
export interface ArrayReference {
  array: "f64" | "f32" | "u32" | "u8";
  /** Bytes from the first block. */
  offset: number;
  /** Number of values, not of bytes. */
  length: number;
}

/** Name of a data set or of a model in the engine, chosen by the caller. */
export type Name = string;

// ---------------------------------------------------------------- requests

export type Request =
  | DescribeRequest
  | GenerateRequest
  | PointsRequest
  | ReadRequest
  | SampleRequest
  | DropRequest
  | RangesRequest
  | FitRequest
  | TransformRequest
  | InvertRequest
  | AlignRequest
  | MeasuresRequest
  | PerPointRequest
  | GraphRequest
  | DistancesRequest
  | PathRequest
  | WeightsRequest
  | DiagnoseRequest
  | DriversRequest
  | CommandRequest;

interface Base {
  /** Returned in the answer and in every event of this call. */
  id: number;
}

/** Version, methods, data sets and measures. Answer: {@link Description}. */
export interface DescribeRequest extends Base {
  type: "describe";
}

/** Makes a data set of the catalog. Answer: {@link Data}. */
export interface GenerateRequest extends Base {
  type: "generate";
  data: Name;
  /** The name of a {@link DatasetInfo}. */
  dataset: string;
  /** The set's default where omitted. */
  n?: number;
  /** Default 0. */
  noise?: number;
  /** Default 0. */
  seed?: number;
  /** Only for rendered pictures ({@link DatasetInfo.default_scale} is a number). */
  scale?: number;
}

/** Points of the caller: drawn by hand, bundled with the page, or from another worker. Answer: {@link Data}. */
export interface PointsRequest extends Base {
  type: "points";
  data: Name;
  points: Float64Array | Float32Array;
  columns: number;
  /** Names of the columns, where they have any. */
  column_names?: string[];
  title?: string;
  truth?: Float64Array | Float32Array;
  truth_columns?: number;
  truth_names?: string[];
  geometry?: Geometry;
  labels?: Labels[];
  quantities?: Quantity[];
  row_names?: RowNames | null;
  images?: ImageShape;
  /** The pixels that `images` describes, where `points` are not the pixels themselves. */
  pixels?: Float64Array | Float32Array;
  notes?: string;
  /** The source that `command` names: the file or the catalog name of the points. */
  source?: Source;
}

/** A file of the caller: CSV, TSV (either with .gz), NPY, NPZ, MTX, IDX, by its name and bytes. Answer: {@link Data}. */
export interface ReadRequest extends Base {
  type: "read";
  data: Name;
  /** The file's name, for messages and the command line; the first bytes choose the reader. */
  name: string;
  bytes: Uint8Array;
  /** A column (name, or number from 0) with a class per row. */
  label_column?: string;
  /** A second file with one label per row. */
  labels?: { name: string; bytes: Uint8Array };
  /** Columns to leave out, by name or number. */
  ignore?: string[];
  /** Text without byte-order mark is in windows-1252; default false: UTF-8. */
  windows_1252?: boolean;
  /** Numbers have decimal commas; default false. */
  decimal_comma?: boolean;
  /** Columns of numbers that are no coordinates, to color maps by. */
  color_columns?: string[];
  /** A column with a name per row. */
  name_column?: string;
  /** Divides each column by its standard deviation after centering; default false. */
  standardize?: boolean;
  /** What happens to missing values; default `refuse`. */
  missing?: "refuse" | "drop" | "mean" | "median" | "zero";
  /** Further words and numbers that stand for missing values. */
  missing_values?: string[];
}

/** A seeded sample of another data set, each class in its proportion. Answer: {@link Data} with `rows`. */
export interface SampleRequest extends Base {
  type: "sample";
  data: Name;
  /** The data set to sample. */
  of: Name;
  n: number;
  /** Default 0. */
  seed?: number;
}

/** Discards data sets and models; unknown names are ignored. Answer: {@link Nothing}. */
export interface DropRequest extends Base {
  type: "drop";
  data?: Name[];
  models?: Name[];
}

/** Legal ranges of a method's parameters for a data set and the other settings. Answer: {@link Ranges}. */
export interface RangesRequest extends Base {
  type: "ranges";
  data: Name;
  method: string;
  settings?: Settings;
  common?: Common;
}

/** Values of parameters as text, exactly as on the command line; numbers and booleans are written as text. */
export type Settings = Record<string, string | number | boolean>;

/** Applied to the methods that have a parameter of that name, and ignored by others; `settings` come after. */
export interface Common {
  k?: number;
  dim?: number;
  seed?: number;
}

/** Fits a method. Answer: {@link Fit}; events: {@link StageEvent}, {@link StepEvent}, {@link FrameEvent}. */
export interface FitRequest extends Base {
  type: "fit";
  data: Name;
  /** {@link MethodInfo.name}. */
  method: string;
  /** Where the model is kept; default the method's name. A failed fit discards what was there. */
  model?: Name;
  /** Unknown parameters and illegal values fail, with the range in the message. */
  settings?: Settings;
  common?: Common;
  /** Index into the data set's label sets for methods that need labels; default 0. */
  labels?: number;
  /**
   * Coordinates at which an iterative method ({@link MethodInfo.given_start}) starts, one row per row of the data;
   * a note of the fit says at which scale they are used. With `goes_on` they are a map of the method, which the fit
   * takes up unchanged.
   */
  start?: { coordinates: Float64Array | Float32Array; columns: number; goes_on?: boolean };
  /** Rows that keep their places in the start while the others move, for methods with {@link MethodInfo.fixes}. */
  fixed?: Uint32Array;
  /** Frames of iterative methods: one of every `every` iterations (and the first); none where omitted. */
  frames?: { every: number };
  /**
   * How many eigenvalues are computed after the eigenvalues of the coordinates ({@link Fit.further}), so that
   * the gap between both is seen; default 0. They cost about as much as the coordinates, whose bytes they do
   * not change.
   */
  further?: number;
  /** Step events of long stages; default true. */
  steps?: boolean;
  /** Memory that one stage may take, in bytes; default 1e9. The fit fails with kind `memory` before it takes more. */
  memory?: number;
}

/** Places new points by a fitted model. Answer: {@link Placed}. */
export interface TransformRequest extends Base {
  type: "transform";
  model: Name;
  points: Float64Array | Float32Array;
  columns: number;
}

/**
 * Decodes places of a model's map to data. What is learned for it is kept with the model. Answer: {@link Inverted}.
 */
export interface InvertRequest extends Base {
  type: "invert";
  model: Name;
  /** In the coordinates of the fit, with its number of columns. */
  places: Float64Array | Float32Array;
  columns: number;
  /**
   * By barycentric weights among the nearest points of the map, by kernel ridge regression, or (`auto`, the default)
   * by the pseudo-inverse of the model where it is a linear map, else by barycentric weights.
   */
  by?: "auto" | "barycentric" | "kernel_ridge";
  /** Number of nearest points of the barycentric weights; default 10. */
  k?: number;
}

/**
 * Coordinates: from a model, or given ones. Row r belongs to row `rows[r]` of the data
 * (to row r where omitted).
 */
export type MapSource =
  | { model: Name }
  | { coordinates: Float64Array | Float32Array; columns: number; rows?: Uint32Array };

/**
 * Rotates, reflects, shifts and scales a map onto a reference, so that panels do not jump. The
 * transformation is computed from the data rows that both have and applied to the whole
 * map. The reference must have at most as many columns as the map. Answer: {@link Aligned}.
 */
export interface AlignRequest extends Base {
  type: "align";
  map: MapSource;
  reference: MapSource;
  /** Whether the map's size is changed to the reference's; default true. */
  scale?: boolean;
}

/** Scores of a map against its data, true coordinates and labels. Answer: {@link Measured}. */
export interface MeasuresRequest extends Base {
  type: "measures";
  data: Name;
  map: MapSource;
  /** Neighborhood size of the measures; default 10. */
  k?: number;
  /** Names of {@link MeasureInfo}; all measures that apply where omitted. */
  names?: string[];
  /** Number of evenly spaced rows over which rank measures are averaged; all where omitted. */
  rows?: number;
  /** Index of the label set; default 0. */
  labels?: number;
}

/** Measures per placed point. Answer: {@link PerPointMeasured}. */
export interface PerPointRequest extends Base {
  type: "per_point";
  data: Name;
  map: MapSource;
  /** Default 10. */
  k?: number;
  /** Names in {@link Description.per_point}; where omitted, all that apply and need no model. */
  names?: string[];
  /** Of `perturbation`: the number of evenly spaced points that are scored; all where omitted. Others have NaN. */
  rows?: number;
}

/** The neighbor graph. Give `k` or `radius`. Answer: {@link Graph}. */
export interface GraphRequest extends Base {
  type: "graph";
  data: Name;
  k?: number;
  radius?: number;
  /** An edge is suspected to be a shortcut where removing its end lengthens paths at least by this factor; default 5. */
  stretch?: number;
}

/** Distances from one row to all rows. Answer: {@link Distances}. */
export interface DistancesRequest extends Base {
  type: "distances";
  data: Name;
  from: number;
  /** In the data's space, in the true coordinates, or along the graph (needs `k` or `radius`). */
  of: "points" | "truth" | "graph";
  k?: number;
  radius?: number;
}

/** The shortest path in the neighbor graph between two rows. Answer: {@link Path}. */
export interface PathRequest extends Base {
  type: "path";
  data: Name;
  from: number;
  to: number;
  k?: number;
  radius?: number;
}

/** The weights that reconstruct one row from its neighbors, as LLE has them. Answer: {@link Weights}. */
export interface WeightsRequest extends Base {
  type: "weights";
  data: Name;
  row: number;
  k?: number;
  radius?: number;
  /** Default 1e-3, as the method `lle`. */
  reg?: number;
}

/** Sentences about a fitted model, from its diagnosis. Answer: {@link Diagnosis}. */
export interface DiagnoseRequest extends Base {
  type: "diagnose";
  model: Name;
}

/**
 * The columns of the data that drive the map of a model, over some rows or all. What was computed for it is kept with
 * the model. Answer: {@link Drivers}.
 */
export interface DriversRequest extends Base {
  type: "drivers";
  model: Name;
  /** Rows of the data, ascending; rows without a point are passed over. All where omitted. */
  rows?: Uint32Array;
  /** How many columns are listed; default 10. */
  count?: number;
}

/** The command line that repeats a view. Answer: {@link Command}. */
export interface CommandRequest extends Base {
  type: "command";
  data: Name;
  common?: Common;
  methods: { method: string; settings?: Settings }[];
}

// ---------------------------------------------------------------- answers

export type Answer<R extends Request = Request> = Result<R> | Failed;

export interface Result<R extends Request = Request> {
  id: number;
  type: "result";
  value: Value<R>;
}

/** What a request is answered with. */
export type Value<R extends Request> = R extends { type: infer T extends keyof Values } ? Values[T] : never;

export interface Values {
  describe: Description;
  generate: Data;
  points: Data;
  read: Data;
  sample: Data;
  drop: Nothing;
  ranges: Ranges;
  fit: Fit;
  transform: Placed;
  invert: Inverted;
  align: Aligned;
  measures: Measured;
  per_point: PerPointMeasured;
  graph: Graph;
  distances: Distances;
  path: Path;
  weights: Weights;
  diagnose: Diagnosis;
  drivers: Drivers;
  command: Command;
}

/** The engine refused or a computation failed; the engine goes on. */
export interface Failed {
  id: number;
  type: "failed";
  kind: FailureKind;
  /** A sentence for the reader: the condition, the value that was found, and advice. */
  message: string;
  /** The parameter that is illegal, where `kind` is `parameter`. */
  parameter?: string;
}

export type FailureKind =
  | "request" // the message itself: unknown type, missing field, unknown data set or model
  | "parameter"
  | "not_finite"
  | "too_few_points"
  | "shape"
  | "disconnected"
  | "degenerate"
  | "no_convergence"
  | "memory"
  | "model"
  | "file"
  | "cancelled"
  | "other"
  /**
   * Made by `engine.mjs`, not by the engine: the module trapped (a programming error, or
   * memory ran out). The instance must not be used again; start another.
   */
  | "crashed";

// ---------------------------------------------------------------- events

export type Event = StageEvent | StepEvent | FrameEvent;

/** A stage begins; the one before has ended. */
export interface StageEvent {
  id: number;
  type: "stage";
  stage: string;
}

/** Steps of the present stage; at most about 100 a stage. */
export interface StepEvent {
  id: number;
  type: "step";
  done: number;
  total: number;
}

/** The state of an iterative method. */
export interface FrameEvent {
  id: number;
  type: "frame";
  /** From 1. Begins again where the method embeds another component. */
  iteration: number;
  /** The objective, where the method knows it at this iteration. */
  objective: number | null;
  columns: number;
  coordinates: Float32Array;
}

// ---------------------------------------------------------------- values

export type Nothing = Record<string, never>;

export interface Description {
  /** The library's version. */
  version: string;
  /** Most points of a data set. */
  most_points: number;
  methods: MethodInfo[];
  datasets: DatasetInfo[];
  measures: MeasureInfo[];
  /** What `per_point` can measure. */
  per_point: PerPointInfo[];
}

export interface MethodInfo {
  /** The name on the command line, `laplacian-eigenmaps`. */
  name: string;
  title: string;
  /** The idea, in one sentence. */
  summary: string;
  /** What the embedding preserves of the data. */
  preserves: string;
  /** Time and memory in n, D, k, d. */
  cost: string;
  /** How new points are placed. */
  new_points: string;
  accepts: ("points" | "distances" | "neighbors")[];
  needs_labels: boolean;
  least_points: number;
  parameters: ParameterInfo[];
  /** The facts that its models report. */
  facts: FactInfo[];
  /** Whether it starts at given coordinates ({@link FitRequest.start}). */
  given_start?: boolean;
  /** Whether rows can keep their places in the start ({@link FitRequest.fixed}). */
  fixes?: boolean;
  /** Idea, definition, steps, failures and papers, in this order. */
  explanation: ExplanationSection[];
}

export interface ExplanationSection {
  title: string;
  parts: ExplanationPart[];
}

/** A paragraph, equations (one per entry, in the notation of `math/formula`), or numbered steps. */
export type ExplanationPart = { text: string } | { equations: string[] } | { steps: string[] };

export interface ParameterInfo {
  name: string;
  /** Its meaning, in a phrase. */
  about: string;
  /** The legal values, in words: `1 to n - 1`. Numbers for a data set: `ranges`. */
  legal: string;
  /** `text` is a number, or one of `words`, or has the form that `legal` describes. */
  kind: "integer" | "real" | "flag" | "words" | "text";
  /** The words among the legal values. */
  words?: string[];
  /** As text. `none` where another parameter replaces it (`k` and `radius`); not to be sent. */
  default: string;
}

export interface FactInfo {
  name: string;
  meaning: string;
}

export type Geometry = "isometric" | "conformal" | "parameters" | "unknown";

export interface DatasetInfo {
  name: string;
  summary: string;
  /** What the set demonstrates. */
  shows: string;
  /** What methods are expected to get wrong on it; `null` except in the group of failures. */
  failure: string | null;
  default_n: number;
  /** `null`: any number can be made. */
  largest_n: number | null;
  /** Columns, D. */
  ambient: number;
  /** Intrinsic dimension, where known. */
  dimension: number | null;
  /** What the true coordinates mean. */
  geometry: Geometry;
  /** The names of the true coordinates; empty where none are known. */
  truth_names: string[];
  /** Columns of the true coordinates, 0 where none are known; they may have no names. */
  truth_columns: number;
  /** `null`: the set has one size. */
  default_scale: number | null;
  source: string;
  license: string;
  /** `n`, `noise`, `seed`, and `scale` where it has one. */
  parameters: DatasetParameter[];
}

export interface DatasetParameter {
  name: "n" | "noise" | "seed" | "scale";
  about: string;
  kind: "integer" | "real";
  low: number;
  /** `null`: no upper end. */
  high: number | null;
  default: number;
}

export interface MeasureInfo {
  name: string;
  meaning: string;
  low: number;
  high: number;
  better: "higher" | "lower";
  /** Idea, definition, when it misleads, and papers, in this order. */
  explanation: ExplanationSection[];
}

export interface PerPointInfo {
  name: string;
  /** `false neighbors`. */
  title: string;
  meaning: string;
  /** The measure that is the mean (for some, the weighted mean) of the values; `null` where none is. */
  measure: string | null;
  low: number;
  /** `null`: no upper end. */
  high: number | null;
  better: "higher" | "lower" | null;
  /** Whether the map must be named by its model. */
  needs_model: boolean;
}

/** Numbers per row that are no coordinates. */
export interface Quantity {
  name: string;
  /** NaN where the number is missing. */
  values: Float64Array;
}

export interface RowNames {
  /** What the names are of. */
  name: string;
  /** One per row; empty where there is none. */
  values: string[];
}

export interface Labels {
  name: string;
  classes: string[];
  /** Index into `classes`, per row. */
  values: Uint32Array;
  /** The class that stands for unknown classes: supervised methods read it so, and measures of classes leave its rows out. */
  unknown?: number | null;
}

export interface ImageShape {
  height: number;
  width: number;
  /** 1 gray, 3 red, green and blue. Rows from the top left, channels innermost. */
  channels: number;
  /** The value of a white pixel; 0 is black. */
  white: number;
}

/** Where a data set came from, for `command`. */
export type Source =
  | { dataset: string; n?: number; noise?: number; seed?: number; scale?: number }
  | { file: string };

export interface Data {
  data: Name;
  title: string;
  n: number;
  columns: number;
  /** n × columns. */
  points: Float64Array;
  /** n × truth_columns; `null` where unknown. */
  truth: Float64Array | null;
  truth_columns: number;
  truth_names: string[];
  geometry: Geometry;
  labels: Labels[];
  quantities: Quantity[];
  row_names: RowNames | null;
  images: ImageShape | null;
  /** The pixels, n × (height · width · channels), where `points` are not the pixels themselves. */
  pixels: Float64Array | null;
  /** For a sample: the row of the whole data set, per row. */
  rows: Uint32Array | null;
  /** Names of the columns, where the file has them; else empty. */
  column_names: string[];
  /** Description, source, and notes of the reader. */
  notes: string;
  /** Probable mistakes in a file that was read; empty for all other data. */
  warnings?: FileWarning[];
}

/** A column of a file. */
export interface FileColumn {
  /** Counted from 0. */
  number: number;
  name: string | null;
}

/** A probable mistake in a file, as `compare run` warns of it. */
export type FileWarning =
  /** A sentence of the reader, which names options of the command line. */
  | { kind: "reader"; sentence: string }
  /** More classes than half the rows. */
  | { kind: "classes"; name: string; classes: number }
  | { kind: "equal" }
  | { kind: "distances" }
  /** A number of nines far from the other values of columns, whose ranges are `others`. */
  | { kind: "nines"; number: number; columns: FileColumn[]; others: [number, number][]; rows: number }
  /** A column with this fraction of the variance, and the number of other columns that are not constant. */
  | { kind: "dominant"; columns: FileColumn[]; fraction: number; others: number }
  | { kind: "constant"; columns: FileColumn[] }
  /** Rows that equal an earlier one. */
  | { kind: "copies"; copies: number }
  /** All pairs of a sample of rows are at this distance. */
  | { kind: "indifferent"; distance: number };

export interface Ranges {
  parameters: ParameterRange[];
}

export interface ParameterRange {
  name: string;
  /** The value in force, as text: the setting, or the default. */
  value: string;
  /** `null`: no lower end, or an end that is not known before the fit. */
  low: number | null;
  high: number | null;
  /** Whether the end itself is illegal. */
  low_open: boolean;
  high_open: boolean;
}

export interface Fit {
  model: Name;
  method: string;
  /** Number of placed points. */
  n: number;
  /** Columns of the coordinates, d. */
  columns: number;
  /** n × columns. */
  coordinates: Float64Array;
  /** The data row of each point, where a component policy left rows out; else `null`. */
  rows: Uint32Array | null;
  /** The eigenvalues behind the coordinates, in the method's order; empty where it has none. */
  spectrum: Float64Array;
  /** The eigenvalues after `spectrum`, in the same units: as many as requested, or as exist and converge. */
  further: Float64Array;
  /** Numbers, words, lists and records, by name; meanings in {@link MethodInfo.facts}. */
  facts: Record<string, unknown>;
  /** Sentences that a reader of the result must know. */
  notes: string[];
  /** Values to color the map by. */
  per_point: { title: string; values: Float64Array }[];
  /** Stages in order. */
  stages: string[];
  /** Iterations seen; 0 where the method does not iterate visibly. */
  iterations: number;
  /** Values of all parameters in force, as text. */
  settings: Record<string, string>;
  /** The neighborhood that the method searched, where it has one. */
  neighborhood: { k: number } | { radius: number } | null;
}

export interface Placed {
  columns: number;
  coordinates: Float64Array;
}

export interface Inverted {
  /** Columns of the data. */
  columns: number;
  /** One decoded row per place. */
  points: Float64Array;
  /** The row of the data whose place in the map is nearest, and how far it is in the map. */
  nearest: Uint32Array;
  distances: Float64Array;
  /** The inverse that was used. */
  by: "linear" | "barycentric" | "kernel_ridge";
}

export interface Aligned {
  columns: number;
  coordinates: Float64Array;
  /** The factor applied; 1 where `scale` is false. */
  scale: number;
  /** 0 for the same shape, 1 for unrelated ones. */
  residual: number;
}

export interface Measured {
  /** In the order of {@link Description.measures}; measures that do not apply are missing. */
  scores: { name: string; value: number }[];
}

export interface PerPointMeasured {
  measures: PointValues[];
}

export interface PointValues {
  name: string;
  /** Per placed point; NaN where undefined (a point whose neighborhood has no triangle). */
  values: Float64Array;
  /**
   * Of measures that need a model: `per_point` places in the map for each point, with `columns` coordinates. Of
   * `perturbation` the place to which a point jumps; of `roundness` the ends of the axes that a circle of radius 1
   * in the data has in the map, the longest first.
   */
  places?: Float64Array;
  columns?: number;
  per_point?: number;
  /** The points that jump, the largest score first. */
  drawn?: Uint32Array;
  /** What the values say of the map. */
  sentence?: string | null;
}

export interface Drivers {
  /** The number of points of the map among the rows. */
  points: number;
  /** Columns of the data, the most important first. */
  columns: Uint32Array;
  /** How far a point moves in the map per standard deviation of the column: mean over the points. */
  importance: Float64Array;
  /** Its standard deviation over the points. */
  spread: Float64Array;
  /** Median R² of the local regressions; `null` without points. */
  certainty: number | null;
  /** Whether the map is linear, so that this is exact. */
  exact: boolean;
}

export interface Graph {
  /** Directed lists, nearest first: the list of row i is at offsets[i] .. offsets[i + 1]. */
  offsets: Uint32Array;
  neighbors: Uint32Array;
  distances: Float64Array;
  /** Undirected edges: ends 2e and 2e + 1, the lower row first. */
  edges: Uint32Array;
  lengths: Float64Array;
  /** Per edge: 1 where it is suspected to be a shortcut between layers. */
  shortcuts: Uint8Array;
  /** The number of edges that are shortcuts by the true coordinates; null where there are no isometric ones. */
  true_shortcuts: number | null;
  /** Component of each row, numbered by first row. */
  components: Uint32Array;
  /** Rows per component. */
  sizes: Uint32Array;
}

export interface Distances {
  /** n values; infinite for rows of another component. */
  values: Float64Array;
}

export interface Path {
  /** Rows from `from` to `to`; empty where no path connects them. */
  rows: Uint32Array;
  /** Along the path; `null` where none connects them. */
  length: number | null;
  /** The straight line in the data's space. */
  straight: number;
  /** The distance in the true coordinates, where known. */
  truth: number | null;
}

export interface Weights {
  neighbors: Uint32Array;
  /** Sum 1; may be negative. */
  weights: Float64Array;
}

export interface Diagnosis {
  sentences: { cause: string; sentence: string }[];
}

export interface Command {
  /** Arguments without quoting. */
  words: string[];
  /** One line for a POSIX shell, `cargo run --release -p compare -- …` without its first part: `compare run …`. */
  line: string;
}
