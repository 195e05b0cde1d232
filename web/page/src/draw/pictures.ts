/** Pictures of rows at the points of a cloud. */

import { present } from "../present.js";
import { colorOf, css } from "./color.js";
import type { Look, Projected } from "./look.js";

/** Draws pictures at points that are far enough from points with a picture. */
export function paintPictures(
  context: CanvasRenderingContext2D,
  { pixels, width, height }: Projected,
  look: Look,
  rows: Int32Array,
  picture: (row: number) => CanvasImageSource,
): void {
  const side = Math.max(18, Math.min(40, width / 14));
  const places: [number, number][] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = present(rows[i]);
    const [x, y] = [present(pixels[3 * i]), present(pixels[3 * i + 1])];
    if (look.faint[row] || x < side / 2 || y < side / 2 || x > width - side / 2 || y > height - side / 2)
      continue;
    if (places.some(([px, py]) => Math.abs(px - x) < 1.25 * side && Math.abs(py - y) < 1.25 * side)) continue;
    places.push([x, y]);
    context.fillStyle = css(colorOf(look.coloring, row));
    context.fillRect(x - side / 2 - 1.5, y - side / 2 - 1.5, side + 3, side + 3);
    context.drawImage(picture(row), x - side / 2, y - side / 2, side, side);
  }
}
