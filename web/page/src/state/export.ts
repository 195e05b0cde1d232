/** Files made of a panel: SVG and CSV. */

import type { Cloud } from "../draw/cloud.js";
import { type Coloring, hex } from "../draw/color.js";
import { present } from "../present.js";

/** Text with the characters that markup gives a meaning replaced. */
export function escapeMarkup(text: string): string {
  const names: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => present(names[character]));
}

/** What a drawing shows apart from its points; rows are rows of the data, `points` their points or -1. */
export interface Drawn {
  faint: Uint8Array;
  picked: readonly number[];
  edges?: { pairs: Uint32Array; jumps: Uint8Array } | undefined;
  points: Int32Array;
  colors: { ground: string; ink: string; edge: string; alert: string };
  legend?: Entry[] | undefined;
}

/** An entry of a legend: a text with its color, or without one. */
export interface Entry {
  text: string;
  color?: string;
}

/** Pixels of a line of a legend. */
const LINE = 16;

/** A picture of the points at the given pixels (x, y, depth for each). */
export function svg(
  title: string,
  pixels: Float32Array,
  rows: Int32Array,
  coloring: Coloring,
  size: [number, number],
  radius: number,
  drawn?: Drawn,
): string {
  const [width, height] = size.map(Math.round) as [number, number];
  const place = (i: number): [string, string] => [
    (pixels[3 * i] ?? 0).toFixed(2),
    (pixels[3 * i + 1] ?? 0).toFixed(2),
  ];
  // Selected points are drawn over the others.
  const faint = (i: number) => (drawn?.faint[rows[i] ?? 0] ? 0 : 1);
  const order = [...rows.keys()].sort(
    (a, b) => faint(a) - faint(b) || (pixels[3 * a + 2] ?? 0) - (pixels[3 * b + 2] ?? 0),
  );
  const circles = order.map((i) => {
    const bin = Math.min(coloring.colors.length - 1, coloring.bins[rows[i] ?? 0] ?? 0);
    const [x, y] = place(i);
    const pale = faint(i) === 0 ? ' opacity="0.13"' : "";
    return `<circle cx="${x}" cy="${y}" r="${radius.toFixed(2)}" fill="${hex(coloring.colors[bin] ?? [0, 0, 0])}"${pale}/>`;
  });
  const entries = drawn?.legend ?? [];
  const whole = height + (entries.length > 0 ? LINE * (entries.length + 0.5) : 0);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${whole}" width="${width}" height="${whole}" role="img">` +
    `<title>${escapeMarkup(title)}</title>\n` +
    (drawn ? `<rect width="${width}" height="${whole}" fill="${drawn.colors.ground}"/>\n` : "") +
    (drawn?.edges ? lines(drawn, drawn.edges, place) : "") +
    `${circles.join("\n")}\n` +
    (drawn ? rings(drawn, place, radius) + legend(entries, height, drawn.colors.ink) : "") +
    "</svg>\n"
  );
}

/** The edges of the graph, suspected shortcuts in the color of warnings. */
function lines(
  { points, colors }: Drawn,
  { pairs, jumps }: NonNullable<Drawn["edges"]>,
  place: (i: number) => [string, string],
): string {
  const paths: [string, string] = ["", ""];
  jumps.forEach((jump, e) => {
    const [a = -1, b = -1] = [points[pairs[2 * e] ?? -1], points[pairs[2 * e + 1] ?? -1]];
    if (a >= 0 && b >= 0) paths[jump ? 1 : 0] += `M${place(a).join(" ")}L${place(b).join(" ")}`;
  });
  return paths
    .map((path, jump) =>
      path === ""
        ? ""
        : `<path d="${path}" fill="none" stroke="${jump ? colors.alert : colors.edge}" stroke-width="${jump ? 1.6 : 0.7}"/>\n`,
    )
    .join("");
}

/** Rings around picked points. */
function rings(
  { picked, points, colors }: Drawn,
  place: (i: number) => [string, string],
  radius: number,
): string {
  const size = (radius + 3).toFixed(2);
  return picked
    .map((row) => points[row] ?? -1)
    .filter((point) => point >= 0)
    .map((point) => {
      const [x, y] = place(point);
      return `<ellipse cx="${x}" cy="${y}" rx="${size}" ry="${size}" fill="none" stroke="${colors.alert}" stroke-width="2.4"/>\n`;
    })
    .join("");
}

function legend(entries: readonly Entry[], top: number, ink: string): string {
  return entries
    .map(({ text, color }, i) => {
      const y = top + LINE * (i + 1);
      const mark =
        color === undefined ? "" : `<rect x="6" y="${y - 9}" width="9" height="9" fill="${color}"/>`;
      return `${mark}<text x="${color === undefined ? 6 : 20}" y="${y}" font-family="sans-serif" font-size="11" fill="${ink}">${escapeMarkup(text)}</text>\n`;
    })
    .join("");
}

/** A text for each row, under its title. */
export interface Words {
  title: string;
  of: (row: number) => string;
}

/** One line per point: its row, its texts, its coordinates. */
export function csv(cloud: Cloud, words: readonly Words[]): string {
  const names = [
    "row",
    ...words.map(({ title }) => quoted(title)),
    ...Array.from({ length: cloud.dim }, (_, a) => `y${a + 1}`),
  ];
  const lines = [names.join(",")];
  cloud.rows.forEach((row, i) => {
    const text = words.map(({ of }) => quoted(of(row)));
    const values = cloud.values.subarray(i * cloud.dim, (i + 1) * cloud.dim);
    lines.push([row, ...text, ...values].join(","));
  });
  return `${lines.join("\n")}\n`;
}

/** A field of a line of comma-separated values. */
export function quoted(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
