/** Where the fit of an iterative method starts: where the method chooses, or at a map that a panel shows. */

import { type Chosen, copied, written } from "../state/settings.js";
import { fill, h } from "./dom.js";

/** A panel whose fit has a start. */
export interface Started {
  readonly chosen: Chosen;
  readonly title: string;
}

export class StartChoice {
  private readonly select = h("select", { "aria-label": "start from", onchange: () => this.choose() });
  readonly element = h(
    "label",
    {
      class: "row",
      title:
        "the fit starts at a map of these data: of another panel as it is now, or its own, from which it goes on; the start is computed again where data, k, dim or seed change",
    },
    h("span", {}, "start from"),
    this.select,
  );
  private offered: Chosen[] = [];

  constructor(
    private readonly panel: Started,
    private readonly titled: (chosen: Chosen) => string,
    private readonly maps: () => readonly Started[],
    private readonly changed: () => void,
  ) {
    // Other panels change while the details are open.
    for (const event of ["focus", "pointerdown"]) this.select.addEventListener(event, () => this.show());
    this.select.addEventListener("keydown", () => this.show());
  }

  /** Offers the maps that are shown. */
  show(): void {
    const { chosen } = this.panel;
    const present = chosen.from && written(chosen.from);
    const maps = this.maps().map(({ chosen }) => copied(chosen));
    const others = chosen.from && maps.every((map) => written(map) !== present) ? [copied(chosen.from)] : [];
    const offered = [...others, ...maps];
    const same = JSON.stringify(offered) === JSON.stringify(this.offered);
    this.offered = offered;
    const own = written(chosen);
    const option = (map: Chosen, i: number) => {
      const key = written(map);
      const text = key === own ? "its own map, and go on" : `the map of ${this.titled(map)}`;
      return h("option", { value: String(i), selected: key === present }, text);
    };
    if (!same || this.select.options.length === 0)
      fill(
        this.select,
        h("option", { value: "", selected: !present }, "the method's own start"),
        ...offered.map(option),
      );
    this.select.value = String(offered.findIndex((map) => written(map) === present)).replace("-1", "");
  }

  private choose(): void {
    const { chosen } = this.panel;
    const found = this.offered[Number(this.select.value)];
    if (this.select.value === "" || !found) delete chosen.from;
    else chosen.from = found;
    this.changed();
    this.show();
  }
}
