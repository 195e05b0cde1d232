/** Names of rows next to their points. */

import { present } from "../present.js";
import { css } from "./color.js";
import type { Look, Projected } from "./look.js";

/** Most points whose names are drawn: among more there is no space. */
const MOST = 2000;
const HEIGHT = 12;
/** Widest name; longer ones are cut. */
const WIDEST = 120;

interface Box {
  x: number;
  y: number;
  width: number;
}

/**
 * Draws the name of each point to its right, its left, above or below it, where that covers no point and no other
 * name and lies within the picture; earlier points first.
 */
export function paintNames(
  context: CanvasRenderingContext2D,
  plot: Projected,
  look: Look,
  rows: Int32Array,
  names: readonly string[],
): void {
  const { pixels, width, height } = plot;
  if (rows.length > MOST) return;
  const radius = plot.radius();
  const gap = radius + 3;
  const seen = Array.from(rows.keys()).filter((i) => look.faint[present(rows[i])] !== 2);
  const covers = ({ x, y, width }: Box) =>
    seen.some((i) => {
      const [px, py] = [present(pixels[3 * i]), present(pixels[3 * i + 1])];
      return px > x - radius && px < x + width + radius && py > y - radius && py < y + HEIGHT + radius;
    });
  const drawn: Box[] = [];
  const free = (box: Box) =>
    box.x >= 0 &&
    box.x + box.width <= width &&
    box.y >= 0 &&
    box.y + HEIGHT <= height &&
    !covers(box) &&
    !drawn.some(
      (other) =>
        box.x < other.x + other.width && other.x < box.x + box.width && Math.abs(box.y - other.y) < HEIGHT,
    );
  context.save();
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.fillStyle = css(look.theme.ink);
  for (const i of seen) {
    const name = names[present(rows[i])]?.trim();
    if (!name || look.faint[present(rows[i])]) continue;
    const [x, y] = [present(pixels[3 * i]), present(pixels[3 * i + 1])];
    const wide = Math.min(WIDEST, context.measureText(name).width);
    const box = [
      [x + gap, y - HEIGHT / 2],
      [x - gap - wide, y - HEIGHT / 2],
      [x - wide / 2, y - gap - HEIGHT],
      [x - wide / 2, y + gap],
    ]
      .map(([left, top]) => ({ x: present(left), y: present(top), width: wide }))
      .find(free);
    if (!box) continue;
    drawn.push(box);
    context.fillText(name, box.x, box.y + HEIGHT / 2, WIDEST);
  }
  context.restore();
}
