/** Colors of points: the colors in the figures of `compare`, adapted to a dark ground. */

import { present } from "../present.js";

export type Rgb = [number, number, number];

/** Viridis (van der Walt and Smith, public domain), sampled at tenths. */
const RAMP: readonly Rgb[] = [
  [68, 1, 84],
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [253, 231, 37],
];

/** Twenty colors for classes with a contrast of at least 3 to 1 to a light ground, distinct for color-blind readers. */
const CLASSES: readonly Rgb[] = [
  [0x04, 0x69, 0xf8],
  [0xd2, 0x7b, 0x00],
  [0x17, 0x76, 0x4b],
  [0xd1, 0x15, 0x00],
  [0x80, 0x01, 0x74],
  [0x01, 0x9d, 0xc6],
  [0xe7, 0x60, 0x8e],
  [0x83, 0x1c, 0x0b],
  [0x02, 0x3c, 0xa9],
  [0x7d, 0x5c, 0xa8],
  [0x3f, 0xa4, 0x49],
  [0xcd, 0x06, 0xd8],
  [0x95, 0x7c, 0xff],
  [0xc3, 0x09, 0x7a],
  [0x66, 0x08, 0xcf],
  [0x45, 0x22, 0x50],
  [0x0c, 0x00, 0xff],
  [0x00, 0x00, 0x71],
  [0x3f, 0x00, 0x00],
  [0x00, 0x00, 0x28],
];

/** Colors of classes on a dark ground: the first ten have about the hues above, with a contrast of at least 4 to 1. */
const DARK_CLASSES: readonly Rgb[] = [
  [0x70, 0x72, 0xff],
  [0xff, 0xde, 0x12],
  [0x06, 0x97, 0x18],
  [0xff, 0x92, 0x99],
  [0xfc, 0x06, 0x9c],
  [0x9d, 0xff, 0xfd],
  [0xfa, 0x77, 0xfd],
  [0xff, 0x3f, 0x04],
  [0x4a, 0x88, 0xac],
  [0xde, 0xbe, 0xff],
  [0x91, 0xcd, 0x05],
  [0xfe, 0xfd, 0xbe],
  [0xb0, 0xf8, 0x84],
  [0x9d, 0x9a, 0xd4],
  [0xc0, 0x78, 0x62],
  [0xa4, 0xaa, 0x67],
  [0x5f, 0xc5, 0xbf],
  [0xe5, 0x00, 0xe0],
  [0xef, 0xbe, 0x7d],
  [0x0b, 0xf1, 0xc4],
];

export const DARK_GROUND: Rgb = [0x1b, 0x20, 0x26];
export const LIGHT_GROUND: Rgb = [0xfa, 0xfb, 0xfc];

/** Number of steps of the ramp; each step has one color. */
export const STEPS = 64;

export function mix(a: Rgb, b: Rgb, fraction: number): Rgb {
  const between = (from: number, to: number) => Math.round(from + fraction * (to - from));
  return [between(a[0], b[0]), between(a[1], b[1]), between(a[2], b[2])];
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${r},${g},${b})`;
}

export function hex(color: Rgb): string {
  return `#${color.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

/** The contrast of two colors as WCAG 2 defines it, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const luminance = (color: Rgb) => {
    const [r, g, b] = color.map((v) => {
      const c = v / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    }) as Rgb;
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The color of a number from 0 to 1. On a dark ground the ramp begins higher, so that its low end is visible. */
export function ramp(fraction: number, dark: boolean): Rgb {
  const clamped = Math.min(1, Math.max(0, fraction));
  const at = (dark ? 0.16 + 0.84 * clamped : 0.96 * clamped) * (RAMP.length - 1);
  const low = Math.min(Math.floor(at), RAMP.length - 2);
  return mix(present(RAMP[low]), present(RAMP[low + 1]), at - low);
}

/** The color of a class; beyond twenty classes the palette repeats in other shades. */
export function classColor(index: number, dark: boolean): Rgb {
  const round = Math.floor(index / CLASSES.length);
  const end: Rgb = dark ? [255, 255, 255] : [0, 0, 0];
  return mix(present((dark ? DARK_CLASSES : CLASSES)[index % CLASSES.length]), end, 1 - 0.65 ** round);
}

/** The colors of a coloring: one bin per point, one color per bin. */
export interface Coloring {
  bins: Uint16Array;
  colors: Rgb[];
  /** Whether bins are steps of a ramp, with the last bin for missing values. */
  ordered: boolean;
}

/** The color of a row. */
export function colorOf({ bins, colors }: Coloring, row: number): Rgb {
  return present(colors[Math.min(colors.length - 1, present(bins[row]))]);
}

/** Colors of numbers between the given ends; the color after the last step is for missing values. */
export function byNumber(values: ArrayLike<number>, low: number, high: number, dark: boolean): Coloring {
  const bins = new Uint16Array(values.length);
  const span = high > low ? high - low : 1;
  for (let i = 0; i < values.length; i++) {
    const value = present(values[i]);
    bins[i] = Number.isFinite(value)
      ? Math.min(STEPS - 1, Math.max(0, Math.floor(((value - low) / span) * STEPS)))
      : STEPS;
  }
  const colors = Array.from({ length: STEPS }, (_, i) => ramp((i + 0.5) / STEPS, dark));
  return { bins, colors: [...colors, missing(dark)], ordered: true };
}

/** The color of missing values and unknown classes. */
const missing = (dark: boolean): Rgb => (dark ? [110, 116, 124] : [165, 170, 176]);

/** Colors of classes; the unknown one is gray. */
export function byClass(
  values: ArrayLike<number>,
  classes: number,
  dark: boolean,
  unknown?: number,
): Coloring {
  const colors = Array.from({ length: Math.max(1, classes) }, (_, i) =>
    i === unknown ? missing(dark) : classColor(i, dark),
  );
  return { bins: Uint16Array.from(values as ArrayLike<number> & Iterable<number>), colors, ordered: false };
}

/** The 2nd and 98th percentile of finite values, so that single extreme values do not take the whole ramp. */
export function robustEnds(values: ArrayLike<number>): [number, number] {
  const finite = Float64Array.from(values as ArrayLike<number> & Iterable<number>)
    .filter(Number.isFinite)
    .sort();
  if (finite.length === 0) return [0, 1];
  const at = (fraction: number) => present(finite[Math.round(fraction * (finite.length - 1))]);
  const [low, high] = [at(0.02), at(0.98)];
  return high > low ? [low, high] : [present(finite[0]), present(finite[finite.length - 1])];
}
