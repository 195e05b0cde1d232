/** What links the pictures: the pointed, picked and selected points, the colors, the graph. */

import { schedule } from "./draw/frames.js";
import type { Look, Marks, Of, Trace } from "./draw/look.js";
import { theme } from "./draw/theme.js";
import { Latest } from "./engine/latest.js";
import type { Shared } from "./engine/pool.js";
import { present } from "./present.js";
import type { Description, Graph, Labels, Request, Value } from "./protocol.js";
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
import { begun, isRow, type Moment, picked, pointed, samePoints, selected } from "./state/moment.js";
import type { Settings } from "./state/settings.js";
import type { DataPicture } from "./ui/data-view.js";
import type { Actions } from "./ui/gestures.js";
import type { Panel } from "./ui/panel.js";

/** A question about the present data. */
export type Ask = <T extends Request["type"]>(
  request: { type: T } & Omit<Extract<Request, { type: T }>, "id" | "data" | "type">,
) => Promise<Value<Extract<Request, { type: T }>>>;

export class Linked implements Actions {
  private moment: Moment | undefined;
  private readonly dressAll = () => this.dress();
  private readonly placing = new Latest();
  private readonly asking = new Latest();
  private readonly measuring = new Latest();
  /** The color whose ellipses maps have shown: un-warping is offered until it changes, also before the next ellipses. */
  private elliptic = "";

  constructor(
    private readonly settings: Settings,
    private readonly panels: readonly Panel[],
    private readonly view: DataPicture,
    private readonly description: Description,
    private readonly ask: Ask,
    private readonly chose: (rows: number[]) => void,
  ) {}

  /** Begins with new data, and the color chosen for them. Rows that they lack are no longer pointed at, picked or selected. */
  begin(data: Shared): void {
    const before = this.moment;
    this.moment = begun(before, data, this.settings.color);
    if (before?.selected && !this.moment.selected) this.chose([]);
    if (before && !samePoints(before.shared, data)) this.view.legend.off.clear();
    this.dress();
    this.tell();
  }

  /** The neighbor graph of the data. */
  graphed(data: Shared, graph: Graph | undefined): void {
    if (this.moment?.shared !== data) return;
    this.moment = { ...this.moment, graph };
    this.view.graphed(graph, data.data);
    // Without its edges the graph changes marks alone.
    if (this.settings.graph) this.dress();
    else this.mark();
    this.tell();
    this.inquire();
  }

  /** Another choice of color. */
  color(key: string): void {
    if (!this.moment) return;
    this.moment = { ...this.moment, color: key };
    this.dress();
  }

  // ---- actions of the pictures

  /** The row that was pointed at last, in data that a picture shows; -1 where there is none. */
  reached(of: Of | undefined): number {
    const { moment } = this;
    return moment && moment.shared.data === of ? moment.reached : -1;
  }

  /** The classes that color the points, else the first of the data. */
  classes(of: Of | undefined): Labels | undefined {
    const { moment } = this;
    if (!moment || moment.shared.data !== of) return undefined;
    const { labels } = moment.shared.data;
    return labels[moment.color.startsWith("label:") ? Number(moment.color.slice(6)) : 0];
  }

  /** The moment, where a row of a picture is a row of its data. */
  private of(row: number, of: Of | undefined): Moment | undefined {
    const { moment } = this;
    return moment && moment.shared.data === of && isRow(moment.shared.data, row) ? moment : undefined;
  }

  hover(row: number, of: Of | undefined): void {
    const moment = this.of(row, of);
    if (!moment || row === moment.hovered) return;
    this.moment = pointed(moment, row);
    if (row >= 0) this.measureFrom(row);
    this.mark();
    this.tell();
  }

  pick(row: number, of: Of | undefined): void {
    const moment = this.of(row, of);
    if (!moment) return;
    this.moment = picked(moment, row);
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
    const data = this.moment?.shared.data;
    const [from, to] = this.moment?.picked ?? [];
    const point =
      data && fraction !== undefined && from !== undefined && to !== undefined
        ? Float64Array.from(
            { length: data.columns },
            (_, a) =>
              (1 - fraction) * present(data.points[from * data.columns + a]) +
              fraction * present(data.points[to * data.columns + a]),
          )
        : undefined;
    this.placePoint(point, data);
  }

  /** Places a new point, given by its values, in the data and by every method. */
  placePoint(point: Float64Array | undefined, of: Of | undefined): void {
    const shared = this.moment?.shared;
    if (!shared || of !== shared.data || (point && point.length !== shared.data.columns)) return;
    this.placing.run(async () => {
      const [, ...problems] = await Promise.all([
        this.view.place(point),
        ...this.panels.map((panel) => panel.place(point, shared)),
      ]);
      this.view.placed(problems.filter((problem) => problem !== undefined));
    });
  }

  select(rows: number[], of: Of | undefined): void {
    const moment = this.of(rows[0] ?? -1, of);
    if (!moment) return;
    this.moment = selected(moment, rows);
    this.chose(this.whole(rows));
    this.dress();
    this.tell();
  }

  /** The rows in the whole data, where a sample is shown. */
  private whole(rows: number[]): number[] {
    const of = this.moment?.shared.data.rows;
    return of ? rows.map((row) => present(of[row])) : rows;
  }

  /** Colors and graph of all pictures. */
  dress(): void {
    const { moment } = this;
    if (!moment) return;
    const { color, graph, distances } = moment;
    const { data } = moment.shared;
    const colors = theme();
    const faint = this.faint(moment);
    const edges = this.settings.graph && graph ? { pairs: graph.edges, jumps: graph.shortcuts } : undefined;
    const names = this.settings.names ? data.row_names?.values : undefined;
    const measure = measureOf(color);
    const info =
      reportedOf(color, this.description.per_point) ??
      this.description.per_point.find(({ name }) => name === measure);
    const look = ({ coloring }: Colored): Look => ({
      of: data,
      theme: colors,
      coloring,
      faint,
      ...(edges ? { edges } : {}),
      ...(names ? { names } : {}),
    });
    const measured = measure === undefined ? undefined : info;
    for (const panel of this.panels) {
      panel.color(measured);
      panel.select(moment.selected);
    }
    if (info) {
      const { name } = info;
      const values = (panel: Panel | undefined) => panel?.valuesOf(name, data);
      const all = this.panels.flatMap((panel) => values(panel) ?? []);
      const ends = commonEnds(all, info);
      for (const panel of this.panels)
        panel.dress(look(ofMap(values(panel), info, data.n, ends, colors.dark)));
      // The data show the values of the panel that was pointed at last, else of the first.
      const active = this.panels.find((panel) => panel.element.matches(":hover")) ?? this.panels.find(values);
      const colored = ofMap(values(active), info, data.n, ends, colors.dark);
      this.view.dress(look(colored), colored, active?.title);
    } else {
      const colored = sharedColors(color, data, colors.dark, distances);
      const common = look(colored);
      for (const panel of this.panels) panel.dress(common);
      this.view.dress(common, colored, undefined);
    }
    this.unwarp(color);
    this.mark();
  }

  /** Un-warps maps with ellipses where this is chosen, and offers it where there are any. */
  private unwarp(color: string): void {
    for (const { plot } of this.panels) plot.unwarped = this.settings.unwarp;
    if (this.panels.some(({ plot }) => plot.elliptic)) this.elliptic = color;
    else if (color !== this.elliptic || this.panels.every(({ dim }) => dim !== 2)) this.elliptic = "";
    this.view.offerUnwarping(this.elliptic !== "");
  }

  /** Colors the pictures for a panel whose map or values are new. */
  dressOne(): void {
    const color = this.moment?.color ?? "";
    if (measureOf(color) !== undefined || reportedOf(color)) schedule(this.dressAll);
  }

  /** Rows to be drawn faintly: rows outside the selection, and rows of dimmed classes. */
  private faint({ shared: { data }, color, selected }: Moment): Uint8Array {
    const faint = new Uint8Array(data.n);
    const labels = color.startsWith("label:") ? data.labels[Number(color.slice(6))] : undefined;
    const off = this.view.legend.off;
    for (let row = 0; row < data.n; row++) {
      if ((selected && !selected.has(row)) || (labels && off.has(present(labels.values[row]))))
        faint[row] = 1;
    }
    return faint;
  }

  private mark(): void {
    const { moment } = this;
    if (!moment) return;
    const { picked, hovered, reached, graph, weights, path } = moment;
    const colors = theme();
    const focus = hovered >= 0 ? hovered : picked.length === 1 ? (picked[0] ?? -1) : -1;
    const weighted = picked.length === 1 && focus === picked[0] ? weights : undefined;
    const near =
      weighted?.neighbors ??
      (focus >= 0 && graph ? graph.neighbors.subarray(graph.offsets[focus], graph.offsets[focus + 1]) : []);
    const traces: Trace[] = [];
    if (picked.length === 2) {
      traces.push({ rows: picked, color: colors.accent, dashed: true });
      if (path) traces.push({ rows: path.rows, color: colors.alert });
    }
    const marks: Marks = {
      of: moment.shared.data,
      hovered: focus,
      reached,
      neighbors: near,
      picked,
      traces,
      ...(weighted ? { weights: weighted.weights } : {}),
    };
    for (const panel of this.panels) panel.mark(marks);
    this.view.mark(marks);
  }

  private tell(): void {
    const { moment } = this;
    if (!moment) return;
    this.view.tell(
      moment,
      () => this.select([], moment.shared.data),
      (fraction) => this.between(fraction),
    );
  }

  /** Distances from the pointed point, where points are colored by them. */
  private measureFrom(row: number): void {
    const { moment } = this;
    if (!moment) return;
    const { shared, color } = moment;
    if (color === NEAR) {
      this.moment = { ...moment, distances: distancesFrom(row, shared.data) };
      this.dress();
    } else if (color === ALONG) {
      const k = this.settings.k;
      this.measuring.run(async () => {
        const found = await this.ask({ type: "distances", from: row, of: "graph", k }).catch(() => undefined);
        const now = this.moment;
        if (now?.shared !== shared || now.color !== color || !found) return;
        const distances = found.values.map((value) => (Number.isFinite(value) ? value : NaN));
        this.moment = { ...now, distances };
        this.dress();
      });
    }
  }

  /** The weights of one picked point, or the path between two. */
  private inquire(): void {
    const { moment } = this;
    const [from, to] = moment?.picked ?? [];
    const { k } = this.settings;
    if (!moment || from === undefined) return;
    this.asking.run(async () => {
      const found =
        to === undefined
          ? { weights: await this.ask({ type: "weights", row: from, k }).catch(() => undefined) }
          : { path: await this.ask({ type: "path", from, to, k }).catch(() => undefined) };
      const now = this.moment;
      if (now?.shared !== moment.shared || now.picked !== moment.picked) return;
      this.moment = { ...now, ...found };
      this.mark();
      this.tell();
    });
  }
}
