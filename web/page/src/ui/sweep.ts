/** Every method for several numbers of neighbors: small maps with a measure, side by side. */

import { colorOf, css } from "../draw/color.js";
import { theme } from "../draw/theme.js";
import type { Pool, Task } from "../engine/pool.js";
import { type Known, keyOf as recipeKey, requestOf, withK } from "../engine/start.js";
import { frame, project, START } from "../math/camera.js";
import { present } from "../present.js";
import type { Fit, MeasureInfo } from "../protocol.js";
import { isBest } from "../state/best.js";
import { button, fill, h, number } from "./dom.js";
import type { Panel } from "./panel.js";
import type { Wanted } from "./panel-fit.js";
import { averaged } from "./panel-report.js";

/** What a sweep needs of the page. */
export interface Sweeping {
  pool: Pool;
  panels: readonly Panel[];
  measures: readonly MeasureInfo[];
  wanted(panel: Panel): Wanted | undefined;
  oriented(panel: Panel, fit: Fit): Float64Array;
  known: Known;
  /** Sets k. */
  take(k: number): void;
}

/** Numbers of neighbors, about evenly spaced in their logarithm; the number in the settings is added. */
const STEPS = [4, 5, 6, 8, 10, 12, 15, 20, 30, 40] as const;

const SIZE = 84;
/** Measures look at this many rows. */
const MEASURED_ROWS = 500;

interface Cell {
  panel: Panel;
  element: HTMLElement;
  k: number;
  scores: Map<string, number>;
}

export class Sweep {
  readonly element = h("section", { class: "sweep", hidden: true, "aria-label": "sweep over k" });
  private tasks: Task[] = [];
  private cells: Cell[] = [];
  private measure = "trustworthiness";
  /** The panels that are swept, with the common part of their fits. */
  private swept: { panel: Panel; key: string }[] = [];

  constructor(private readonly page: Sweeping) {}

  /** Begins a sweep over the present data. */
  run(): void {
    this.stop();
    const { panels, measures } = this.page;
    const wanted = panels.flatMap((panel) => {
      const found = this.page.wanted(panel);
      return found && unswept(panel) === undefined ? [[panel, found] as const] : [];
    });
    this.swept = wanted.map(([panel, request]) => ({ panel, key: keyOf(request) }));
    const n = wanted[0]?.[1].data.data.n ?? 0;
    const own = wanted.flatMap(([, { common }]) => common.k ?? []);
    const steps = [...new Set([...STEPS, ...own])].filter((k) => k < n).sort((a, b) => a - b);
    const select = h(
      "select",
      {
        "aria-label": "measure of the sweep",
        title: "the score under each map of the sweep",
        onchange: () => this.show(select.value),
      },
      ...measures.map(({ name }) =>
        h("option", { value: name, selected: name === this.measure }, name.replaceAll("_", " ")),
      ),
    );
    const rows = wanted.map(([panel, request]) =>
      h("tr", {}, h("th", { scope: "row" }, panel.title), ...steps.map((k) => this.cell(panel, request, k))),
    );
    const head = h("tr", {}, h("td", {}), ...steps.map((k) => h("th", { scope: "col" }, `k = ${k}`)));
    fill(
      this.element,
      h(
        "div",
        { class: "title" },
        h("span", { class: "name" }, "Sweep over k"),
        select,
        button("×", "close the sweep", () => this.close()),
      ),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows))),
      h(
        "p",
        { class: "soft" },
        "Click a map to set k. The best value of each method is marked, where it is good.",
        ...left(panels),
      ),
      n > MEASURED_ROWS && h("p", { class: "soft" }, averaged(MEASURED_ROWS, n)),
    );
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Closes the sweep where its maps no longer fit the settings, except for k. */
  check(): void {
    const { panels } = this.page;
    const other = ({ panel, key }: { panel: Panel; key: string }) => {
      const wanted = this.page.wanted(panel);
      return panels.includes(panel) && wanted !== undefined && keyOf(wanted) !== key;
    };
    if (this.swept.some(other)) this.close();
  }

  close(): void {
    this.stop();
    this.element.hidden = true;
    fill(this.element);
  }

  private stop(): void {
    for (const task of this.tasks) this.page.pool.cancel(task);
    this.tasks = [];
    this.cells = [];
    this.swept = [];
  }

  private cell(panel: Panel, wanted: Wanted, k: number): HTMLElement {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const canvas = h("canvas", { width: SIZE * ratio, height: SIZE * ratio });
    const text = h("span", {}, "…");
    const map = h(
      "button",
      {
        type: "button",
        "aria-label": `${panel.title}, k = ${k}`,
        title: `${panel.title} for k = ${k}; a click sets k`,
        onclick: () => this.page.take(k),
      },
      canvas,
      text,
    );
    const element = h("td", { "data-method": panel.info.name }, map);
    const cell: Cell = { panel, element, k, scores: new Map() };
    this.cells.push(cell);
    const model = `sweep-${panel.info.name}`;
    const { data } = wanted;
    const task: Task = {
      urgency: "measure",
      data,
      run: async (client) => {
        const request = await requestOf(client, data, withK(wanted, k), model, this.page.known);
        const { value: fit } = await client.request({ ...request, steps: false });
        client.models.set(model, data.name);
        draw(canvas, this.page.oriented(panel, fit), Math.min(3, fit.columns), fit.rows, panel);
        const map = {
          coordinates: fit.coordinates,
          columns: fit.columns,
          ...(fit.rows ? { rows: fit.rows } : {}),
        };
        const { value } = await client.request({
          type: "measures",
          data: data.name,
          map,
          rows: MEASURED_ROWS,
        });
        for (const { name, value: score } of value.scores) cell.scores.set(name, score);
        this.show(this.measure);
      },
      failed: (failure) => {
        if (failure.kind === "cancelled") return;
        text.textContent = "–";
        map.title = failure.message;
        element.classList.add("failed");
      },
    };
    this.tasks.push(task);
    this.page.pool.add(task);
    return element;
  }

  /** Writes a measure under every map, and marks the best of each method. */
  private show(measure: string): void {
    this.measure = measure;
    const info = this.page.measures.find(({ name }) => name === measure);
    for (const cell of this.cells) {
      const score = cell.scores.get(measure);
      if (cell.scores.size === 0) continue;
      const row = this.cells.filter(({ panel }) => panel === cell.panel);
      const all = row.flatMap(({ scores }) => scores.get(measure) ?? []);
      const best = !!info && score !== undefined && isBest(info, score, all);
      cell.element.classList.toggle("best", best);
      if (best) cell.element.title = "blue: the best of this method, within the best fifth of the range";
      else cell.element.removeAttribute("title");
      present(cell.element.querySelector("span")).textContent = score === undefined ? "–" : number(score);
    }
  }
}

/** What the fits of a sweep have in common: all settings but k. */
function keyOf(wanted: Wanted): string {
  return JSON.stringify([wanted.data.name, recipeKey(withK(wanted, 0))]);
}

/** Why a panel is left out of a sweep. */
function unswept({ info, chosen }: Panel): "none" | "own" | undefined {
  if (info.parameters.every(({ name }) => name !== "k")) return "none";
  return chosen.set["k"] === undefined ? undefined : "own";
}

/** Which methods a sweep leaves out, and why. */
function left(panels: readonly Panel[]): string[] {
  const titles = (why: "none" | "own") =>
    panels
      .filter((panel) => unswept(panel) === why)
      .map(({ title }) => title)
      .join(", ");
  const [none, own] = [titles("none"), titles("own")];
  return [
    none && ` Left out, without a parameter k: ${none}.`,
    own && ` Left out, with a k of their own: ${own}.`,
  ];
}

function draw(
  canvas: HTMLCanvasElement,
  values: Float64Array,
  dim: number,
  rows: Uint32Array | null,
  panel: Panel,
): void {
  const coloring = panel.plot.coloring;
  const context = present(canvas.getContext("2d"));
  const pixels = new Float32Array((3 * values.length) / dim);
  project(values, dim, frame(values, dim), START, canvas.width, canvas.height, 4, pixels);
  const ink = css(theme().ink);
  const size = Math.max(1, (1.6 * canvas.width) / 100);
  for (let i = 0; 3 * i < pixels.length; i++) {
    const row = rows ? present(rows[i]) : i;
    context.fillStyle = coloring ? css(colorOf(coloring, row)) : ink;
    context.fillRect(present(pixels[3 * i]) - size / 2, present(pixels[3 * i + 1]) - size / 2, size, size);
  }
}
