/** What the colors mean. Classes can be dimmed by a click and isolated by a double click. */

import { css, ramp } from "../draw/color.js";
import { MOST_DISCS } from "../draw/density.js";
import { present } from "../present.js";
import type { Colored } from "../state/coloring.js";
import { counted, fill, h, number } from "./dom.js";

/** The ends of a ramp, with as many digits as distinguish them. */
export function endTexts({
  low,
  high,
  beyond,
}: Extract<Colored["legend"], { kind: "ramp" }>): [string, string] {
  const short = [low, high].map(number);
  const decimals = Math.min(17, Math.max(0, Math.ceil(2 - Math.log10(high - low))));
  const long = (value: number) => (Math.abs(value) < 1e15 ? value.toFixed(decimals) : String(value));
  const [least, most] = short[0] === short[1] && low < high ? [low, high].map(long) : short;
  return [`${beyond[0] ? "≤ " : ""}${least}`, `${beyond[1] ? "≥ " : ""}${most}`];
}

export class LegendView {
  readonly element = h("div", { class: "legend" });
  /** The classes that are dimmed. */
  readonly off = new Set<number>();
  private classes = 0;
  /** What is shown. */
  colored: Colored | undefined;

  constructor(private readonly change: () => void) {}

  show(colored: Colored, dark: boolean): void {
    this.colored = colored;
    const { legend, coloring } = colored;
    const shaded =
      coloring.bins.length > MOST_DISCS &&
      h(
        "small",
        {},
        `shaded by number of points, where more than ${MOST_DISCS.toLocaleString("en")} are in view`,
      );
    if (legend.kind === "ramp") {
      this.off.clear();
      const bar = h("div", { class: "ramp" });
      const [low, high] = endTexts(legend);
      const stops = Array.from({ length: 11 }, (_, i) => css(ramp(i / 10, dark)));
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      fill(
        this.element,
        h("span", { title: legend.note }, legend.title),
        h("div", { class: "ends" }, h("span", {}, low), bar, h("span", {}, high)),
        legend.note !== "" && h("small", {}, legend.note),
        shaded,
      );
      return;
    }
    this.classes = legend.classes.length;
    const entries = legend.classes.map((name, index) => {
      const dot = h("i", {});
      dot.style.background = css(present(coloring.colors[index]));
      const click = (event: MouseEvent) =>
        event.detail > 1 || event.altKey ? this.isolate(index) : this.toggle(index);
      return h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: this.off.has(index) ? "off" : "",
            "aria-pressed": String(!this.off.has(index)),
            title: `${counted(legend.counts[index] ?? 0, "point")}; click: dim, double click: isolate`,
            onclick: click,
          },
          dot,
          name,
        ),
      );
    });
    fill(this.element, h("span", {}, legend.title), h("ul", {}, ...entries), shaded);
  }

  private toggle(index: number): void {
    if (!this.off.delete(index)) this.off.add(index);
    if (this.off.size === this.classes) this.off.clear();
    this.change();
  }

  /** Dims all classes but one; all are shown again where it was isolated already. */
  private isolate(index: number): void {
    const alone = !this.off.has(index) && this.off.size === this.classes - 1;
    this.off.clear();
    for (let i = 0; i < this.classes && !alone; i++) if (i !== index) this.off.add(i);
    this.change();
  }
}
