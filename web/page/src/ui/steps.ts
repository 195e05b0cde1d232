/** Keys that lead from point to point of a picture: by row, by direction, by class. */

import type { Plot } from "../draw/plot.js";
import { ahead, nearest } from "../math/hit.js";
import type { Actions } from "./gestures.js";

/** The keys of a picture. */
export const KEYS =
  "arrows go to the nearest point in their direction, n and p to the next and previous row, c to the next point of the class, Shift and c to the next class; Enter picks, Esc clears; Shift and arrows move or rotate, + and − zoom, 0 resets";

const ARROWS: Record<string, [direction: readonly [number, number], words: string]> = {
  ArrowLeft: [[-1, 0], "to the left"],
  ArrowRight: [[1, 0], "to the right"],
  ArrowUp: [[0, -1], "above"],
  ArrowDown: [[0, 1], "below"],
};

/** Points at the row to which a key leads; returns whether it is such a key. */
export function stepped(plot: Plot, key: string, actions: Actions): boolean {
  const arrow = ARROWS[key];
  if (arrow) toward(plot, actions, ...arrow);
  else if (key === "n" || key === "p") along(plot, actions, key === "n" ? 1 : -1);
  else if (key === "c" || key === "C") ofClass(plot, actions, key === "C");
  else return false;
  return true;
}

/** Points at a point of the cloud. */
function point(plot: Plot, actions: Actions, at: number): void {
  plot.tell("");
  actions.hover(plot.cloud?.rows[at] ?? -1, plot.of);
}

/** The point that the keys have reached, of this cloud; -1 where there is none. */
function reached(plot: Plot, actions: Actions): number {
  return plot.cloud?.rows.indexOf(actions.reached(plot.of)) ?? -1;
}

/** The nearest point in a direction, within 45° of it; the one nearest to the middle at first. */
function toward(plot: Plot, actions: Actions, direction: readonly [number, number], words: string): void {
  const { cloud, pixels, width, height } = plot;
  if (!cloud) return;
  const from = reached(plot, actions);
  const n = cloud.rows.length;
  const found =
    from < 0
      ? nearest(pixels, n, width / 2, height / 2, Infinity, plot.hidden())
      : ahead(pixels, n, from, direction, [width, height], plot.hidden());
  if (found >= 0) point(plot, actions, found);
  else plot.tell(`no point ${words}`);
}

/** The point after the reached one by rows, or before it. */
function along(plot: Plot, actions: Actions, by: -1 | 1): void {
  const n = plot.cloud?.rows.length ?? 0;
  if (n === 0) return;
  const from = reached(plot, actions);
  point(plot, actions, from < 0 ? (by > 0 ? 0 : n - 1) : (from + by + n) % n);
}

/** The next point of the class of the reached one, or the first point of the next class that has one. */
function ofClass(plot: Plot, actions: Actions, next: boolean): void {
  const labels = actions.classes?.(plot.of);
  const { cloud } = plot;
  if (!cloud) return;
  if (!labels) {
    plot.tell("these data have no classes");
    return;
  }
  const hidden = plot.hidden();
  const from = reached(plot, actions);
  const n = cloud.rows.length;
  const classOf = (at: number) => labels.values[cloud.rows[at] ?? -1] ?? -1;
  const count = labels.classes.length;
  const own = classOf(from);
  // From the next point on, round to the reached one.
  const points = Array.from({ length: n }, (_, i) => (from + 1 + i) % n).filter((at) => !hidden?.[at]);
  const after = (at: number) => (classOf(at) - own - 1 + count) % count;
  const nearestClass = points.reduce((least, at) => Math.min(least, after(at)), count);
  const found = next
    ? points.filter((at) => after(at) === nearestClass).sort((a, b) => a - b)[0]
    : points.find((at) => from < 0 || classOf(at) === own);
  if (found === undefined) return;
  if (next && nearestClass === count - 1 && from >= 0) {
    plot.tell("no other class");
    return;
  }
  if (found === from) plot.tell("no other point of the class");
  else point(plot, actions, found);
}
