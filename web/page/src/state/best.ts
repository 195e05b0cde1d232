/** Which value of a measure is marked as the best. */

import type { MeasureInfo } from "../protocol.js";

/** What the mark of a best score means. */
export const BEST = "the best of these maps, within the best fifth of the range";

/** The part of a measure's range, from its best end, in which a best value is marked. */
const GOOD = 0.2;

/**
 * Whether no other value is better, and the value is good: within the best fifth of the measure's range. The best
 * of maps that all fail is not marked: an affine error of 0.88 between 0 and 1.
 */
export function isBest(info: MeasureInfo, value: number, others: readonly number[]): boolean {
  const sign = info.better === "lower" ? -1 : 1;
  const end = info.better === "lower" ? info.low : info.high;
  return (
    Math.abs(value - end) <= GOOD * (info.high - info.low) &&
    others.every((other) => sign * value >= sign * other)
  );
}
