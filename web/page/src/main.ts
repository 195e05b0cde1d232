/** Starts the page: engine, description, settings of the address, data that the page carries. */

import { App, refuse } from "./app.js";
import { engineModule } from "./engine/artifact.js";
import { Client } from "./engine/client.js";
import type { Computed } from "./engine/computed.js";
import { keyOf, type Own, USUAL_ROWS } from "./engine/sources.js";
import { decode, type Settings } from "./state/settings.js";
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
  const text = document.getElementById("data")?.textContent?.trim();
  return text ? (JSON.parse(text) as Carried) : { start: {}, datasets: [] };
}

async function begin(): Promise<void> {
  const module = await engineModule(document.getElementById("engine")?.textContent ?? "");
  const client = new Client(module);
  const { value: description } = await client.request({ type: "describe" });
  client.end();
  const { start, datasets, computed = [], report } = carriedData();
  const own = datasets.find(({ file }) => file !== null);
  const known = description.methods.map(({ name }) => name);
  const first = description.datasets.find(({ name }) => name === start.data);
  const data = own ? keyOf(own) : (start.data ?? "swiss-roll");
  const usual: Settings = {
    n: own ? USUAL_ROWS : Math.min(1000, first?.default_n ?? 1000),
    noise: 0,
    seed: 0,
    k: 10,
    dim: 2,
    ...start,
    data,
    methods: (start.methods ?? METHODS)
      .filter((name) => known.includes(name))
      .map((name) => ({ name, set: {} })),
    color: "",
    graph: false,
    names: true,
    decode: "",
    view: [25, 20],
  };
  const app = new App(module, description, decode(location.hash, usual), datasets, computed);
  document.body.replaceChildren(app.element);
  // An address without settings leads to the report.
  if (report)
    app.element.prepend(h("p", { class: "back" }, h("a", { href: "" }, "To the report of this run")));
}

begin().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  refuse(
    `${reason}. It needs a current browser with WebAssembly and DecompressionStream (Chrome, Edge, Firefox, Safari since 2023).`,
  );
});
