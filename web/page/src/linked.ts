/** What links the pictures: the pointed, picked and selected points, the colors, the graph. */

import { schedule } from "./draw/frames.js";
import type { Look, Marks, Trace } from "./draw/look.js";
import { theme } from "./draw/theme.js";
import { Latest } from "./engine/latest.js";
import type { Shared } from "./engine/pool.js";
import type { Description, Graph, Path, Request, Value, Weights } from "./protocol.js";
import {
  ALONG,
  type Colored,
  commonEnds,
  distancesFrom,
  measureOf,
  NEAR,
  ofMap,
  reportedOf,
  shared as sharedColors,
} from "./state/coloring.js";
import type { Settings } from "./state/settings.js";
import type { DataPicture } from "./ui/data-view.js";
import type { Actions } from "./ui/gestures.js";
import type { Panel } from "./ui/panel.js";

/** A question about the present data. */
export type Ask = <T extends Request["type"]>(
  request: { type: T } & Omit<Extract<Request, { type: T }>, "id" | "data" | "type">,
) => Promise<Value<Extract<Request, { type: T }>>>;

export class Linked implements Actions {
  private data: Shared | undefined;
  private graph: Graph | undefined;
  private hovered = -1;
  private picked: number[] = [];
  private selected: Set<number> | undefined;
  private distances: Float64Array | undefined;
  private weights: Weights | undefined;
  private path: Path | undefined;
  private look: Look | undefined;
  private readonly dressAll = () => this.dress();
  private readonly placing = new Latest();
  private readonly asking = new Latest();
  private readonly measuring = new Latest();

  constructor(
    private readonly settings: Settings,
    private readonly panels: readonly Panel[],
    private readonly view: DataPicture,
    private readonly description: Description,
    private readonly ask: Ask,
    private readonly chose: (rows: number[]) => void,
  ) {}

  /** Begins with new data. Rows that they lack are no longer pointed at, picked or selected. */
  begin(data: Shared): void {
    const other =
      this.data?.name.split("/")[0] !== data.name.split("/")[0] || this.data?.data.n !== data.data.n;
    this.data = data;
    this.graph = undefined;
    this.distances = undefined;
    if (other) {
      this.hovered = -1;
      this.picked = [];
      if (this.selected) this.chose([]);
      this.selected = undefined;
      this.view.legend.off.clear();
    }
    this.weights = undefined;
    this.path = undefined;
    this.dress();
  }

  graphed(graph: Graph | undefined): void {
    this.graph = graph;
    this.view.graphed(graph, this.data?.data);
    this.dress();
    this.inquire();
  }

  // ---- actions of the pictures

  hover(row: number): void {
    if (row === this.hovered) return;
    this.hovered = row;
    if (row >= 0) this.measureFrom(row);
    this.mark();
    this.tell();
  }

  pick(row: number): void {
    if (row < 0) this.picked = [];
    else if (this.picked.includes(row)) this.picked = this.picked.filter((other) => other !== row);
    else this.picked = this.picked.length < 2 ? [...this.picked, row] : [row];
    this.weights = undefined;
    this.path = undefined;
    this.between(undefined);
    this.mark();
    this.tell();
    this.inquire();
  }

  /**
   * Places a new point on the line between the two picked ones, at a fraction of its length, in the data and
   * by every method; `undefined` removes it.
   */
  between(fraction: number | undefined): void {
    const data = this.data?.data;
    const [from, to] = this.picked;
    const point =
      data && fraction !== undefined && from !== undefined && to !== undefined
        ? Float64Array.from(
            { length: data.columns },
            (_, a) =>
              (1 - fraction) * data.points[from * data.columns + a]! +
              fraction * data.points[to * data.columns + a]!,
          )
        : undefined;
    this.placePoint(point);
  }

  /** Places a new point, given by its values, in the data and by every method. */
  placePoint(point: Float64Array | undefined): void {
    const data = this.data?.data;
    if (point && point.length !== data?.columns) return;
    this.placing.run(async () => {
      const columns = data?.columns ?? 0;
      const [, ...problems] = await Promise.all([
        this.view.place(point),
        ...this.panels.map((panel) => panel.place(point, columns)),
      ]);
      this.view.placed(problems.filter((problem) => problem !== undefined));
    });
  }

  select(rows: number[]): void {
    this.selected = rows.length > 0 ? new Set(rows) : undefined;
    if (rows.length === 0) this.picked = [];
    this.chose(this.whole(rows));
    this.dress();
    this.tell();
  }

  /** The rows in the whole data, where a sample is shown. */
  private whole(rows: number[]): number[] {
    const of = this.data?.data.rows;
    return of ? rows.map((row) => of[row]!) : rows;
  }

  /** Colors and graph of all pictures. */
  dress(): void {
    const shared = this.data;
    if (!shared) return;
    const { data } = shared;
    const colors = theme();
    const faint = this.faint();
    const edges =
      this.settings.graph && this.graph
        ? { pairs: this.graph.edges, jumps: this.graph.shortcuts }
        : undefined;
    const names = this.settings.names ? data.row_names?.values : undefined;
    const measure = measureOf(this.settings.color);
    const info =
      reportedOf(this.settings.color, this.description.per_point) ??
      this.description.per_point.find(({ name }) => name === measure);
    const look = ({ coloring }: Colored): Look => ({
      theme: colors,
      coloring,
      faint,
      ...(edges ? { edges } : {}),
      ...(names ? { names } : {}),
    });
    for (const panel of this.panels) panel.color(measure);
    if (info) {
      const { name } = info;
      const all = this.panels.flatMap((panel) => panel.values.get(name) ?? []);
      const ends = commonEnds(all, info);
      for (const panel of this.panels)
        panel.dress(look(ofMap(panel.values.get(name), info, data.n, ends, colors.dark)));
      // The data show the values of the panel that was pointed at last, else of the first.
      const active =
        this.panels.find((panel) => panel.element.matches(":hover")) ??
        this.panels.find((panel) => panel.values.has(name));
      const colored = ofMap(active?.values.get(name), info, data.n, ends, colors.dark);
      this.view.dress(look(colored), colored, active?.title);
    } else {
      const colored = sharedColors(this.settings.color, data, colors.dark, this.distances);
      this.look = look(colored);
      for (const panel of this.panels) panel.dress(this.look);
      this.view.dress(look(colored), colored, undefined);
    }
    this.mark();
  }

  /** Colors of one panel, whose map or values are new. */
  dressOne(panel: Panel): void {
    if (measureOf(this.settings.color) !== undefined || reportedOf(this.settings.color))
      schedule(this.dressAll);
    else if (this.look) panel.dress(this.look);
  }

  /** Rows to be drawn faintly: rows outside the selection, and rows of dimmed classes. */
  private faint(): Uint8Array {
    const { data } = this.data!;
    const faint = new Uint8Array(data.n);
    const labels = this.settings.color.startsWith("label:")
      ? data.labels[Number(this.settings.color.slice(6))]
      : undefined;
    const off = this.view.legend.off;
    for (let row = 0; row < data.n; row++) {
      if ((this.selected && !this.selected.has(row)) || (labels && off.has(labels.values[row]!)))
        faint[row] = 1;
    }
    return faint;
  }

  private mark(): void {
    const colors = theme();
    const focus = this.hovered >= 0 ? this.hovered : this.picked.length === 1 ? this.picked[0]! : -1;
    const weighted = this.weights && this.picked.length === 1 && focus === this.picked[0];
    const near = weighted
      ? this.weights!.neighbors
      : focus >= 0 && this.graph
        ? this.graph.neighbors.subarray(this.graph.offsets[focus], this.graph.offsets[focus + 1])
        : [];
    const traces: Trace[] = [];
    if (this.picked.length === 2) {
      traces.push({ rows: this.picked, color: colors.accent, dashed: true });
      if (this.path) traces.push({ rows: this.path.rows, color: colors.alert });
    }
    const marks: Marks = {
      hovered: focus,
      neighbors: near,
      picked: this.picked,
      traces,
      ...(weighted ? { weights: this.weights!.weights } : {}),
    };
    for (const panel of this.panels) panel.mark(marks);
    this.view.mark(marks);
  }

  private tell(): void {
    const shared = this.data;
    if (!shared) return;
    this.view.tell(
      shared.data,
      this.hovered,
      this.picked,
      this.graph,
      this.weights,
      this.path,
      this.selected ? [...this.selected] : [],
      () => this.select([]),
      (fraction) => this.between(fraction),
    );
  }

  /** Distances from the pointed point, where points are colored by them. */
  private measureFrom(row: number): void {
    const data = this.data?.data;
    if (!data) return;
    if (this.settings.color === NEAR) {
      this.distances = distancesFrom(row, data);
      this.dress();
    } else if (this.settings.color === ALONG) {
      const k = this.settings.k;
      this.measuring.run(async () => {
        const found = await this.ask({ type: "distances", from: row, of: "graph", k }).catch(() => undefined);
        if (this.data?.data !== data || !found) return;
        this.distances = found.values.map((value) => (Number.isFinite(value) ? value : NaN));
        this.dress();
      });
    }
  }

  /** The weights of one picked point, or the path between two. */
  private inquire(): void {
    const [from, to] = this.picked;
    const { k } = this.settings;
    if (from === undefined) return;
    this.asking.run(async () => {
      const data = this.data;
      const current = () => this.data === data && this.picked[0] === from && this.picked[1] === to;
      if (to === undefined) {
        const weights = await this.ask({ type: "weights", row: from, k }).catch(() => undefined);
        if (current()) this.weights = weights;
      } else {
        const path = await this.ask({ type: "path", from, to, k }).catch(() => undefined);
        if (current()) this.path = path;
      }
      this.mark();
      this.tell();
    });
  }
}
