/** Places that belong to the points of a map: where points jump, and the axes of ellipses. */

import { type Camera, type Frame, project } from "../math/camera.js";
import { present } from "../present.js";
import type { Cloud } from "./cloud.js";
import type { Projected } from "./look.js";

const CORNERS = 28;
const HEAD = 7;

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
}

/** Draws what belongs to some points. */
export function paintOverlay(
  context: CanvasRenderingContext2D,
  plot: Canvas,
  { kind, count, values, cloud: { dim } }: Overlay,
  points: ArrayLike<number>,
  { color, width, alpha }: { color: string; width: number; alpha: number },
): void {
  const out = new Float32Array(3 * count);
  context.save();
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = width;
  context.globalAlpha = alpha;
  for (let p = 0; p < points.length; p++) {
    const point = present(points[p]);
    const places = values.subarray(point * count * dim, (point + 1) * count * dim);
    if (places.length === 0 || Number.isNaN(places[0])) continue;
    project(places, dim, plot.frame, plot.camera, plot.width, plot.height, 10, out);
    const [x, y] = [present(plot.pixels[3 * point]), present(plot.pixels[3 * point + 1])];
    const ends = Array.from(
      { length: count },
      (_, i) => [present(out[3 * i]) - x, present(out[3 * i + 1]) - y] as const,
    );
    if (kind === "jumps") arrow(context, [x, y], present(ends[0]));
    else ellipse(context, [x, y], present(ends[0]), ends[1] ?? [0, 0]);
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
