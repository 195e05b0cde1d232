/** Starts the page: engine, description, settings of the address, data that the page carries. */

import { App, refuse } from "./app.js";
import { engineModule } from "./engine/artifact.js";
import type { Computed } from "./engine/computed.js";
import { Engines } from "./engine/engines.js";
import { keyOf, type Own, USUAL_ROWS } from "./engine/sources.js";
import { Entrance } from "./guide/entrance.js";
import { addressOf, Guide, stepOf } from "./guide/guide.js";
import { reasonOf } from "./reason.js";
import { decode, encode, type Settings, usual } from "./state/settings.js";
import { h } from "./ui/dom.js";

/** The methods shown at first, as far as the engine has them. */
const METHODS = [
  "pca",
  "isomap",
  "lle",
  "modified-lle",
  "hessian-lle",
  "ltsa",
  "laplacian-eigenmaps",
  "conformal-eigenmaps",
  "tsne",
  "umap",
];

/** What `compare` put into the page. */
interface Carried {
  /** Settings that differ from the page's own. */
  start: Partial<Pick<Settings, "data" | "n" | "k" | "dim" | "seed">> & { methods?: string[] };
  datasets: Own[];
  /** Data sets of a run with their maps. */
  computed?: Computed[];
  /** Whether the page was opened from the report of a run, whose address it has. */
  report?: boolean;
}

function carriedData(): Carried {
  const text = document.getElementById("data")?.textContent.trim();
  return text ? (JSON.parse(text) as Carried) : { start: {}, datasets: [] };
}

/** Whether the browser lets the page write addresses; some do not for a page in a file. */
let writable = true;

/** Writes an address; a step has an entry of its own in the history. */
function address(text: string, step = false): void {
  if (location.hash === `#${text}`) return;
  try {
    history[step ? "pushState" : "replaceState"](null, "", `#${text}`);
  } catch {
    writable = false;
  }
}

async function begin(): Promise<void> {
  const engines = await Engines.open(engineModule(document.getElementById("engine")?.textContent ?? ""));
  const { description } = engines;
  const { start, datasets, computed = [], report } = carriedData();
  const own = datasets.find(({ file }) => file !== null);
  const set = description.datasets.find(({ name }) => name === start.data);
  const data = own ? keyOf(own) : (start.data ?? "swiss-roll");
  const { methods = METHODS, ...other } = start;
  const n = own ? USUAL_ROWS : Math.min(1000, set?.default_n ?? 1000);
  const known = methods.filter((method) => description.methods.some(({ name }) => name === method));
  const first = { ...usual(data, n, known), ...other, data };
  // The page of a run has no guide: it shows the maps of the run.
  const guided = computed.length === 0 && !report;
  const opened = guided ? stepOf(location.hash) : undefined;
  /** The settings of an address; an address with a step names what differs from the step. */
  const settings = (hash: string, step = stepOf(hash)) =>
    decode(hash, step === undefined ? first : decode(addressOf(step), first));
  const entrance = new Entrance(description.datasets, () => guide.begin());
  const numbered = (step: number | undefined, text: string) =>
    step === undefined ? text : `guide=${step + 1}&${text}`;
  const app: App = new App(
    engines,
    settings(location.hash, opened),
    {
      kind: "page",
      controls: "all",
      changed: (settings, step) => {
        entrance.show(settings);
        address(numbered(guide.step, encode(settings)), step);
      },
      go: (by) => {
        if (writable) history.go(by);
        return writable;
      },
      ...(guided ? { guide: () => (guide.step === undefined ? guide.begin() : guide.close()) } : {}),
    },
    datasets,
    computed,
  );
  const guide = new Guide({
    measures: description.measures,
    show: (step) => {
      app.take(decode(addressOf(step), first));
      address(numbered(step, encode(app.settings)), true);
      scrollTo(0, 0);
    },
    results: () => app.results(),
    opened: (open) => {
      entrance.close();
      document.body.classList.toggle("guided", open);
      if (!open) address(encode(app.settings));
    },
    predicting: (hidden) => app.element.classList.toggle("predicting", hidden),
  });
  document.body.replaceChildren(guide.element, app.element);
  if (opened !== undefined) guide.open(opened);
  else if (guided && location.hash === "") {
    entrance.show(app.settings);
    app.element.querySelector("header")?.after(entrance.element);
  }
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer?.files.length) void app.open(event.dataTransfer.files);
  });
  // An address of the history, or one that is typed or pasted; the page's own changes are no such event.
  addEventListener("popstate", () => {
    const step = guided ? stepOf(location.hash) : undefined;
    app.arrive(settings(location.hash, step));
    if (step !== undefined) guide.open(step);
    else if (guide.step !== undefined) guide.close();
  });
  // An address without settings leads to the report.
  if (report)
    app.element.prepend(h("p", { class: "back" }, h("a", { href: "" }, "To the report of this run")));
}

begin().catch((error: unknown) => {
  const reason = reasonOf(error);
  refuse(
    `${reason}. It needs a current browser with WebAssembly and DecompressionStream (Chrome, Edge, Firefox, Safari since 2023).`,
  );
});
