/** Points of a map that the user drags to places, where the next fit keeps them. */

import type { Plot } from "../draw/plot.js";
import type { Coordinates } from "../math/align.js";
import { present } from "../present.js";
import type { FixedPlace } from "../state/settings.js";
import { button, counted, fill, h } from "./dom.js";
import type { Carry } from "./gestures.js";
import { moved } from "./turned.js";

/** The map whose points are moved: its coordinates, and as it is shown. */
export interface Movable {
  map: Coordinates;
  cloud: Coordinates;
}

/** Most fixed points: the address has the place of each. */
export const MOST_FIXED = 40;
/** Digits of a coordinate of a place. */
const DIGITS = 6;

/** A fixed point: where it is in the coordinates of the map, and where it is drawn until the next fit. */
interface Fixed {
  place: number[];
  shown?: number[];
}

export class FixedPoints {
  readonly sign = button("✥", "", () => this.toggle(), "fix");
  readonly element = h("div", { class: "fixing", hidden: true });
  private readonly text = h("span", { role: "status" });
  private points = new Map<number, Fixed>();

  constructor(
    private readonly plot: Plot,
    /** The map, where the picture shows it and its points can be moved. */
    private readonly movable: () => Movable | undefined,
    /** The fixed points of the settings. */
    private readonly chosen: () => readonly FixedPlace[],
    private readonly fit: (places: FixedPlace[]) => void,
  ) {
    this.sign.hidden = true;
    this.sign.setAttribute("aria-pressed", "false");
    fill(
      this.element,
      this.text,
      button(
        "fit with these fixed",
        "fit with these fixed: again from the map without fixed points, where these keep their places",
        () => this.fit(this.places()),
      ),
      button("release all", "release all: no point is fixed", () => this.releaseAll()),
      button("done", "done: moves since the last fit are taken back", () => this.toggle()),
    );
  }

  /** Whether points are moved by a drag. */
  get active(): boolean {
    return !this.element.hidden;
  }

  /** Shows the sign where points of the map can be moved; moves in the map before are gone. */
  offer(possible: boolean): void {
    this.sign.hidden = !possible;
    if (!possible && this.active) this.toggle();
    else this.reset();
  }

  /** Begins or ends the moving of points. */
  toggle(): void {
    this.element.hidden = this.active;
    this.sign.setAttribute("aria-pressed", String(this.active));
    this.reset();
  }

  /** Returns to the fixed points of the settings. */
  private reset(): void {
    this.points = new Map(this.chosen().map(({ row, place }) => [row, { place }]));
    this.show();
  }

  /** A point of the map under the pointer, to be dragged; a click on a fixed one releases it. */
  carry(row: number): Carry | undefined {
    if (!this.active || row < 0 || !this.movable()) return undefined;
    return {
      to: (x, y) => this.put(row, x, y),
      clicked: () => this.release(row),
    };
  }

  /** Moves the point of a row by pixels; returns whether points are moved. */
  nudge(row: number, dx: number, dy: number): boolean {
    if (!this.active || row < 0) return false;
    const point = this.plot.pointOf(row);
    if (point < 0) return false;
    const { pixels } = this.plot;
    this.put(row, present(pixels[3 * point]) + dx, present(pixels[3 * point + 1]) + dy);
    return true;
  }

  /** Puts the point of a row at a position in pixels. */
  private put(row: number, x: number, y: number): void {
    const map = this.movable();
    const point = this.plot.pointOf(row);
    if (!map || point < 0) return;
    if (!this.points.has(row) && this.points.size >= MOST_FIXED) {
      this.text.textContent = `At most ${MOST_FIXED} points can be fixed; release one first.`;
      return;
    }
    const { cloud, map: own } = map;
    const shown = this.plot.pointAt(x, y, point).slice(0, cloud.dim);
    const place = moved(Float64Array.from(shown), cloud.dim, cloud, own);
    this.points.set(row, { shown, place: Array.from(place, (value) => Number(value.toPrecision(DIGITS))) });
    this.show();
  }

  /** Releases a fixed point; returns whether it was one. */
  private release(row: number): boolean {
    if (!this.points.delete(row)) return false;
    this.show();
    return true;
  }

  private releaseAll(): void {
    this.points.clear();
    if (this.chosen().length > 0) this.fit([]);
    this.show();
  }

  private places(): FixedPlace[] {
    return [...this.points].map(([row, { place }]) => ({ row, place })).sort((a, b) => a.row - b.row);
  }

  private show(): void {
    this.plot.fix(new Map([...this.points].map(([row, { shown }]) => [row, shown])));
    const places = this.places();
    this.text.textContent =
      places.length === 0
        ? "Drag points to places that they are to keep."
        : `${counted(places.length, "fixed point")}; a click on one releases it.`;
    const [fit, all] = this.element.querySelectorAll("button");
    present(fit).disabled = JSON.stringify(places) === JSON.stringify(this.chosen());
    present(all).disabled = places.length === 0;
  }
}
