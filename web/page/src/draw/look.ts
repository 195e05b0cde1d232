/** The common properties of the pictures of one data set, and the marks in them. */

import type { Coloring, Rgb } from "./color.js";

/** The data set whose rows clouds, looks and marks refer to; only what refers to the same one is drawn together. */
export type Of = object;

/** Pixels between the edge of a picture and its points. */
export const MARGIN = 10;

/** The points of a picture, in CSS pixels. */
export interface Projected {
  /** x, y and depth of each point. */
  readonly pixels: Float32Array;
  readonly width: number;
  readonly height: number;
  /** Radius of the discs. */
  radius(): number;
}

/** Colors of everything but the points. */
export interface Theme {
  dark: boolean;
  ground: Rgb;
  ink: Rgb;
  edge: string;
  alert: string;
  accent: string;
}

/** What all pictures of one data set have in common; row numbers refer to the data set. */
export interface Look {
  of: Of;
  theme: Theme;
  coloring: Coloring;
  /** Rows drawn faintly: 1; rows not drawn: 2. */
  faint: Uint8Array;
  /** Pairs of rows joined by a line, and which of them jump. */
  edges?: { pairs: Uint32Array; jumps: Uint8Array };
  /** A name per row, drawn where there is space. */
  names?: readonly string[];
}

/** A line along rows. */
export interface Trace {
  rows: ArrayLike<number>;
  color: string;
  dashed?: boolean;
}

/** The marks that follow the pointer; row numbers refer to the data set. */
export interface Marks {
  of: Of | undefined;
  hovered: number;
  /** The row that was pointed at last, around which maps are un-warped, or -1. */
  reached: number;
  neighbors: ArrayLike<number>;
  /** Widths of the lines from the hovered row to its neighbors, from -1 to 1; without them thin lines. */
  weights?: ArrayLike<number>;
  picked: readonly number[];
  traces: Trace[];
}

export const NO_MARKS: Marks = {
  of: undefined,
  hovered: -1,
  reached: -1,
  neighbors: [],
  picked: [],
  traces: [],
};
