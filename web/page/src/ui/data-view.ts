/** The data themselves: a picture that rotates, the legend, and facts about the points. */

import { allRows, type Cloud } from "../draw/cloud.js";
import type { Look, Marks, Of } from "../draw/look.js";
import { Plot } from "../draw/plot.js";
import type { Client } from "../engine/client.js";
import type { Shared } from "../engine/pool.js";
import { present } from "../present.js";
import type { Data, Graph } from "../protocol.js";
import { type Colored, columnName } from "../state/coloring.js";
import { quoted } from "../state/export.js";
import type { Moment } from "../state/moment.js";
import type { Settings } from "../state/settings.js";
import { button, counted, download, fill, h } from "./dom.js";
import { type Actions, attach, type Drag } from "./gestures.js";
import { inPage } from "./in-page.js";
import { LegendView } from "./legend.js";
import { pathView, pointView, selectionView, weightView } from "./point.js";
import { Slider } from "./slider.js";

const DEGREE = Math.PI / 180;

let views = 0;

export class DataPicture {
  readonly element: HTMLElement;
  readonly plot = new Plot();
  readonly legend: LegendView;
  private readonly title = h("span", { class: "name" });
  private readonly graphText = h("p", { class: "soft graph-text" });
  private readonly point = h("div", { class: "point", "aria-live": "polite" });
  private readonly unwarp: HTMLInputElement = h("input", {
    type: "checkbox",
    onchange: () => {
      this.settings.unwarp = this.unwarp.checked;
      this.change();
      this.turned();
    },
  });
  private readonly unwarping = h(
    "div",
    { class: "unwarping", hidden: true },
    h(
      "label",
      {
        class: "check",
        title:
          "draw every map so that its ellipses around the point that was pointed at last become circles; places far from the point stay",
      },
      this.unwarp,
      "un-warp around the pointer",
    ),
    h(
      "small",
      {},
      "Ellipses are the images of small circles of the data. Un-warping draws them as circles around the point that was pointed at last; coordinates and scores stay.",
    ),
  );
  private readonly notes = h("p", { class: "soft notes" });
  private readonly problems = h("div", { class: "soft" });
  /** The model of the principal components that are shown of data of more than three columns. */
  private readonly model = `view-${++views}`;
  private slider: Slider | undefined;
  private pair = "";
  private client: Client | undefined;
  private data: Data | undefined;
  /** Whether the engine has the data, which weights and paths need. */
  private live = true;
  /** How many points were requested in {@link place}: older answers are not drawn. */
  private asked = 0;
  private change: () => void = () => undefined;

  constructor(
    private readonly settings: Settings,
    /** Passes the settings on. */
    private readonly turned: () => void,
    /** A landmark of the page; one of several figures has none. */
    landmark: boolean,
  ) {
    this.legend = new LegendView(() => this.change());
    this.turn(settings.view);
    this.plot.target.setAttribute("aria-label", "the data");
    this.element = h(
      landmark ? "section" : "div",
      { class: "data", "aria-label": "data", role: !landmark && "group" },
      h(
        "figure",
        { class: "panel" },
        h(
          "figcaption",
          {},
          h(
            "div",
            { class: "title" },
            this.title,
            button("⤢", "enlarge the picture", () => this.enlarge(), "enlarge"),
          ),
        ),
        h("div", { class: "picture" }, this.plot.element),
      ),
      this.legend.element,
      this.unwarping,
      this.graphText,
      this.point,
      h(
        "details",
        {},
        h("summary", { title: "where the data come from, and notes of the reader" }, "about the data"),
        this.notes,
      ),
    );
    this.resting();
  }

  /** Rotates the picture to the angles, in degrees. */
  turn(view: Settings["view"]): void {
    [this.plot.camera.yaw, this.plot.camera.pitch] = view.map((degrees) => degrees * DEGREE) as [
      number,
      number,
    ];
    this.plot.redraw();
  }

  attach(
    actions: Actions & { dress(): void; placePoint(point: Float64Array, of: Of | undefined): void },
    drag: () => Drag,
  ): void {
    this.change = () => actions.dress();
    const moved = () => {
      const { yaw, pitch } = this.plot.camera;
      this.settings.view = [Math.round(yaw / DEGREE), Math.round(pitch / DEGREE)];
      this.turned();
    };
    attach(
      this.plot,
      {
        hover: (row, of) => actions.hover(row, of),
        pick: (row, of) => actions.pick(row, of),
        select: (rows, of) => actions.select(rows, of),
        reached: (of) => actions.reached(of),
        classes: (of) => actions.classes?.(of),
        place: (point, of) => actions.placePoint(Float64Array.from(point), of),
        moved,
      },
      drag,
    );
  }

  /** The picture of new data: up to three columns as they are, more by their first three principal components. */
  pictureOf(shared: Shared, client: Client): Promise<Cloud> {
    return picture(shared, client, this.model);
  }

  /** Shows new data and their picture; `rows` is the number of rows of a sample. */
  show(shared: Shared, cloud: Cloud, client: Client, rows: number | undefined): void {
    const { data } = shared;
    this.data = data;
    this.live = shared.run === undefined;
    this.client = client;
    this.asked += 1;
    const columns = shared.run?.of.columns ?? data.columns;
    const components =
      columns > 3 && cloud.dim > 0
        ? ", by principal components"
        : columns === 1
          ? ", drawn to the right"
          : "";
    const points =
      data.rows && rows !== undefined
        ? `${data.n.toLocaleString("en")} of ${rows.toLocaleString("en")} rows`
        : counted(data.n, "point");
    this.title.textContent = `${data.title}: ${points}, ${counted(columns, "column")}${components}`;
    this.notes.textContent = inPage(data.notes);
    // The text of the graph keeps its height until the graph of these data comes.
    this.graphText.textContent = this.live ? "Neighbor graph: …" : "";
    this.plot.show({ of: data, n: data.n, cloud }, 200);
  }

  graphed(graph: Graph | undefined, data: Data | undefined): void {
    if (!graph || !data) {
      this.graphText.textContent = "";
      return;
    }
    const jumps = graph.shortcuts.reduce((sum, jump) => sum + jump, 0);
    const parts =
      graph.sizes.length === 1
        ? "connected"
        : `${graph.sizes.length} components of ${[...graph.sizes]
            .sort((a, b) => b - a)
            .slice(0, 5)
            .join(", ")}${graph.sizes.length > 5 ? ", …" : ""} points`;
    const shortcuts = jumps === 0 ? "no suspected shortcut" : counted(jumps, "suspected shortcut");
    fill(
      this.graphText,
      `Neighbor graph: ${counted(graph.lengths.length, "edge")}, ${parts}, `,
      jumps > 0 ? h("b", { class: "warn" }, shortcuts) : shortcuts,
      ".",
    );
    const known = graph.true_shortcuts;
    if (known === 0 && jumps > 0) this.graphText.append(" By the true coordinates none is.");
    if (known !== null && known > 0)
      this.graphText.append(
        " By the true coordinates, ",
        h("b", { class: "warn" }, `${known} ${known === 1 ? "edge is a shortcut" : "edges are shortcuts"}`),
        ".",
      );
  }

  dress(look: Look, colored: Colored, of: string | undefined): void {
    this.plot.dress(look);
    if (of !== undefined && colored.legend.kind === "ramp")
      colored = {
        ...colored,
        legend: { ...colored.legend, note: `${colored.legend.note}; data colored as in ${of}` },
      };
    this.legend.show(colored, look.theme.dark);
  }

  /** Shows the choice of un-warping where there are ellipses, as the settings have it. */
  offerUnwarping(offered: boolean): void {
    this.unwarping.hidden = !offered;
    this.unwarp.checked = this.settings.unwarp;
  }

  mark(marks: Marks): void {
    this.plot.mark(marks);
  }

  /** Writes what is known of the pointed, picked and selected rows of a moment. */
  tell(moment: Moment, clear: () => void, between: (fraction: number) => void): void {
    const { hovered, picked, graph, weights, path } = moment;
    const { data } = moment.shared;
    const selected = [...(moment.selected ?? [])];
    const row = hovered >= 0 ? hovered : picked.at(-1);
    const parts: Node[] = [];
    if (selected.length > 0)
      parts.push(
        ...selectionView(
          data,
          selected,
          () => download("selection.csv", new Blob([table(data, selected)], { type: "text/csv" })),
          clear,
        ),
      );
    const [from, to] = picked;
    if (from !== undefined && to !== undefined && path) {
      parts.push(...pathView(data, path, from, to));
      const pair = `${moment.shared.name}: ${picked.join()}`;
      if (this.pair !== pair || !this.slider) {
        this.pair = pair;
        this.slider = new Slider({
          label: "new point",
          title: "a new point on the line between the two, placed by every method",
          low: 0,
          high: 1,
          whole: false,
          value: 0,
          change: between,
        });
        fill(this.problems);
      }
      parts.push(this.slider.element, this.problems);
    }
    if (row !== undefined) parts.push(...pointView(data, row, graph));
    if (from !== undefined && to === undefined && weights && (hovered < 0 || hovered === from))
      parts.push(...weightView(data, weights, from));
    fill(this.point, ...parts);
    if (parts.length === 0) this.resting();
  }

  /** Draws a new point in the data, the most recently requested one. */
  async place(point: Float64Array | undefined): Promise<void> {
    const { data, client } = this;
    const asked = ++this.asked;
    if (point && data && client && data.columns > 3) {
      const placed = await client
        .request({ type: "transform", model: this.model, points: point, columns: data.columns })
        .catch(() => undefined);
      point = placed?.value.coordinates;
      if (asked !== this.asked || data !== this.data) return;
    }
    this.plot.placed = point;
    this.plot.redrawMarks();
  }

  /** Shows why methods could not place the new point. */
  placed(problems: readonly string[]): void {
    fill(this.problems, ...[...new Set(problems)].map((problem) => h("p", {}, problem)));
  }

  /** Changes between the width of a map and the width of the page, on a narrow screen. */
  private enlarge(): void {
    this.element.querySelector("figure")?.classList.toggle("large");
    this.plot.redraw();
  }

  private resting(): void {
    fill(
      this.point,
      h(
        "p",
        { class: "soft" },
        "Point at a point in any picture to see it in all of them. ",
        this.live
          ? "Click one for its weights, two for the path between them."
          : "Weights of a point and paths between two are for methods fitted here: change a setting.",
      ),
    );
  }
}

async function picture({ name, data }: Shared, client: Client, model: string): Promise<Cloud> {
  const rows = allRows(data.n);
  if (data.columns <= 3) {
    return { values: data.points, dim: data.columns, rows };
  }
  const dim = Math.min(3, data.n - 1);
  try {
    const { value } = await client.request({
      type: "fit",
      data: name,
      method: "pca",
      model,
      settings: { dim: String(dim) },
    });
    client.models.set(model, name);
    return { values: value.coordinates, dim: value.columns, rows };
  } catch {
    // Data without any variance: the first columns.
    return {
      values: Float64Array.from({ length: 3 * data.n }, (_, i) =>
        present(data.points[Math.floor(i / 3) * data.columns + (i % 3)]),
      ),
      dim: 3,
      rows,
    };
  }
}

function table(data: Data, rows: readonly number[]): string {
  const named = data.row_names ? [data.row_names] : [];
  const lines = rows.map((row) =>
    [
      data.rows ? present(data.rows[row]) : row,
      ...named.map(({ values }) => quoted(present(values[row]))),
      ...data.points.subarray(row * data.columns, (row + 1) * data.columns),
    ].join(","),
  );
  const names = Array.from({ length: data.columns }, (_, a) => quoted(columnName(data, a)));
  const header = ["row", ...named.map(({ name }) => quoted(name)), ...names].join(",");
  return `${[header, ...lines].join("\n")}\n`;
}
