/** Which columns of the data drive a map, or the points that are selected in it: a list with bars. */

import { Latest } from "../engine/latest.js";
import { present } from "../present.js";
import type { Data, Drivers as Found } from "../protocol.js";
import { columnName } from "../state/coloring.js";
import { fill, h, number } from "./dom.js";

/** Most columns of data whose drivers are listed. */
const MOST_COLUMNS = 500;
/** Columns that are listed. */
export const LISTED = 6;

export class Drivers {
  private readonly summary = h("summary", {
    title: "the columns of the data along which points move most in the map",
  });
  private readonly list = h("div", {});
  readonly element = h("details", { class: "drivers", hidden: true }, this.summary, this.list);
  private readonly asking = new Latest();
  private data: Data | undefined;
  private rows: ReadonlySet<number> | undefined;

  constructor(
    private readonly title: () => string,
    /** What was found, or why nothing was; `undefined` where a newer map comes. */
    private readonly ask: (rows: Uint32Array | undefined) => Promise<Found | string | undefined>,
  ) {
    this.element.addEventListener("toggle", () => this.compute());
  }

  /** A new map of these data, or none that the engine has a model of. */
  show(data: Data | undefined): void {
    this.data = data;
    const columns = data?.columns ?? 0;
    this.element.hidden = columns < 2 || columns > MOST_COLUMNS || data?.images !== null;
    this.compute();
  }

  /** Selected rows of the data; `undefined` for all. */
  select(rows: ReadonlySet<number> | undefined): void {
    if (rows === this.rows) return;
    this.rows = rows;
    this.compute();
  }

  private compute(): void {
    const { data, rows } = this;
    const what = rows ? `the ${rows.size} selected points` : "this map";
    this.summary.textContent = `what drives ${what}`;
    this.summary.setAttribute("aria-label", `what drives ${what}: ${this.title()}`);
    if (!this.element.open || this.element.hidden || !data) return;
    if (this.list.childElementCount === 0) fill(this.list, h("p", { class: "soft" }, "computing…"));
    this.asking.run(async () => {
      const found = await this.ask(rows && Uint32Array.from([...rows].sort((a, b) => a - b)));
      if (!found || this.data !== data || this.rows !== rows) return;
      if (typeof found === "string") fill(this.list, h("p", { class: "soft" }, found));
      else this.write(data, found);
    });
  }

  private write(data: Data, { points, columns, importance, spread, certainty, exact }: Found): void {
    if (points === 0) {
      fill(this.list, h("p", { class: "soft" }, "The map has none of these points."));
      return;
    }
    const largest = importance[0] || 1;
    const row = (column: number, i: number) => {
      const bar = h("span", {});
      bar.style.width = `${((100 * present(importance[i])) / largest).toFixed(1)}%`;
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, columnName(data, column)),
        h("td", { class: "bar" }, bar),
        h("td", {}, `${number(present(importance[i]))} ± ${number(present(spread[i]))}`),
      );
    };
    const rows = Array.from(columns, row);
    const how = exact
      ? "Exact, because the map is linear."
      : `By local regressions, with R² ${certainty === null ? "–" : certainty.toFixed(2)}.`;
    fill(
      this.list,
      h("table", {}, ...rows),
      h(
        "p",
        { class: "soft" },
        `How far a point moves in the map per standard deviation of a column. ${how}`,
      ),
    );
  }
}
