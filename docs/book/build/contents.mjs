/** The order of the pages. */

import { existsSync, readFileSync } from "node:fs";
import { DOCUMENTS } from "./documents.mjs";
import { EXERCISES } from "./exercises.mjs";

/** The pages that are made from the engine's description: names and titles. */
const { methods, measures } = JSON.parse(readFileSync(new URL("titles.json", import.meta.url), "utf8"));

/** The chapters, in their order; each is a file of `pages/chapters`. */
export const CHAPTERS = [
  ["projection", "A projection cannot unroll"],
  ["paths", "Shortest paths can"],
  ["shortcut", "One wrong edge closes the sheet"],
  ["lengths", "Angles or lengths"],
  ["scores", "A good score can hide a bad shape"],
  ["clusters", "Sizes and gaps of clusters are not in the data"],
  ["noise", "Noise looks like clusters"],
  ["tears", "Where this map is torn, and what it depends on"],
];

/** Recipes; each is a file of `pages/tasks`. */
export const TASKS = [
  ["own-table", "My own table"],
  ["images", "Pictures"],
  ["text", "Sparse text"],
  ["distances", "Distances only"],
  ["new-rows", "New rows"],
  ["back-to-data", "Back to data"],
  ["large", "Large data"],
  ["reproducible", "The same map again"],
  ["choose-k", "Choose k"],
  ["spark", "Spark"],
];

/** Written where Python is installed. */
const API = existsSync(new URL("../pages/reference/python-api/index.md", import.meta.url))
  ? [{ text: "Python API", link: "/reference/python-api/" }]
  : [];

const items = (folder, pages) => pages.map(([name, text]) => ({ text, link: `/${folder}/${name}` }));

export const navigation = [
  { text: "Chapters", link: "/chapters/projection" },
  { text: "Tasks", link: "/tasks/" },
  { text: "Methods", link: "/methods/" },
  { text: "Measures", link: "/measures/" },
  { text: "Gallery", link: "/gallery" },
  { text: "Exercises", link: "/exercises/" },
  {
    text: "Lecture",
    items: [
      { text: "As slides", link: "/slides/lecture.html", target: "_self" },
      { text: "As text", link: "/lecture" },
    ],
  },
  { text: "Lab", link: "/lab.html", target: "_self" },
  { text: "Reference", link: "/reference/" },
];

export const sidebar = [
  { text: "Chapters", items: items("chapters", CHAPTERS) },
  {
    text: "Use it",
    items: [
      { text: "Install", link: "/install" },
      { text: "Questions", link: "/faq" },
      { text: "Coming from another program", link: "/coming-from" },
    ],
  },
  { text: "Tasks", link: "/tasks/", collapsed: true, items: items("tasks", TASKS) },
  { text: "Exercises", link: "/exercises/", collapsed: true, items: items("exercises", EXERCISES) },
  { text: "Methods", link: "/methods/", collapsed: true, items: items("methods", methods) },
  { text: "Measures", link: "/measures/", collapsed: true, items: items("measures", measures) },
  { text: "Gallery", link: "/gallery" },
  {
    text: "Teach",
    items: [
      { text: "A lecture of 60 minutes", link: "/lecture" },
      { text: "Figures in your pages", link: "/reference/figures" },
    ],
  },
  {
    text: "Reference",
    link: "/reference/",
    collapsed: true,
    items: [
      ...DOCUMENTS.map(([, page, text]) => ({ text, link: `/${page}` })),
      { text: "Rust API", link: "/reference/rust-api" },
      ...API,
      { text: "How it is fast", link: "/fast" },
      { text: "How to cite", link: "/cite" },
    ],
  },
];
