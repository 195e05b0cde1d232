/** Files made of a panel: SVG and CSV. */

import type { Cloud } from "../draw/cloud.js";
import { type Coloring, hex } from "../draw/color.js";

/** Text with the characters that markup gives a meaning replaced. */
export function escapeMarkup(text: string): string {
  const names: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => names[character]!);
}

/** A picture of the points at the given pixels (x, y, depth for each). */
export function svg(
  title: string,
  pixels: Float32Array,
  rows: Int32Array,
  coloring: Coloring,
  size: [number, number],
  radius: number,
): string {
  const [width, height] = size.map(Math.round) as [number, number];
  const order = [...rows.keys()].sort((a, b) => pixels[3 * a + 2]! - pixels[3 * b + 2]!);
  const circles = order.map((i) => {
    const color = coloring.colors[Math.min(coloring.colors.length - 1, coloring.bins[rows[i]!]!)]!;
    return `<circle cx="${pixels[3 * i]!.toFixed(2)}" cy="${pixels[3 * i + 1]!.toFixed(2)}" r="${radius.toFixed(2)}" fill="${hex(color)}"/>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">` +
    `<title>${escapeMarkup(title)}</title>\n${circles.join("\n")}\n</svg>\n`
  );
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
