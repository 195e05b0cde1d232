/** The explanation of a method or a measure, at the side. */

import type {
  ExplanationPart,
  ExplanationSection,
  MeasureInfo,
  MethodInfo,
  ParameterRange,
} from "../protocol.js";
import { button, fill, h, number } from "./dom.js";
import { equation, indexed } from "./formula.js";

/** Behind this section come the properties and the parameters of the method. */
const BEFORE_PARAMETERS = "Steps";

export class Drawer {
  readonly element = h("aside", { class: "drawer", hidden: true, "aria-label": "explanation", tabindex: -1 });
  private before: Element | null = null;

  constructor() {
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  method(info: MethodInfo, ranges: readonly ParameterRange[]): void {
    const term = (name: string, text: string) => [h("dt", {}, name), h("dd", {}, ...indexed(text))];
    const value = (name: string) => ranges.find((range) => range.name === name)?.value;
    const parameters = info.parameters.map(({ name, about, legal, default: usual }) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, name),
        h("td", {}, about),
        h("td", {}, legal),
        h("td", {}, usual),
        h("td", {}, value(name) ?? usual),
      ),
    );
    const split = info.explanation.findIndex(({ title }) => title === BEFORE_PARAMETERS) + 1;
    this.open(
      h("h2", {}, info.title),
      h("p", {}, info.summary),
      ...info.explanation.slice(0, split).flatMap(section),
      h("h3", {}, "Properties"),
      h(
        "dl",
        {},
        ...term("Preserves", info.preserves),
        ...term("Cost", info.cost),
        ...term("New points", info.new_points),
        ...term(
          "Can be fitted to",
          info.accepts.join(", ") + (info.needs_labels ? "; needs a class per point" : ""),
        ),
        ...term("Points", `at least ${info.least_points}`),
      ),
      h("h3", {}, "Parameters"),
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ...["name", "meaning", "legal values", "default", "now"].map((text) =>
                h("th", { scope: "col" }, text),
              ),
            ),
          ),
          h("tbody", {}, ...parameters),
        ),
      ),
      ...info.explanation.slice(split).flatMap(section),
      info.facts.length > 0 && h("h3", {}, "Reported facts"),
      h("dl", {}, ...info.facts.flatMap(({ name, meaning }) => term(name.replaceAll("_", " "), meaning))),
      h("h3", {}, "In a terminal"),
      h("p", {}, h("code", {}, `compare explain ${info.name}`)),
      h("p", {}, h("code", {}, `compare embed --method ${info.name} --input points.csv --output map.npy`)),
    );
  }

  measure(info: MeasureInfo): void {
    this.open(
      h("h2", {}, info.name.replaceAll("_", " ")),
      h("p", {}, `${info.meaning}; ${number(info.low)} to ${number(info.high)}, ${info.better} is better`),
      ...info.explanation.flatMap(section),
      h("h3", {}, "In a terminal"),
      h("p", {}, h("code", {}, `compare explain ${info.name}`)),
    );
  }

  private open(...content: (Node | false)[]): void {
    this.before = (this.element.getRootNode() as Document | ShadowRoot).activeElement;
    fill(
      this.element,
      button("×", "close the explanation", () => this.close(), "close"),
      ...content,
    );
    this.element.hidden = false;
    this.element.scrollTop = 0;
    this.element.focus();
  }

  close(): void {
    this.element.hidden = true;
    if (this.before instanceof HTMLElement) this.before.focus();
  }
}

function section({ title, parts }: ExplanationSection): Node[] {
  return [h("h3", {}, title), ...parts.map(part)];
}

function part(part: ExplanationPart): Node {
  if ("equations" in part) return h("div", { class: "equations scroll" }, ...part.equations.map(equation));
  if ("steps" in part) return h("ol", {}, ...part.steps.map((step) => h("li", {}, ...indexed(step))));
  return h("p", {}, ...linked(part.text));
}

/** A text, with links to the papers that it names. */
function linked(text: string): (Node | string)[] {
  return text.split(/(doi:10\.[^\s;,]+[^\s;,.]|https:\/\/[^\s;,]+[^\s;,.])/).flatMap((piece, i) => {
    if (i % 2 === 0) return indexed(piece);
    const address = piece.startsWith("doi:") ? `https://doi.org/${piece.slice(4)}` : piece;
    return [h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, piece)];
  });
}
