/** The view of a cloud: rotation of three dimensions, zoom and shift. */

import { present } from "../present.js";

/** Angles in radians; zoom 1 shows the whole cloud; shift in units of the half extent. */
export interface Camera {
  yaw: number;
  pitch: number;
  zoom: number;
  shift: [number, number];
}

export const START: Camera = { yaw: 0.55, pitch: 0.35, zoom: 1, shift: [0, 0] };

/** The center and the half extent of a cloud: the largest distance to the center along an axis. */
export interface Frame {
  center: [number, number, number];
  half: number;
}

/** The frame of 98 % of the points along each axis, for maps with a few points far from all others. */
export function innerFrame(values: ArrayLike<number>, dim: number): Frame {
  const n = values.length / dim;
  const kept = Math.min(3, dim);
  const sorted = Array.from({ length: kept }, (_, a) =>
    Float64Array.from({ length: n }, (_, i) => present(values[i * dim + a])).sort(),
  );
  const corners = [Math.floor(0.01 * (n - 1)), Math.ceil(0.99 * (n - 1))].flatMap((place) =>
    sorted.map((column) => present(column[place])),
  );
  return frame(corners, kept);
}

/** The frame of the points; columns beyond the third are not shown. */
export function frame(values: ArrayLike<number>, dim: number): Frame {
  const n = values.length / dim;
  const center: [number, number, number] = [0, 0, 0];
  let half = 0;
  for (let a = 0; a < Math.min(3, dim); a++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < n; i++) {
      const value = present(values[i * dim + a]);
      if (value < low) low = value;
      if (value > high) high = value;
    }
    center[a] = (low + high) / 2;
    half = Math.max(half, (high - low) / 2);
  }
  if (dim >= 3) {
    // The farthest point, so that no rotation takes one out of the picture.
    half = 0;
    for (let i = 0; i < n; i++)
      half = Math.max(half, Math.hypot(...center.map((middle, a) => present(values[i * dim + a]) - middle)));
  }
  return { center, half: half > 0 && Number.isFinite(half) ? half : 1 };
}

/** Pixels of all points: x, y and depth (-1 far to 1 near), three values per point. */
export function project(
  values: ArrayLike<number>,
  dim: number,
  { center, half }: Frame,
  camera: Camera,
  width: number,
  height: number,
  margin: number,
  out: Float32Array,
): void {
  const n = values.length / dim;
  const scale = (camera.zoom * (Math.min(width, height) / 2 - margin)) / half;
  const [cx, cy] = [width / 2 + (camera.shift[0] * width) / 2, height / 2 + (camera.shift[1] * height) / 2];
  const [cosYaw, sinYaw] = [Math.cos(camera.yaw), Math.sin(camera.yaw)];
  const [cosPitch, sinPitch] = [Math.cos(camera.pitch), Math.sin(camera.pitch)];
  for (let i = 0; i < n; i++) {
    const x = present(values[i * dim]) - center[0];
    if (dim < 3) {
      const y = dim === 1 ? half * spread(i) : present(values[i * dim + 1]) - center[1];
      out[3 * i] = cx + scale * x;
      out[3 * i + 1] = cy - scale * y;
      out[3 * i + 2] = 0;
      continue;
    }
    const y = present(values[i * dim + 1]) - center[1];
    const z = present(values[i * dim + 2]) - center[2];
    // The third axis points up.
    const across = cosYaw * x - sinYaw * y;
    const away = sinYaw * x + cosYaw * y;
    // Seen from above, farther points are higher.
    const up = cosPitch * z + sinPitch * away;
    const near = sinPitch * z - cosPitch * away;
    out[3 * i] = cx + scale * across;
    out[3 * i + 1] = cy - scale * up;
    out[3 * i + 2] = near / half;
  }
}

/** The point of the space of a cloud that is drawn at a position with a depth; the inverse of `project`. */
export function unproject(
  [x, y, depth]: [number, number, number],
  dim: number,
  { center, half }: Frame,
  camera: Camera,
  width: number,
  height: number,
  margin: number,
): number[] {
  const scale = (camera.zoom * (Math.min(width, height) / 2 - margin)) / half;
  const across = (x - (width / 2) * (1 + camera.shift[0])) / scale;
  const up = ((height / 2) * (1 + camera.shift[1]) - y) / scale;
  if (dim < 3) return [center[0] + across, center[1] + up].slice(0, dim);
  const near = depth * half;
  const [cosYaw, sinYaw] = [Math.cos(camera.yaw), Math.sin(camera.yaw)];
  const [cosPitch, sinPitch] = [Math.cos(camera.pitch), Math.sin(camera.pitch)];
  const away = sinPitch * up - cosPitch * near;
  const z = cosPitch * up + sinPitch * near;
  return [
    center[0] + cosYaw * across + sinYaw * away,
    center[1] - sinYaw * across + cosYaw * away,
    center[2] + z,
  ];
}

/** Heights of the points of a one-dimensional map, so that they do not cover each other: -0.25 to 0.25. */
function spread(i: number): number {
  const golden = (i * 0.618033988749895) % 1;
  return (golden - 0.5) * 0.5;
}
