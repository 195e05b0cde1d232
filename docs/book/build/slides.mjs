/** The lecture as slides: each step of `docs/lecture.md` is a slide with its figure; the text is in the notes. */

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { steps } from "../../../web/page/build.mjs";
import { escaped } from "./markup.mjs";
import { pageBuild } from "./page-module.mjs";

const book = fileURLToPath(new URL("..", import.meta.url));

/** The controls of all figures of the lecture. */
export const CONTROLS = "k,n,noise,color";

/** An address of the lab, after `#`, as the attributes of a figure. */
export function attributes(address) {
  const pairs = address.split("&").map((part) => {
    const at = part.indexOf("=");
    const [name, value] = [part.slice(0, at), part.slice(at + 1)];
    return [name, name === "methods" ? value : decodeURIComponent(value)];
  });
  return Object.fromEntries([...pairs, ["controls", CONTROLS]]);
}

/** The part of a slide's address after `#/`. */
const id = (title) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** A paragraph of the lecture: *emphasis* and `code` become elements. */
const paragraph = (text) =>
  `<p>${escaped(text)
    .replaceAll(/\*([^*]+)\*/g, "<em>$1</em>")
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>`;

function slide({ minute, title, address, say, see }) {
  const figure = attributes(address);
  // The data, and the maps.
  const columns = 1 + figure.methods.split(",").length;
  return `<section class="step" id="${id(title)}" data-minute="${minute}">
<header><p>${minute}</p><h2>${escaped(title)}</h2><a href="../lab.html#${escaped(address)}">with all controls</a></header>
<div class="body" style="--columns: ${columns}">
<div class="live" data-prevent-swipe data-figure="${escaped(JSON.stringify(figure))}"></div>
<div class="question"></div>
</div>
<aside class="notes">${say.map(paragraph).join("")}<p><strong>What the class sees</strong></p>${see.map(paragraph).join("")}</aside>
</section>`;
}

const entry = ({ minute, title }) =>
  `<li><span>${minute}</span> <a href="#/${id(title)}">${escaped(title)}</a></li>`;

const document = (lecture, measures) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Manifold learning: a lecture with live figures</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="lecture.css">
<noscript><style>.reveal .slides section.step, .reveal .slides section.text { display: block; position: static; visibility: visible; } .reveal, .reveal .slides { position: static; height: auto; } .reveal aside.notes { display: block; } html, body { overflow: auto; height: auto; }</style></noscript>
<script>document.documentElement.classList.add("js")</script>
<script src="../swissroll/figure.global.js" defer></script>
<script src="lecture.js" defer></script>
<script id="measures" type="application/json">${JSON.stringify(measures.map(({ name, better }) => ({ name, better })))}</script>
</head>
<body>
<div class="reveal">
<main class="slides">
<section class="text" id="start">
<h1>Manifold learning</h1>
<p>A lecture of 60 minutes. Every figure is computed in this page: change k, the noise or the number of points, rotate the data, click points.</p>
<ul class="steps">${lecture.map(entry).join("")}</ul>
<p><kbd>→</kbd> next slide, <kbd>←</kbd> back, <kbd>S</kbd> speaker’s notes in a second window, <kbd>F</kbd> full screen. <a href="../lecture.html">The same lecture as text</a></p>
</section>
${lecture.map(slide).join("\n")}
<section class="text" id="after">
<h2>After the lecture</h2>
<ul>
<li><a href="../chapters/projection.html">Eight chapters</a> with questions, to read afterwards</li>
<li><a href="../exercises/index.html">Six exercises</a> in Python, with solutions</li>
<li><a href="../lab.html">The lab</a>: all methods, and files of your own</li>
<li><a href="../reference/figures.html">Live figures in your own slides</a>, with three lines</li>
</ul>
</section>
</main>
</div>
</body>
</html>
`;

/** Writes the slides, with their script, style and licenses, to the folder `slides` of the site. */
export async function slides(folder, { measures }) {
  const target = join(folder, "slides");
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "lecture.html"), document(steps(), measures));
  await pageBuild({
    entryPoints: [join(book, "slides/lecture.mjs"), join(book, "slides/lecture.css")],
    outdir: target,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "ascii",
    legalComments: "inline",
  });
  const reveal = createRequire(join(book, "package.json")).resolve("reveal.js/reset.css");
  copyFileSync(join(reveal, "../../LICENSE"), join(target, "LICENSE-REVEAL"));
}
