/** The place of the pointer in a map, decoded to data: a picture next to it, or a new point in the data. */

import type { Plot } from "../draw/plot.js";
import { Latest } from "../engine/latest.js";
import { nearest } from "../math/hit.js";
import { present } from "../present.js";
import type { Data, Fit, Inverted } from "../protocol.js";
import { reasonOf } from "../reason.js";
import type { Inverse } from "../state/settings.js";
import { fill, h } from "./dom.js";
import type { PanelFit } from "./panel-fit.js";
import { pictureOf, rowText, thumbnail } from "./point.js";
import { moved } from "./turned.js";

const HOW: Record<Inverted["by"], string> = {
  linear: "pseudo-inverse",
  barycentric: "weights of near points",
  kernel_ridge: "kernel ridge",
};

export class Decoder {
  readonly element = h("div", { class: "decoded", hidden: true, "aria-live": "polite" });
  private readonly latest = new Latest();
  /** The fit whose map the pointer is in. */
  private pointed: Fit | undefined;

  constructor(
    private readonly plot: Plot,
    private readonly work: PanelFit,
    /** Shows a decoded point in the data. */
    private readonly show: (point: Float64Array | undefined) => void,
  ) {}

  /** Decodes a position in pixels by the model of a fit, whose map is shown. */
  at([x, y]: [number, number], by: Exclude<Inverse, "">, model: string, fit: Fit, data: Data): void {
    const cloud = this.plot.cloud;
    const like = cloud ? nearest(this.plot.pixels, cloud.rows.length, x, y, Infinity) : -1;
    if (!cloud || like < 0) return;
    this.pointed = fit;
    if (fit.columns > 3) {
      this.say("A map of more than three columns is not decoded.", x);
      return;
    }
    const place = Float64Array.from(this.plot.pointAt(x, y, like).slice(0, fit.columns));
    const places = moved(place, cloud.dim, cloud, { values: fit.coordinates, dim: fit.columns });
    this.latest.run(async () => {
      let problem: string | undefined;
      const answer = await this.work.withModel((client) =>
        client
          .request({ type: "invert", model, places, columns: fit.columns, by })
          .catch((failure: unknown) => {
            problem = reasonOf(failure);
            return undefined;
          }),
      );
      // The pointer has left the map, or the map is another one.
      if (this.pointed !== fit) return;
      if (answer) this.tell(answer.value, data, x);
      else if (problem !== undefined) this.say(problem, x);
    });
  }

  /** The pointer has left the map, or the map is no longer shown. */
  leave(): void {
    if (!this.pointed) return;
    this.pointed = undefined;
    this.element.hidden = true;
    this.show(undefined);
  }

  private tell({ points, nearest, by }: Inverted, data: Data, x: number): void {
    this.show(points);
    const row = present(nearest[0]);
    const pictures =
      data.images && !data.pixels ? pictureOf(data.images, points, "decoded picture") : undefined;
    const near = thumbnail(data, row);
    if (!pictures && !near) {
      this.element.hidden = true;
      return;
    }
    this.place(x);
    const figure = (picture: HTMLElement | undefined, ...words: string[]) =>
      picture && h("figure", {}, picture, h("figcaption", {}, ...words));
    fill(
      this.element,
      figure(pictures, `decoded: ${HOW[by]}`),
      figure(near, `nearest: ${rowText(data, row)}`),
    );
  }

  private say(text: string, x: number): void {
    this.place(x);
    fill(this.element, h("p", {}, text));
  }

  /** Places the picture away from the pointer: on the other half of the map. */
  private place(x: number): void {
    this.element.hidden = false;
    this.element.classList.toggle("right", x < this.plot.width / 2);
  }
}
