/** The panel of one method: its map, scores, sentences, parameters and facts. */

import { allRows, type Cloud } from "../draw/cloud.js";
import { hurried } from "../draw/frames.js";
import type { Look, Marks, Of } from "../draw/look.js";
import type { Overlay } from "../draw/overlay.js";
import { Plot } from "../draw/plot.js";
import { EngineFailure } from "../engine/client.js";
import type { Run } from "../engine/computed.js";
import type { Pool, Shared } from "../engine/pool.js";
import type { Known, Recipe } from "../engine/start.js";
import type { Coordinates } from "../math/align.js";
import { frame, innerFrame } from "../math/camera.js";
import { present } from "../present.js";
import type {
  Data,
  Event,
  Fit,
  Drivers as Found,
  MeasureInfo,
  MethodInfo,
  ParameterRange,
  PerPointInfo,
  PointValues,
} from "../protocol.js";
import { reasonOf } from "../reason.js";
import { reportedName } from "../state/coloring.js";
import type { Words } from "../state/export.js";
import type { Chosen, Inverse } from "../state/settings.js";
import { Decoder } from "./decoder.js";
import { button, duration, fill, h, number } from "./dom.js";
import { Drivers, LISTED } from "./drivers.js";
import { Film, type Frame } from "./film.js";
import { FixedPoints, type Movable } from "./fixed-points.js";
import { type Actions, attach, type Drag, reset } from "./gestures.js";
import { exports, type Sources } from "./panel-export.js";
import { MEASURED_ROWS, PanelFit, type Shows, type Wanted } from "./panel-fit.js";
import {
  averaged,
  ONE_DIMENSION,
  policies,
  remedies,
  report,
  type Score,
  scoreList,
  unscored,
} from "./panel-report.js";
import { parameters } from "./parameters.js";
import { overlay } from "./places.js";
import { thumbnails } from "./point.js";
import { Progress } from "./progress.js";
import { StartChoice } from "./start-choice.js";
import { first, moved, onto } from "./turned.js";

/** What a panel needs of the page. */
export interface Host {
  pool: Pool;
  actions: Actions;
  drag(): Drag;
  wanted(chosen: Chosen): Wanted | undefined;
  ranges(chosen: Chosen): Promise<ParameterRange[]>;
  command(chosen: Chosen): Promise<string>;
  /** The title of a method with the parameters that are set, and with its start. */
  titled(chosen: Chosen): string;
  known: Known;
  /** The panels whose maps a fit of this panel can start from. */
  starts(panel: Panel): Panel[];
  /** The map of the same data that a first map is rotated onto. */
  reference(panel: Panel, shared: Shared): (Coordinates & { rows: Int32Array }) | undefined;
  /** Texts of the rows of a data set. */
  words(data: Data): Words[];
  score(name: string, value: number): Score | undefined;
  chosen(panel: Panel): void;
  /** Whether the neighbor graph of the data is disconnected. */
  disconnected(): boolean;
  /** Sets a parameter of all methods that have it. */
  everywhere(name: string, text: string): void;
  /** The panel has a new map, or new values of its points. */
  drawn(panel: Panel): void;
  /** The panel has new scores. */
  measured(panel: Panel): void;
  /** How places of maps are decoded. */
  inverse(): Inverse;
  /** Shows a decoded point in the data. */
  decoded(point: Float64Array | undefined): void;
  remove(panel: Panel): void;
  /** Does something while all pictures have the colors of white paper. */
  onPaper: Sources["onPaper"];
  /** Adds another panel of the method with the same parameters. */
  duplicate(panel: Panel): void;
  explain(info: MethodInfo, ranges: ParameterRange[]): void;
  explainMeasure(info: MeasureInfo): void;
}

/** Duration of the change from one map to the next, in milliseconds. */
const MORPH = 280;

/** Number of eigenvalues after a map's own, and most points for which they are computed: as in the report of `compare run`. */
const FURTHER = 8;
const MOST_EXTENDED = 5000;

/**
 * A button leaves the outermost points out of the picture where the inner 98 % take up less than this fraction of its
 * width. The library explains the fault of such a map: `quality::diagnosis::collapse`.
 */
const CROWDED = 0.2;

/** Milliseconds after which a panel whose fit has other settings is shown as waiting; shorter fits do not flicker. */
const NOTICED = 250;

/** Scores in the description of a map. */
const DESCRIBED = 4;

const still = matchMedia("(prefers-reduced-motion: reduce)");
let models = 0;

/** The map of a fit and all that belongs to it; never changed, only followed by the next one. */
interface MapShown {
  readonly shared: Shared;
  readonly fit: Fit;
  /** The map as it was rotated. */
  readonly cloud: Cloud;
  readonly milliseconds: number;
  /** Values of the rows of the data, by the name of a measure. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** Places that belong to its points, by the name of a measure. */
  readonly overlays: ReadonlyMap<string, Overlay>;
  /** What measures of its points say. */
  readonly cautions: readonly string[];
  readonly scores: readonly { name: string; value: number }[];
}

export class Panel implements Shows {
  readonly element: HTMLElement;
  readonly plot = new Plot();
  /** The map of the last fit. The picture shows another one during the next fit, and while the film is not at its end. */
  private map: MapShown | undefined;
  /** Why there are no scores yet, or none at all. */
  private lacking: "waiting" | "measuring" | { reason: string } | undefined;
  private readonly work: PanelFit;
  private readonly film: Film;
  private readonly decoder: Decoder;
  /** The fit whose further eigenvalues were requested. */
  private extended: Fit | undefined;
  /** The data of the run whose map was recalled. */
  private recalled: Shared | undefined;
  private thumbs: { data: Data; of: (row: number) => CanvasImageSource } | undefined;
  /** How many times parameters and facts were requested. */
  private detailed = 0;
  private readonly name = button("", "explain", () => void this.explain(), "name");
  private readonly time = h("span", { class: "time" });
  private readonly state = h("p", { class: "state", role: "status" });
  private readonly policies = h("div", {});
  private readonly scores = h("div", { class: "scores" });
  private readonly sentences = h("div", { class: "sentences" });
  private readonly form = h("div", {});
  private readonly facts = h("div", {});
  private readonly drivers = new Drivers(
    () => this.title,
    (rows) => this.drive(rows),
  );
  private readonly fixed = new FixedPoints(
    this.plot,
    () => this.movable(),
    () => this.chosen.fixed ?? [],
    (places) => {
      if (places.length > 0) this.chosen.fixed = places;
      else delete this.chosen.fixed;
      this.host.chosen(this);
      this.update();
    },
  );
  private readonly start = new StartChoice(
    this,
    (chosen) => this.host.titled(chosen),
    () => this.host.starts(this),
    () => {
      this.host.chosen(this);
      this.update();
    },
  );
  private readonly details = h("div", { class: "details", hidden: true }, this.form, this.facts);
  private readonly watch = new IntersectionObserver((entries) =>
    this.work.seen(entries.at(-1)?.isIntersecting ?? true),
  );
  private sentence: string[] = [];
  /** The sentences that are shown. */
  private said: readonly string[] = [];
  /** The measure of points that colors the map. */
  private pointMeasure: string | undefined;
  private begin = 0;
  /** The data set and the seed of the map, and whether the next map is of others. */
  private points = "";
  private other = false;
  /** The data set of the fit that runs, or that ran last. */
  private current: Shared | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private readonly progress = new Progress();

  constructor(
    readonly info: MethodInfo,
    readonly chosen: Chosen,
    private readonly host: Host,
  ) {
    this.work = new PanelFit(`${info.name}-${++models}`, host.pool, this, host.known);
    this.film = new Film((frame) => this.replay(frame));
    this.decoder = new Decoder(this.plot, this.work, (point) => host.decoded(point));
    const { actions } = host;
    attach(
      this.plot,
      {
        hover: (row, of) => actions.hover(row, of),
        pick: (row, of) => actions.pick(row, of),
        select: (rows, of) => actions.select(rows, of),
        reached: (of) => actions.reached(of),
        classes: (of) => actions.classes?.(of),
        over: (position) => this.over(position),
        carry: (row) => this.fixed.carry(row),
        nudge: (dx, dy) => this.fixed.nudge(actions.reached(this.plot.of), dx, dy),
      },
      () => host.drag(),
    );
    this.element = h(
      "figure",
      { class: "panel", "data-method": info.name },
      h(
        "figcaption",
        {},
        h(
          "div",
          { class: "title" },
          this.name,
          this.time,
          button("■", `stop ${info.title}`, () => this.stop(), "stop"),
          this.fixed.sign,
          button("⚙", `${info.title}: parameters and facts`, () => this.toggle(), "details-of"),
          button("⤢", `${info.title}: larger`, () => this.enlarge(), "enlarge"),
          button("×", `remove ${info.title}`, () => host.remove(this), "remove"),
        ),
      ),
      h("div", { class: "picture" }, this.plot.element, this.decoder.element, this.state),
      this.fixed.element,
      this.film.element,
      h(
        "div",
        { class: "under" },
        this.policies,
        this.scores,
        this.sentences,
        this.drivers.element,
        this.details,
      ),
    );
    this.entitle();
    this.watch.observe(this.element);
  }

  /** The method, with its parameters that are set: panels of one method differ in them. */
  get title(): string {
    return this.host.titled(this.chosen);
  }

  /** The dimension of its maps. */
  get dim(): number {
    return Number(this.chosen.set["dim"] ?? this.host.wanted(this.chosen)?.common.dim);
  }

  /** The map of a recipe, where it is shown. */
  resultOf(data: Shared, recipe: Recipe): Fit | undefined {
    return this.work.resultOf(data, recipe);
  }

  get fit(): Fit | undefined {
    return this.map?.fit;
  }

  /** The data of the map. */
  get shared(): Shared | undefined {
    return this.map?.shared;
  }

  /** How long the fit of the map took. */
  get milliseconds(): number | undefined {
    return this.map?.milliseconds;
  }

  /** The scores of the picture; none while its map is measured, while another one is awaited, and for iterations of a film. */
  get raw(): readonly { name: string; value: number }[] {
    return this.whole && this.lacking === undefined ? this.whole.scores : [];
  }

  /** The map, where the picture shows it. */
  private get whole(): MapShown | undefined {
    return this.map && this.plot.cloud === this.map.cloud ? this.map : undefined;
  }

  /** Values of the rows of a data set in the map that the picture shows. */
  valuesOf(name: string, of: Of): Float64Array | undefined {
    return this.whole?.shared.data === of ? this.whole.values.get(name) : undefined;
  }

  private entitle(): void {
    const { title, info, name } = this;
    if (name.textContent === title) return;
    name.textContent = title;
    name.setAttribute("aria-label", `explain ${title}`);
    name.title = title === info.title ? info.summary : `${title}. ${info.summary}`;
    this.plot.target.setAttribute("aria-label", `${title}: map`);
    const signs = {
      stop: `stop ${title}`,
      fix: `${title}: move points, and keep them fixed`,
      "details-of": `${title}: parameters and facts`,
      enlarge: `${title}: larger`,
      remove: `remove ${title}`,
    };
    for (const [kind, label] of Object.entries(signs)) {
      const sign = present(this.element.querySelector<HTMLElement>(`.title .${kind}`));
      sign.title = label;
      sign.setAttribute("aria-label", label);
    }
  }

  /** Fits again where the settings differ from the settings of the last fit. */
  update(): void {
    this.entitle();
    const wanted = this.host.wanted(this.chosen);
    if (wanted?.data.run) this.recall(wanted, wanted.data.run);
    else if (wanted) {
      this.recalled = undefined;
      this.work.want(wanted);
    }
  }

  /** Shows the map that the run has computed. */
  private recall(wanted: Wanted, run: Run): void {
    if (this.recalled === wanted.data) return;
    this.recalled = wanted.data;
    this.work.stop();
    this.begun(wanted);
    const map = run.maps.get(this.info.name);
    if (map?.fit) {
      this.fitted(map.fit, map.milliseconds, wanted);
      this.measured(map.scores, []);
    } else {
      this.failed(new EngineFailure("other", map ? map.reason : "The run did not compute this map."));
    }
    this.time.title = "time of the fit in the run";
  }

  /** Whether the panel shows the map of its settings with its scores, or why there is none. */
  get settled(): boolean {
    const { lacking } = this;
    const failed = this.element.classList.contains("failed");
    return lacking !== "waiting" && lacking !== "measuring" && (this.fit !== undefined || failed);
  }

  /** Whether a map of other settings than the shown map is on its way. */
  get awaited(): boolean {
    return this.lacking === "waiting";
  }

  close(): void {
    this.decoder.leave();
    this.watch.disconnect();
    clearInterval(this.ticking);
    this.work.stop();
  }

  /** Ends a fit that takes long; the map stays as its last iteration shows it. */
  private stop(): void {
    this.work.stop();
    this.finished();
    // The last iteration of a fit that was stopped is no map with facts.
    if (!this.whole && !this.film.replaying) {
      this.map = undefined;
      this.drivers.show(undefined);
    }
    this.unmeasured("the fit was stopped");
    this.state.textContent = "stopped; change a setting to fit again";
  }

  /** The worker-side model of this panel, where it is still held. */
  get model(): string {
    return this.work.model;
  }

  /** The map, where its points can be moved: one of up to three columns with a place for each row. */
  private movable(): Movable | undefined {
    const map = this.lacking === "waiting" ? undefined : this.whole;
    if (!map || map.fit.rows || map.shared.run || map.fit.columns > 3) return undefined;
    return { map: { values: map.fit.coordinates, dim: map.fit.columns }, cloud: map.cloud };
  }

  /** Decodes the place under the pointer, where this is chosen. */
  private over(position: [number, number] | undefined): void {
    const by = this.host.inverse();
    const map = this.lacking === "waiting" ? undefined : this.whole;
    if (position && by !== "" && map && !map.shared.run)
      this.decoder.at(position, by, this.model, map.fit, map.shared.data);
    else this.decoder.leave();
  }

  /** Places new points by the model; their crosses are drawn in the map. */
  async place(points: Float64Array | undefined, shared: Shared): Promise<string | undefined> {
    if (!points) {
      this.plot.placed = undefined;
      this.plot.redrawMarks();
      return undefined;
    }
    const map = this.whole;
    if (map?.shared !== shared) return undefined;
    const columns = shared.data.columns;
    let problem: string | undefined;
    const placed = await this.work.withModel((client) =>
      client.request({ type: "transform", model: this.model, points, columns }).catch((failure: unknown) => {
        problem = reasonOf(failure);
        return undefined;
      }),
    );
    const [now, { cloud, fit }] = [this.whole, map];
    if (placed && now?.cloud === cloud) {
      this.plot.placed = moved(
        placed.value.coordinates,
        placed.value.columns,
        { values: fit.coordinates, dim: fit.columns },
        cloud,
      );
      this.plot.redrawMarks();
    }
    return problem;
  }

  dress(look: Look): void {
    this.plot.dress(look);
  }

  /** The selected rows of the data; `undefined` where none is selected. */
  select(rows: ReadonlySet<number> | undefined): void {
    this.drivers.select(rows);
  }

  /** The columns that drive the map, or these rows of it. */
  private drive(rows: Uint32Array | undefined): Promise<Found | string | undefined> {
    const request = { type: "drivers", model: this.model, count: LISTED, ...(rows ? { rows } : {}) } as const;
    return this.work.withModel((client) =>
      client.request(request).then(
        ({ value }) => value,
        (failure: unknown) => {
          if (!client.usable) throw failure;
          return reasonOf(failure);
        },
      ),
    );
  }

  mark(marks: Marks): void {
    this.plot.mark(marks);
  }

  color(measure: PerPointInfo | undefined): void {
    this.pointMeasure = measure?.name;
    this.work.color(measure);
    this.overlay();
  }

  /** Draws the places that belong to the measure that colors the map. */
  private overlay(): void {
    this.plot.overlay = this.map?.overlays.get(this.pointMeasure ?? "");
  }

  // ---- what the fit tells

  waiting(): void {
    this.decoder.leave();
    if (this.lacking !== "waiting") this.lack("waiting");
    this.progress.begin("waiting", performance.now());
    // While maps follow each other, as when a slider is dragged, none is shown as waiting.
    if (this.ticking === undefined) this.begin = performance.now();
    clearInterval(this.ticking);
    this.ticking = setInterval(() => this.tick(), 100);
  }

  begun({ data, common }: Wanted): void {
    this.decoder.leave();
    // Rows of another data set or another seed are other points: maps of them are not continued.
    const points = `${data.name.split("/")[0]} ${common.seed}`;
    this.other = points !== this.points;
    this.points = points;
    this.current = data;
    this.progress.start(data.name.split("/")[0] ?? "", data.data.n, performance.now());
    this.film.clear();
  }

  event(event: Event): void {
    if (event.type === "stage") this.progress.begin(event.stage, performance.now());
    else if (event.type === "step") this.progress.step(event.done, event.total);
    else this.frame(event);
  }

  fitted(fit: Fit, milliseconds: number, wanted: Wanted): void {
    this.progress.end(performance.now());
    this.finished();
    this.time.textContent = duration(milliseconds);
    this.time.title = "time of the fit in this browser";
    this.sentence = fit.notes;
    this.plot.placed = undefined;
    this.plot.inner = false;
    // Frames follow each other from an early map, whose rotation differs from the result.
    const filmed = this.film.frames.length > 0;
    const { data: shared } = wanted;
    const reference = filmed ? this.host.reference(this, shared) : undefined;
    const cloud = this.present(fit.coordinates, fit.columns, MORPH, fit.rows, reference);
    const values = new Map(
      fit.per_point.map(({ title, values }) => [reportedName(title), spread(values, cloud, shared)]),
    );
    this.map = { shared, fit, cloud, milliseconds, values, scores: [], overlays: new Map(), cautions: [] };
    this.overlay();
    this.drivers.show(shared.run ? undefined : shared.data);
    if (filmed) {
      this.film.turn((values, dim) => this.turned(values, dim));
      this.film.end(fit.iterations, cloud.values);
    }
    this.lack("measuring");
    this.fixed.offer(this.info.fixes === true && this.movable() !== undefined);
    this.offerPolicies();
    this.speak(this.sentence);
    if (!this.details.hidden) void this.detail();
    this.host.drawn(this);
  }

  failed(failure: EngineFailure): void {
    this.decoder.leave();
    this.finished();
    this.map = undefined;
    this.thumbs = undefined;
    this.fixed.offer(false);
    this.drivers.show(undefined);
    this.describe([failure.message]);
    this.plot.show(undefined, 0);
    this.time.textContent = "";
    this.element.classList.add("failed");
    this.lack(undefined);
    this.offerPolicies();
    fill(this.sentences);
    fill(
      this.state,
      h("span", {}, failure.kind === "crashed" ? `The engine stopped: ${failure.message}` : failure.message),
      ...remedies(failure, this.info, this.chosen.set, (name, text) => this.host.everywhere(name, text)),
    );
  }

  measured(scores: { name: string; value: number }[], sentences: string[]): void {
    if (this.map) this.map = { ...this.map, scores };
    this.lacking = undefined;
    this.host.measured(this);
    this.speak([...new Set([...this.sentence, ...sentences])]);
  }

  unmeasured(reason: string): void {
    this.lack({ reason });
  }

  /** Withdraws the scores, at once here and from the comparison with the other panels. */
  private lack(lacking: typeof this.lacking): void {
    this.lacking = lacking;
    this.rescore();
    this.host.measured(this);
  }

  /** The text shown instead of a score. */
  get blank(): string {
    return this.lacking === "waiting" || this.lacking === "measuring" ? "…" : "–";
  }

  /** The number of rows over which rank measures are averages, where not over all. */
  get averaged(): string | undefined {
    const n = this.fit?.n ?? 0;
    return n > MEASURED_ROWS && !this.shared?.run ? averaged(MEASURED_ROWS, n) : undefined;
  }

  /** Shows the sentences of the library under the map; where a few points take most of its width, with a button that leaves them out. */
  private speak(sentences: readonly string[]): void {
    this.said = sentences;
    const cloud = this.plot.cloud;
    const width = cloud ? innerFrame(cloud.values, cloud.dim).half / frame(cloud.values, cloud.dim).half : 1;
    const inner = button(
      this.plot.inner ? "show all points" : "show the inner 98 % of the points",
      `${this.info.title}: points that take up the frame`,
      () => {
        this.plot.inner = !this.plot.inner;
        const map = this.whole;
        if (map) this.paint(map.cloud, map.shared, still.matches ? 0 : MORPH);
        this.speak(sentences);
      },
    );
    const crowded = width < CROWDED && h("p", {}, inner);
    const flat = cloud?.dim === 1 && h("p", {}, ONE_DIMENSION);
    const all = [...(this.map?.cautions ?? []), ...sentences];
    fill(this.sentences, flat, crowded, ...all.map((text) => h("p", {}, text)));
    this.describe(all);
  }

  /** What the picture shows, in words for readers of screens. */
  private describe(sentences: readonly string[]): void {
    const n = this.fit?.n;
    const scores = this.raw.slice(0, DESCRIBED).map(({ name, value }) => `${spoken(name)} ${number(value)}`);
    const points = n === undefined ? [] : [`${n} points`];
    const first = [...points, ...scores].join(", ");
    this.plot.target.setAttribute(
      "aria-description",
      [first && `${first}.`, ...sentences].filter(Boolean).join(" "),
    );
  }

  /** Writes the scores, with the best of all panels marked, or why there are none. */
  rescore(): void {
    const { lacking } = this;
    const open = this.scores.querySelector("details")?.open ?? false;
    if (lacking === "waiting" || lacking === "measuring")
      unscored(this.scores, lacking === "measuring" ? "measuring…" : undefined);
    else if (this.map && !this.whole) unscored(this.scores, "scores of the last iteration only");
    else if (lacking) fill(this.scores, h("p", { class: "soft" }, `No scores, because ${lacking.reason}`));
    else if (this.raw.length === 0) fill(this.scores);
    else
      fill(
        this.scores,
        scoreList(
          this.raw.flatMap(({ name, value }) => this.host.score(name, value) ?? []),
          this.averaged,
          open,
          (info) => this.host.explainMeasure(info),
        ),
      );
  }

  perPoint(found: PointValues): void {
    const { map } = this;
    if (!map) return;
    const { name, values, sentence } = found;
    const places = overlay(found, map.fit.coordinates, map.cloud);
    this.map = {
      ...map,
      values: new Map(map.values).set(name, spread(values, map.cloud, map.shared)),
      overlays: places ? new Map(map.overlays).set(name, places) : map.overlays,
      cautions: sentence ? [sentence] : map.cautions,
    };
    this.overlay();
    if (sentence) this.speak(this.said);
    this.host.drawn(this);
  }

  // ---- showing

  /** Shows coordinates, rotated onto the map that is shown, or onto the reference where there is no map. */
  private present(
    values: Float64Array,
    dim: number,
    time: number,
    rows: Uint32Array | null,
    reference?: ReturnType<Host["reference"]>,
  ): Cloud {
    const count = dim === 0 ? 0 : values.length / dim;
    const own = rows && rows.length === count ? Int32Array.from(rows) : allRows(count);
    if (this.other) this.plot.show(undefined, 0);
    this.other = false;
    const shared = this.current;
    const target = reference ?? this.plot.cloud ?? (shared && this.host.reference(this, shared));
    const shown = target ? onto({ values, dim }, own, target, target.rows) : first({ values, dim });
    const cloud = { values: shown.values, dim: shown.dim, rows: own };
    if (shared) this.paint(cloud, shared, still.matches || hurried() ? 0 : time);
    this.element.classList.remove("failed", "replayed");
    return cloud;
  }

  /** Draws a cloud of the rows of a data set; a large picture of rows that are pictures shows some of them. */
  private paint(cloud: Cloud, { data }: Shared, time: number): void {
    this.plot.show({ of: data, n: data.n, cloud, pictures: this.pictures(data) }, time);
  }

  private pictures(data: Data): ((row: number) => CanvasImageSource) | undefined {
    // Pictures of other data would keep those in memory.
    if (this.thumbs?.data !== data) this.thumbs = undefined;
    if (!data.images || !this.element.classList.contains("large")) return undefined;
    this.thumbs ??= { data, of: thumbnails(data) };
    return this.thumbs.of;
  }

  /** Shows an iteration as it was rotated when it came, or when the fit ended; the last one is the map itself. */
  private replay({ values }: Frame): void {
    const { map, current } = this;
    if (!current) return;
    const last = values === map?.cloud.values;
    const before = this.whole !== undefined;
    this.paint(
      last ? map.cloud : { values, dim: this.film.columns, rows: allRows(values.length / this.film.columns) },
      current,
      0,
    );
    this.element.classList.toggle("replayed", !last && map !== undefined);
    if (before === last) return;
    // Scores and values per point belong to the map, not to its iterations.
    this.rescore();
    this.host.measured(this);
    this.host.drawn(this);
  }

  /** A frame, rotated onto the map that is shown. */
  private turned(values: Float64Array, dim: number): Float64Array {
    const cloud = this.plot.cloud;
    return cloud ? onto({ values, dim }, allRows(values.length / dim), cloud, cloud.rows).values : values;
  }

  private frame(event: Extract<Event, { type: "frame" }>): void {
    const values = Float64Array.from(event.coordinates);
    const n = this.current?.data.n;
    // Frames of one of several components are not shown: their rows are not known before the end.
    if (event.columns === 0 || values.length !== (n ?? 0) * event.columns) return;
    const cloud = this.present(values, event.columns, 0, null);
    this.film.add({ ...event, columns: cloud.dim }, cloud.values);
  }

  private tick(): void {
    const now = performance.now();
    const elapsed = now - this.begin;
    if (elapsed < NOTICED) return;
    this.element.classList.remove("failed");
    this.element.classList.add("busy");
    this.state.textContent = this.progress.text(now, elapsed);
  }

  private finished(): void {
    clearInterval(this.ticking);
    this.ticking = undefined;
    this.element.classList.remove("busy", "failed");
    this.state.textContent = "";
  }

  /** Shows or hides parameters and facts. */
  toggle(): void {
    this.details.hidden = !this.details.hidden;
    if (!this.details.hidden) void this.detail();
  }

  /** Adds eigenvalues after the map's own to its spectrum, which shows the gap between them; the map stays. */
  private async extend(): Promise<void> {
    const { fit, shared } = this.map ?? {};
    if (!fit || !shared || shared.run || this.extended === fit || fit.n > MOST_EXTENDED) return;
    if (fit.spectrum.length === 0 || fit.spectrum.length > fit.columns || fit.further.length > 0) return;
    this.extended = fit;
    const further = await this.work.further(FURTHER);
    if (!further || this.map?.fit !== fit) return;
    this.map = { ...this.map, fit: { ...fit, further } };
    this.extended = this.map.fit;
    this.reportFacts();
  }

  /** The component policies, where one was chosen for a disconnected graph. */
  offerPolicies(): void {
    const shown = this.fit !== undefined && this.host.disconnected();
    fill(
      this.policies,
      shown && policies(this.info, this.chosen.set, (name, text) => this.host.everywhere(name, text)),
    );
  }

  /** A larger picture; of rows that are pictures it shows some. */
  private enlarge(): void {
    if (this.element.classList.toggle("large")) this.element.scrollIntoView({ block: "nearest" });
    reset(this.plot);
    const drawn = [this.current, this.shared].find((shared) => shared && shared.data === this.plot.of);
    if (drawn) this.plot.illustrate(this.pictures(drawn.data));
  }

  private async detail(): Promise<void> {
    const turn = ++this.detailed;
    const ranges = await this.host.ranges(this.chosen).catch(() => []);
    // Ranges of earlier settings would show values that are no longer in force.
    if (turn !== this.detailed) return;
    // Without a setting a parameter has the value that all methods share, else its default.
    const usual = (name: string) => {
      const shared: Record<string, number> = { ...this.host.wanted(this.chosen)?.common };
      return (
        shared[name]?.toString() ?? this.info.parameters.find((parameter) => parameter.name === name)?.default
      );
    };
    const change = (name: string, text: string) => {
      if (text === "" || text === usual(name)) delete this.chosen.set[name];
      else this.chosen.set[name] = text;
      this.host.chosen(this);
      this.update();
    };
    // A control in use is not made anew: its typed text would be lost.
    if (!this.form.matches(":focus-within")) {
      fill(
        this.form,
        this.info.given_start === true &&
          !this.current?.run &&
          h("div", { class: "parameters" }, this.start.element),
        parameters(this.info, ranges, this.chosen.set, usual, change, () => void this.detail()),
        h("div", { class: "buttons" }, ...exports(this, this.exported())),
      );
    }
    this.start.show();
    this.reportFacts();
    void this.extend();
  }

  private reportFacts(): void {
    fill(this.facts, ...(this.fit ? report(this.fit, this.info, this.film.frames) : []));
  }

  private exported(): Sources {
    const { chosen, host } = this;
    return {
      command: () => host.command(chosen),
      words: (data) => host.words(data),
      duplicate: () => host.duplicate(this),
      onPaper: (work) => host.onPaper(work),
    };
  }

  private async explain(): Promise<void> {
    this.host.explain(this.info, await this.host.ranges(this.chosen).catch(() => []));
  }
}

const spoken = (name: string): string => name.replaceAll("_", " ");

/** Values of the points of a cloud by the rows of the data; rows without a point have none. */
function spread(values: Float64Array, { rows }: Cloud, { data }: Shared): Float64Array {
  const all = new Float64Array(data.n).fill(NaN);
  rows.forEach((row, i) => (all[row] = values[i] ?? NaN));
  return all;
}
