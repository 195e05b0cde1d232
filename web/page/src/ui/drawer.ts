/** The explanation of a method, at the side. */

import type { MethodInfo, ParameterRange } from "../protocol.js";
import { button, fill, h } from "./dom.js";

export class Drawer {
  readonly element = h("aside", { class: "drawer", hidden: true, "aria-label": "explanation", tabindex: -1 });
  private before: Element | null = null;

  constructor() {
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  show(info: MethodInfo, ranges: readonly ParameterRange[]): void {
    this.before = document.activeElement;
    const term = (name: string, text: string) => [h("dt", {}, name), h("dd", {}, text)];
    const value = (name: string) => ranges.find((range) => range.name === name)?.value;
    const parameters = info.parameters.map(({ name, about, legal, default: usual }) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, about), h("td", {}, legal), h("td", {}, value(name) ?? usual)));
    fill(this.element,
      button("×", "close the explanation", () => this.close(), "close"),
      h("h2", {}, info.title),
      h("p", {}, info.summary),
      h("dl", {},
        ...term("Preserves", info.preserves),
        ...term("Cost", info.cost),
        ...term("New points", info.new_points),
        ...term("Can be fitted to", info.accepts.join(", ") + (info.needs_labels ? "; needs a class per point" : "")),
        ...term("Points", `at least ${info.least_points}`)),
      h("h3", {}, "Parameters"),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...["name", "meaning", "legal values", "value"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...parameters))),
      info.facts.length > 0 && h("h3", {}, "Reported facts"),
      h("dl", {}, ...info.facts.flatMap(({ name, meaning }) => term(name.replaceAll("_", " "), meaning))),
      h("p", {}, h("code", {}, `compare embed --method ${info.name} --input points.csv --output map.npy`)),
    );
    this.element.hidden = false;
    this.element.focus();
  }

  close(): void {
    this.element.hidden = true;
    if (this.before instanceof HTMLElement) this.before.focus();
  }
}
