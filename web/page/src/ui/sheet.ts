/** Pictures for files: maps with their titles and the legend, on white paper. */

import { css, ramp } from "../draw/color.js";
import type { Plot } from "../draw/plot.js";
import { theme } from "../draw/theme.js";
import type { Colored } from "../state/coloring.js";
import type { Drawn, Entry } from "../state/export.js";
import { endTexts } from "./legend.js";

/** A map of a sheet. */
export interface Mapped {
  title: string;
  plot: Plot;
}

/** Most entries of a legend. */
const MOST = 30;
/** Steps of a ramp in a legend. */
const STEPS = 5;

/** The entries of a legend: its title, then classes or steps of the ramp. */
export function entries({ legend, coloring }: Colored): Entry[] {
  const title = { text: legend.title };
  if (legend.kind === "classes") {
    const shown = legend.classes.slice(0, MOST).map((text, i) => ({
      text,
      color: css(coloring.colors[i] ?? [0, 0, 0]),
    }));
    const more = legend.classes.length - shown.length;
    return [title, ...shown, ...(more > 0 ? [{ text: `and ${more} more` }] : [])];
  }
  const [low, high] = endTexts(legend);
  const { dark } = theme();
  return [
    title,
    ...Array.from({ length: STEPS }, (_, i) => ({
      text: i === 0 ? low : i === STEPS - 1 ? high : "",
      color: css(ramp(i / (STEPS - 1), dark)),
    })),
  ];
}

/** What a drawing of a plot shows apart from its points, with a legend. */
export function drawnOf(plot: Plot, colored: Colored | undefined): Drawn {
  const { look, marks, points } = plot.drawn;
  const { ground, ink, edge, alert } = theme();
  return {
    faint: look?.faint ?? new Uint8Array(0),
    picked: marks.picked,
    edges: look?.edges,
    points,
    colors: { ground: css(ground), ink: css(ink), edge, alert },
    legend: colored && entries(colored),
  };
}

/** One picture of maps in rows, each with its title, and the legend below; `side` is the number of pixels of a map's side. */
export function sheet(
  maps: readonly Mapped[],
  colored: Colored | undefined,
  side: number,
): HTMLCanvasElement {
  const { ground, ink } = theme();
  const columns = Math.min(maps.length, Math.ceil(Math.sqrt(maps.length)));
  const unit = side / 40;
  const text = 1.4 * unit;
  const [wide, tall] = [side + unit, side + 3 * unit];
  const list = colored ? entries(colored) : [];
  const width = Math.ceil(columns * wide + unit);
  const below = Math.ceil(maps.length / columns) * tall;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  canvas.width = width;
  // The legend is written from left to right, in as many lines as it needs.
  context.font = `${text}px system-ui, sans-serif`;
  let [x, line] = [unit, 0];
  const placed = list.map((entry) => {
    const length =
      (entry.color === undefined ? 0 : 1.6 * unit) + context.measureText(entry.text).width + unit;
    if (x + length > width && x > unit) [x, line] = [unit, line + 1];
    const at = { ...entry, x, line };
    x += length;
    return at;
  });
  canvas.height = Math.ceil(below + (list.length > 0 ? 2 * unit * (line + 1) + unit : 0));
  context.fillStyle = css(ground);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = `${text}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  maps.forEach(({ title, plot }, i) => {
    const [left, top] = [unit + (i % columns) * wide, Math.floor(i / columns) * tall];
    context.fillStyle = css(ink);
    context.fillText(title, left, top + 1.6 * unit, side);
    context.drawImage(plot.snapshot(side), left, top + 3 * unit, side, side);
  });
  for (const { text, color, x, line } of placed) {
    const y = below + 2 * unit * (line + 0.75);
    if (color !== undefined) {
      context.fillStyle = color;
      context.fillRect(x, y - unit / 2, unit, unit);
    }
    context.fillStyle = css(ink);
    context.fillText(text, x + (color === undefined ? 0 : 1.6 * unit), y);
  }
  return canvas;
}
