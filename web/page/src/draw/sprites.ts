/** Pictures of the discs by which points are drawn, one per color. */

import { present } from "../present.js";
import { css, type Rgb } from "./color.js";

/** A row of square cells of one size, each with a disc of one color. */
export interface Sprites {
  picture: HTMLCanvasElement;
  cell: number;
}

const kept = new Map<string, Sprites>();
const MOST_KEPT = 24;

/** Discs of the given colors with a radius in device pixels; the last few sets are kept. */
export function sprites(colors: readonly Rgb[], radius: number, ring: Rgb | undefined): Sprites {
  const key = `${radius}|${ring?.join() ?? ""}|${colors.map((color) => color.join()).join(";")}`;
  const known = kept.get(key);
  if (known) return known;
  const cell = Math.ceil(2 * radius + 3);
  const picture = document.createElement("canvas");
  picture.width = cell * colors.length;
  picture.height = cell;
  const context = present(picture.getContext("2d"));
  colors.forEach((color, i) => {
    context.beginPath();
    context.arc(cell * (i + 0.5), cell / 2, radius, 0, 2 * Math.PI);
    context.fillStyle = css(color);
    context.fill();
    if (ring) {
      context.strokeStyle = css(ring);
      context.lineWidth = Math.max(0.5, radius * 0.2);
      context.stroke();
    }
  });
  if (kept.size >= MOST_KEPT) kept.delete(present(kept.keys().next().value));
  const made = { picture, cell };
  kept.set(key, made);
  return made;
}
