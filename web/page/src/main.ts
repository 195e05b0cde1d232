/** Starts the page: engine, description, settings of the address, data that the page carries. */

import { App, refuse } from "./app.js";
import { engineModule } from "./engine/artifact.js";
import type { Computed } from "./engine/computed.js";
import { Engines } from "./engine/engines.js";
import { keyOf, type Own, USUAL_ROWS } from "./engine/sources.js";
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
  const text = document.getElementById("data")?.textContent?.trim();
  return text ? (JSON.parse(text) as Carried) : { start: {}, datasets: [] };
}

/** Writes the settings into the address. */
function address(settings: Settings): void {
  try {
    history.replaceState(null, "", `#${encode(settings)}`);
  } catch {
    // Some browsers allow no change of an address of a file; the view is only not in the address.
  }
}

async function begin(): Promise<void> {
  const module = await engineModule(document.getElementById("engine")?.textContent ?? "");
  const engines = await Engines.open(module);
  const { description } = engines;
  const { start, datasets, computed = [], report } = carriedData();
  const own = datasets.find(({ file }) => file !== null);
  const set = description.datasets.find(({ name }) => name === start.data);
  const data = own ? keyOf(own) : (start.data ?? "swiss-roll");
  const { methods = METHODS, ...other } = start;
  const n = own ? USUAL_ROWS : Math.min(1000, set?.default_n ?? 1000);
  const known = methods.filter((method) => description.methods.some(({ name }) => name === method));
  const first = { ...usual(data, n, known), ...other, data };
  const mount = { kind: "page", controls: "all", changed: address } as const;
  const app = new App(engines, decode(location.hash, first), mount, datasets, computed);
  document.body.replaceChildren(app.element);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer?.files.length) void app.open(event.dataTransfer.files);
  });
  // An address that is typed or pasted begins anew; the page's own changes are no such event.
  addEventListener("hashchange", () => location.reload());
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
