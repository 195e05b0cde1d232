/** The slides in the browser: reveal.js, a figure on each slide that is shown, and questions that the figure decides. */

import Reveal from "reveal.js";
import Notes from "reveal.js/plugin/notes";
import { Ask, questions } from "../../../web/page/src/guide/ask.ts";

const measures = JSON.parse(document.getElementById("measures").textContent);

/** The window of the notes shows the slides twice; only the window of the audience computes. */
const computing = !new URLSearchParams(location.search).has("receiver");

/** Fills a slide when it is first shown: its figure, and its question. */
function begin(slide) {
  const place = slide.querySelector(".live:not([data-begun])");
  if (!place) return;
  place.dataset.begun = "";
  if (!computing) return;
  const first = JSON.parse(place.dataset.figure);
  const figure = document.createElement("swissroll-figure");
  for (const [name, value] of Object.entries(first)) figure.setAttribute(name, value);
  figure.setAttribute("predict", "");
  place.append(figure);
  const ask = new Ask(questions[slide.dataset.minute], {
    measures,
    results: () => figure.results,
    chosen: () => figure.removeAttribute("predict"),
    restore: () => figure.set(first),
  });
  // Space and Enter press a button, and do not change slides.
  ask.element.addEventListener("keydown", (event) => {
    if (event.key === " " || event.key === "Enter") event.stopPropagation();
  });
  slide.querySelector(".question").append(ask.element);
}

const deck = new Reveal(document.querySelector(".reveal"), {
  plugins: [Notes],
  // The style sheet places everything: figures are not scaled, so that pointers meet their points.
  disableLayout: true,
  scrollActivationWidth: 0,
  hash: true,
  slideNumber: "c/t",
  transition: "none",
  viewDistance: 1,
  mobileViewDistance: 1,
  overview: false,
  jumpToSlide: false,
});
deck.on("ready", ({ currentSlide }) => {
  // Screen readers read the slides as a page.
  deck.getRevealElement().removeAttribute("role");
  const number = document.querySelector(".slide-number");
  number.setAttribute("role", "navigation");
  number.setAttribute("aria-label", "number of the slide");
  begin(currentSlide);
});
deck.on("slidechanged", ({ currentSlide }) => begin(currentSlide));
deck.initialize();
