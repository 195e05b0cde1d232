/** Exports of a panel: pictures, coordinates, the command that repeats it. */

import { allRows } from "../draw/cloud.js";
import type { Plot } from "../draw/plot.js";
import type { Shared } from "../engine/pool.js";
import type { Data, Fit, MethodInfo } from "../protocol.js";
import { reasonOf } from "../reason.js";
import type { Colored } from "../state/coloring.js";
import { csv, svg, type Words } from "../state/export.js";
import { type Chosen, listed } from "../state/settings.js";
import { button, download, h } from "./dom.js";
import { drawnOf, sheet } from "./sheet.js";

/** Pixels of the side of a map that is saved. */
const SIDE = 1200;

/** The map that is exported. */
export interface Shown {
  readonly info: MethodInfo;
  readonly chosen: Chosen;
  readonly title: string;
  readonly plot: Plot;
  readonly fit: Fit | undefined;
  readonly shared: Shared | undefined;
}

/** What an export needs of the page. */
export interface Sources {
  /** The command line that repeats the map. */
  command(): Promise<string>;
  /** Texts of the rows: columns of the table in addition to the coordinates. */
  words(data: Data): Words[];
  /** Adds another panel with the same parameters. */
  duplicate(): void;
  /** Does something while all pictures have the colors of white paper; it gets the colors of the legend. */
  onPaper(work: (colored: Colored | undefined) => void): void;
}

/** Buttons that export the contents of a panel. */
export function exports(panel: Shown, sources: Sources): HTMLElement[] {
  const { info, plot } = panel;
  const name = () =>
    [panel.shared?.data.title ?? "data", ...listed(panel.chosen).flat()]
      .join("-")
      .replace(/[^\p{L}\p{N}._-]+/gu, "-");
  const vector = () =>
    sources.onPaper((colored) => {
      const [cloud, coloring] = [plot.cloud, plot.coloring];
      if (!cloud || !coloring) return;
      const size: [number, number] = [plot.width, plot.height];
      const drawing = svg(
        panel.title,
        plot.pixels,
        cloud.rows,
        coloring,
        size,
        plot.radius(),
        drawnOf(plot, colored),
      );
      download(`${name()}.svg`, new Blob([drawing], { type: "image/svg+xml" }));
    });
  const command = button("command", "copy the command line that repeats this map", () => {
    problem.hidden = true;
    sources
      .command()
      .then((line) => copy(line, command))
      .catch((error: unknown) => {
        problem.textContent = reasonOf(error);
        problem.hidden = false;
      });
  });
  const problem = h("p", { class: "warn", role: "status", hidden: true });
  return [
    button("PNG", "save this picture as PNG", () =>
      sources.onPaper((colored) =>
        sheet([{ title: panel.title, plot }], colored, SIDE).toBlob(
          (blob) => blob && download(`${name()}.png`, blob),
        ),
      ),
    ),
    button("SVG", "save this picture as SVG", vector),
    button("CSV", "save the coordinates as CSV", () => {
      const { fit, shared } = panel;
      if (!fit || !shared) return;
      const rows = fit.rows ? Int32Array.from(fit.rows) : allRows(fit.n);
      const table = csv({ values: fit.coordinates, dim: fit.columns, rows }, sources.words(shared.data));
      download(`${name()}.csv`, new Blob([table], { type: "text/csv" }));
    }),
    command,
    button("duplicate", `duplicate: another panel of ${info.title} with these parameters`, () =>
      sources.duplicate(),
    ),
    problem,
  ];
}

/** Copies text, or shows it where the browser refuses to copy. */
export async function copy(text: string, at: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    const before = at.textContent;
    at.textContent = "copied";
    setTimeout(() => (at.textContent = before), 1200);
  } catch {
    window.prompt("Copy:", text);
  }
}
