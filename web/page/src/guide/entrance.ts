/** The line above the maps of a page that was opened without an address: what is seen, and what to try. */

import type { DatasetInfo } from "../protocol.js";
import type { Settings } from "../state/settings.js";
import { button, h } from "../ui/dom.js";
import { filled } from "./ask.js";
import text from "./en.json";

export class Entrance {
  private readonly seen = h("strong", {});
  readonly element: HTMLElement;

  constructor(
    private readonly datasets: readonly DatasetInfo[],
    begin: () => void,
  ) {
    this.element = h(
      "section",
      { class: "entrance", "aria-label": text.entrance.label },
      this.seen,
      ` ${text.entrance.try} `,
      button(text.words.offer, text.words.offer, begin, "begin"),
      button("×", text.words.dismiss, () => this.close(), "close"),
    );
  }

  /** Describes the data and the number of maps of the settings. */
  show({ data, n, methods }: Settings): void {
    const summary = this.datasets.find(({ name }) => name === data)?.summary.replace(/\.$/, "");
    const { seen, maps, own } = text.entrance;
    const count = methods.length === 1 ? 0 : 1;
    this.seen.textContent = filled(seen, {
      data: summary ?? own,
      points: n.toLocaleString("en"),
      maps: filled(maps[count] ?? "", { maps: methods.length }),
    });
  }

  close(): void {
    this.element.remove();
  }
}
