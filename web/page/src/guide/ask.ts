/** A question of the lecture: the reader chooses an answer, then the shown maps decide. */

import { button, fill, h } from "../ui/dom.js";
import { type Answer, answer, type Direction, type Question, type Results } from "./answer.js";
import text from "./en.json";

/** What a question needs of its maps. */
export interface Asked {
  measures: readonly Direction[];
  /** What the maps show; `undefined` while a map or its scores are computed. */
  results(): Results | undefined;
  /** The reader has chosen: the scores may be seen. */
  chosen(): void;
  /** Shows the maps again that the question is about. */
  restore(): void;
}

/** Milliseconds between looks at the maps, while an answer is awaited. */
const WAIT = 100;

const { words } = text;

/** The questions by the minutes of their steps. */
export const questions: Record<string, Question> = text.questions;

export class Ask {
  readonly element: HTMLElement;
  private readonly reply = h("div", { class: "reply", role: "status" });
  private readonly choices: HTMLElement[];
  private waiting: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly question: Question,
    private readonly asked: Asked,
  ) {
    const hidden = h("p", { class: "soft" }, words.hidden);
    this.choices = question.answers.map((text, i) => button(text, text, () => choose(i)));
    for (const choice of this.choices) choice.setAttribute("aria-pressed", "false");
    const show = button(words.show, words.show, () => choose(undefined), "show");
    const choose = (chosen: number | undefined) => {
      this.choices.forEach((choice, i) => choice.setAttribute("aria-pressed", String(i === chosen)));
      show.hidden = true;
      hidden.hidden = true;
      asked.chosen();
      this.await(chosen);
    };
    this.element = h(
      // No section: slides are sections.
      "div",
      { class: "ask", role: "group", "aria-label": words.ask },
      h("h3", {}, words.ask),
      h("p", {}, question.question),
      h("div", { class: "buttons" }, ...this.choices),
      hidden,
      show,
      this.reply,
    );
  }

  /** Ends the wait for an answer. */
  close(): void {
    clearInterval(this.waiting);
  }

  /** Waits until the page has computed what the question is about. */
  private await(chosen: number | undefined): void {
    this.close();
    fill(this.reply, h("p", { class: "soft" }, words.computing));
    const look = () => {
      const results = this.asked.results();
      if (!results) return;
      this.close();
      const found = answer(this.question, results, this.asked.measures);
      fill(this.reply, found ? told(this.question, found, chosen) : this.lacking());
      this.choices.forEach((choice, i) => choice.classList.toggle("right", i === found?.right));
    };
    this.waiting = setInterval(look, WAIT);
    look();
  }

  private lacking(): HTMLElement {
    return h(
      "p",
      {},
      `${words.lacking} `,
      button(words.restore, words.restore, () => this.asked.restore()),
    );
  }
}

function told(question: Question, { right, numbers }: Answer, chosen: number | undefined): HTMLElement {
  const form = chosen === undefined ? words.shown : chosen === right ? words.right : words.wrong;
  return h(
    "p",
    {},
    h("strong", {}, filled(form, { answer: question.answers[right] ?? "" })),
    ` ${filled(words.computed, { numbers })}`,
  );
}

/** A text with its {names} replaced. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name));
}

/** A paragraph of the lecture: *emphasis* and `code` become elements. */
export function paragraph(text: string): HTMLElement {
  const parts = text.split(/(\*[^*]+\*|`[^`]+`)/).map((part, i) => {
    if (i % 2 === 0) return part;
    return h(part.startsWith("*") ? "em" : "code", {}, part.slice(1, -1));
  });
  return h("p", {}, ...parts);
}
