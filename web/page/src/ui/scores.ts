/** All scores of all maps in a table that can be sorted and saved. */

import type { MeasureInfo } from "../protocol.js";
import { BEST, isBest } from "../state/best.js";
import { quoted } from "../state/export.js";
import { listed } from "../state/settings.js";
import { button, download, fill, h, number } from "./dom.js";
import type { Panel } from "./panel.js";

/** Which column sorts the table, and in which order. */
interface Order {
  column: string;
  descending: boolean;
}

export class ScoreTable {
  readonly element = h("details", { class: "all" });
  private order: Order | undefined;
  /** The measures of the last table: they stay while their scores are computed anew. */
  private shown: readonly MeasureInfo[] = [];
  private readonly table = h("table", {});
  private readonly over = h("p", { class: "soft" });

  constructor(
    private readonly panels: readonly Panel[],
    private readonly measures: readonly MeasureInfo[],
  ) {
    const save = button("CSV", "save the table as CSV", () =>
      download("scores.csv", new Blob([this.text()], { type: "text/csv" })),
    );
    this.element.append(
      h("summary", { title: "every score of every map, in a table that is sorted by a click" }, "all scores"),
      h("div", { class: "scroll" }, this.table),
      this.over,
      h("p", { class: "soft" }, `Blue: ${BEST}.`),
      h("div", { class: "buttons" }, save),
    );
    this.element.addEventListener("toggle", () => this.show());
  }

  /** Writes the scores of the maps that are shown, where the table is open. */
  show(): void {
    if (!this.element.open) return;
    const columns = this.columns();
    const all = columns.map(({ name }) => this.panels.flatMap((panel) => value(panel, name) ?? []));
    const heading = (name: string, title: string) => {
      const sorted =
        this.order?.column === name ? (this.order.descending ? "descending" : "ascending") : "none";
      return h(
        "th",
        { scope: "col", "aria-sort": sorted, title },
        button(name.replaceAll("_", " "), `sort by ${name.replaceAll("_", " ")}`, () => this.sort(name)),
      );
    };
    const row = (panel: Panel) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, panel.title),
        h("td", {}, panel.milliseconds === undefined ? "–" : number(panel.milliseconds)),
        ...columns.map((info, i) => {
          const score = value(panel, info.name);
          return h(
            "td",
            score !== undefined && isBest(info, score, all[i] ?? [])
              ? { class: "best", title: `blue: ${BEST}` }
              : {},
            score === undefined ? panel.blank : number(score),
          );
        }),
      );
    this.over.textContent = [...new Set(this.panels.flatMap((panel) => panel.averaged ?? []))].join(" ");
    fill(
      this.table,
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          heading("ms", "time of the fit"),
          ...columns.map((info) => heading(info.name, `${info.meaning}; ${info.better} is better`)),
        ),
      ),
      h("tbody", {}, ...this.sorted().map(row)),
    );
  }

  private columns(): MeasureInfo[] {
    const computing = this.panels.some(({ blank }) => blank === "…");
    this.shown = this.measures.filter(
      (info) =>
        (computing && this.shown.includes(info)) ||
        this.panels.some((panel) => value(panel, info.name) !== undefined),
    );
    return [...this.shown];
  }

  private sort(column: string): void {
    const better = this.measures.find(({ name }) => name === column)?.better;
    this.order =
      this.order?.column === column
        ? { column, descending: !this.order.descending }
        : { column, descending: better === "higher" };
    this.show();
  }

  /** The panels in the order of a column; panels without a value are last. */
  private sorted(): Panel[] {
    const { order } = this;
    if (!order) return [...this.panels];
    const key = (panel: Panel) => {
      const found = order.column === "ms" ? panel.milliseconds : value(panel, order.column);
      return found === undefined ? Infinity : order.descending ? -found : found;
    };
    return [...this.panels].sort((a, b) => key(a) - key(b) || 0);
  }

  private text(): string {
    const columns = this.columns();
    const lines = this.sorted().map((panel) =>
      [
        quoted(
          listed(panel.chosen)
            .map((part) => part.join("="))
            .join(" "),
        ),
        panel.milliseconds ?? "",
        ...columns.map(({ name }) => value(panel, name) ?? ""),
      ].join(","),
    );
    const header = ["method", "milliseconds", ...columns.map(({ name }) => name)].join(",");
    return `${[header, ...lines].join("\n")}\n`;
  }
}

function value(panel: Panel, name: string): number | undefined {
  return panel.raw.find((score) => score.name === name)?.value;
}
