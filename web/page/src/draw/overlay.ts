/** Places that belong to the points of a map: where points jump, and the axes of ellipses. */

import { type Camera, type Frame, project } from "../math/camera.js";
import { type Unwarp, unwarpedVector, unwarping } from "../math/unwarp.js";
import { present } from "../present.js";
import type { Cloud } from "./cloud.js";
import { MARGIN, type Projected } from "./look.js";

const CORNERS = 28;
const HEAD = 7;
/** The standard deviation of the weight of an un-warping, as a part of the extent of the map. */
const WIDTH = 0.12;

export interface Overlay {
  /** The cloud that the places are in. */
  cloud: Cloud;
  /** One place per point, where it jumps, or the ends of the axes of its ellipse. */
  kind: "jumps" | "ellipses";
  count: number;
  /** `count` places per point of the cloud; NaN where there are none. */
  values: Float64Array;
  /** The points whose places are drawn; of others while they are pointed at. */
  drawn: Uint32Array;
}

/** A picture whose places can be projected. */
export interface Canvas extends Projected {
  readonly camera: Camera;
  readonly frame: Frame;
  /** Pixels of the points without un-warping. */
  readonly places: Float32Array;
  /** How the picture is un-warped. */
  readonly warp: Unwarp | undefined;
}

/** How the picture of a map of two dimensions is un-warped around a point; `undefined` where it has no ellipse. */
export function unwarpingAt(overlay: Overlay, plot: Canvas, point: number): Unwarp | undefined {
  const [first, second] = vectors(overlay, plot, point) ?? [];
  if (!first || !second) return undefined;
  const side = plot.camera.zoom * (Math.min(plot.width, plot.height) - 2 * MARGIN);
  return unwarping(pixel(plot.places, point), first, second, WIDTH * side);
}

/** From a point to its places, in pixels; `undefined` where it has none. */
function vectors(
  { values, count, cloud: { dim } }: Overlay,
  plot: Canvas,
  point: number,
): [number, number][] | undefined {
  const places = values.subarray(point * count * dim, (point + 1) * count * dim);
  if (places.length === 0 || Number.isNaN(places[0])) return undefined;
  const out = new Float32Array(3 * count);
  project(places, dim, plot.frame, plot.camera, plot.width, plot.height, MARGIN, out);
  const [x, y] = pixel(plot.places, point);
  return Array.from({ length: count }, (_, i) => {
    const [endX, endY] = pixel(out, i);
    return [endX - x, endY - y];
  });
}

const pixel = (pixels: Float32Array, i: number): [number, number] => [
  present(pixels[3 * i]),
  present(pixels[3 * i + 1]),
];

/** Draws what belongs to some points. */
export function paintOverlay(
  context: CanvasRenderingContext2D,
  plot: Canvas,
  overlay: Overlay,
  points: ArrayLike<number>,
  { color, width, alpha }: { color: string; width: number; alpha: number },
): void {
  context.save();
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = width;
  context.globalAlpha = alpha;
  for (let p = 0; p < points.length; p++) {
    const point = present(points[p]);
    const found = vectors(overlay, plot, point);
    if (!found) continue;
    const { warp } = plot;
    const place = pixel(plot.places, point);
    const [first, second = [0, 0]] = warp ? found.map((axis) => unwarpedVector(warp, place, axis)) : found;
    if (overlay.kind === "jumps") arrow(context, pixel(plot.pixels, point), present(first));
    else ellipse(context, pixel(plot.pixels, point), present(first), second);
  }
  context.restore();
}

function arrow(
  context: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  [dx, dy]: readonly [number, number],
): void {
  const length = Math.hypot(dx, dy);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + dx, y + dy);
  context.stroke();
  if (length < HEAD) return;
  const [ux, uy] = [(HEAD * dx) / length, (HEAD * dy) / length];
  context.beginPath();
  context.moveTo(x + dx, y + dy);
  context.lineTo(x + dx - ux - 0.4 * uy, y + dy - uy + 0.4 * ux);
  context.lineTo(x + dx - ux + 0.4 * uy, y + dy - uy - 0.4 * ux);
  context.fill();
}

/** The ellipse with two conjugate half axes. */
function ellipse(
  context: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  [ux, uy]: readonly [number, number],
  [vx, vy]: readonly [number, number],
): void {
  context.beginPath();
  for (let corner = 0; corner < CORNERS; corner++) {
    const angle = (2 * Math.PI * corner) / CORNERS;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    context.lineTo(x + c * ux + s * vx, y + c * uy + s * vy);
  }
  context.closePath();
  context.stroke();
}
