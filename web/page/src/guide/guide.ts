/** The guided path: the steps of the lecture in a column next to the maps, each with a question. */

import steps from "lecture:steps";
import type { MeasureInfo } from "../protocol.js";
import { button, fill, h } from "../ui/dom.js";
import type { Results } from "./answer.js";
import { Ask, filled, paragraph, questions } from "./ask.js";
import text from "./en.json";

/** A section of `docs/lecture.md`. */
export interface Step {
  minute: string;
  title: string;
  /** The part of the address after `#`. */
  address: string;
  /** Paragraphs with *emphasis* and `code`. */
  say: readonly string[];
  see: readonly string[];
}

/** What the guide needs of the page. */
export interface Guided {
  measures: readonly MeasureInfo[];
  /** Shows the state of a step. */
  show(step: number): void;
  /** What the page shows; `undefined` while a map or its scores are computed. */
  results(): Results | undefined;
  /** The guide was opened or closed. */
  opened(open: boolean): void;
  /** The scores are hidden, until the reader has chosen an answer. */
  predicting(hidden: boolean): void;
}

const { words } = text;

export const STEPS = steps.length;

/** The address of a step, after `#`. */
export function addressOf(step: number): string {
  return steps[step]?.address ?? "";
}

/** The step that an address opens, counted from 0. */
export function stepOf(address: string): number | undefined {
  const step = Number(/(?:^#?|&)guide=(\d+)(?:&|$)/.exec(address)?.[1] ?? NaN) - 1;
  return steps[step] ? step : undefined;
}

export class Guide {
  /** The step that is shown, counted from 0; none while the guide is closed. */
  step: number | undefined;
  private readonly place = h("p", { class: "place", role: "status" });
  private readonly text = h("div", { class: "text" });
  private readonly back = button(words.back, words.back, () => this.go(-1), "back-step");
  private readonly next = button(words.next, words.next, () => this.go(1), "next-step");
  private readonly fold = button(
    words.fold,
    words.fold,
    () => this.folded(!this.element.matches(".folded")),
    "fold",
  );
  readonly element = h(
    "aside",
    { class: "guide", "aria-label": words.column, tabindex: -1, hidden: true },
    h(
      "div",
      { class: "bar" },
      this.place,
      this.fold,
      button("×", words.close, () => this.close(), "close"),
    ),
    this.text,
    h("div", { class: "buttons" }, this.back, this.next),
  );
  private ask: Ask | undefined;

  constructor(private readonly page: Guided) {}

  /** Shows the first step and its state. */
  begin(): void {
    this.page.show(0);
    this.open(0);
    this.element.focus();
  }

  /** Opens the guide at a step whose state the page shows. */
  open(step: number): void {
    const opened = this.step === undefined;
    this.step = step;
    this.element.hidden = false;
    this.write();
    if (opened) {
      this.folded(false);
      this.page.opened(true);
    }
  }

  close(): void {
    this.step = undefined;
    this.ask?.close();
    this.element.hidden = true;
    this.page.predicting(false);
    this.page.opened(false);
  }

  /** Shows another step and its state; after the last one the guide closes. */
  private go(by: number): void {
    const step = (this.step ?? 0) + by;
    if (!steps[step]) {
      this.close();
      return;
    }
    this.step = step;
    this.page.show(step);
    this.write();
  }

  private folded(folded: boolean): void {
    this.element.classList.toggle("folded", folded);
    this.fold.textContent = folded ? words.unfold : words.fold;
    this.fold.setAttribute("aria-label", folded ? words.unfold : words.fold);
    this.fold.setAttribute("aria-expanded", String(!folded));
  }

  private write(): void {
    const number = this.step ?? 0;
    const step = steps[number];
    if (!step) return;
    this.ask?.close();
    this.place.textContent = `${filled(words.step, { step: number + 1, steps: STEPS })} · ${step.minute}`;
    const last = number === STEPS - 1;
    this.next.textContent = last ? words.finish : words.next;
    this.next.setAttribute("aria-label", last ? words.finish : words.next);
    this.back.disabled = number === 0;
    const see = h("div", { hidden: true }, h("h3", {}, words.see), ...step.see.map(paragraph));
    const question = questions[step.minute];
    this.ask =
      question &&
      new Ask(question, {
        measures: this.page.measures,
        results: () => this.page.results(),
        chosen: () => {
          see.hidden = false;
          this.page.predicting(false);
        },
        restore: () => this.go(0),
      });
    fill(this.text, h("h2", {}, step.title), ...step.say.map(paragraph), this.ask?.element, see);
    this.text.scrollTop = 0;
    this.page.predicting(question !== undefined);
  }
}
