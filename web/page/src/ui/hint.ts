/** For the keyboard: the explanation of the focused control, which the pointer shows as its title. */

import { h } from "./dom.js";

/** Shows the title, or the hint for the keyboard, of the control that has the focus within an element. */
export function hints(within: HTMLElement): void {
  const hint = h("div", { class: "hint", "aria-hidden": "true", hidden: true });
  within.append(hint);
  within.addEventListener("focusin", ({ target }) => {
    const focused = target as HTMLElement;
    const text = focused.dataset["hint"] ?? focused.closest<HTMLElement>("[title]")?.title ?? "";
    hint.hidden = text === "" || text === focused.textContent || !focused.matches(":focus-visible");
    if (hint.hidden) return;
    hint.textContent = text;
    const { left, bottom, top } = focused.getBoundingClientRect();
    const { width, height } = hint.getBoundingClientRect();
    const below = bottom + height + 8 <= innerHeight;
    hint.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
    hint.style.top = `${below ? bottom + 4 : top - height - 4}px`;
  });
  within.addEventListener("focusout", () => (hint.hidden = true));
  within.addEventListener("keydown", (event) => {
    // A picture is seen again once its keys are used.
    const used = (event.target as HTMLElement).dataset["hint"] !== undefined && event.key !== "Shift";
    if (event.key === "Escape" || used) hint.hidden = true;
  });
}
