/**
 * The figure in notebooks, as a widget of anywidget: rows of Python, computed live in the browser. Selected rows return
 * to Python. Engine and rows come as messages, so that the file of the notebook does not keep them.
 */

import style from "style:figure.css";
import { App } from "../../page/src/app.js";
import { engineModule } from "../../page/src/engine/artifact.js";
import { Engines } from "../../page/src/engine/engines.js";
import { keyOf, type Own, USUAL_ROWS } from "../../page/src/engine/sources.js";
import { reasonOf } from "../../page/src/reason.js";
import { decode, encode, usual } from "../../page/src/state/settings.js";

/** What the figure uses of a model of anywidget. */
interface Model {
  get(name: "settings" | "controls" | "picture"): string;
  set(name: "settings" | "selected", value: string | number[]): void;
  save_changes(): void;
  send(message: { type: "ready"; engine: boolean }): void;
  on(event: "msg:custom", listener: (message: Sent) => void): void;
  off(event: "msg:custom", listener: (message: Sent) => void): void;
}

/** The answer to `ready`. */
interface Sent {
  type: "data";
  /** The engine, where the message `ready` requests it. */
  engine: string | null;
  data: Own;
}

/** One engine for all figures of a notebook; each figure has a copy of this module. */
const page = globalThis as { swissrollEngines?: Promise<Engines> };

function engines(text: string | null): Promise<Engines> {
  page.swissrollEngines ??= Engines.open(engineModule(text ?? ""));
  return page.swissrollEngines;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = document.createElement("style");
  sheet.textContent = style;
  const still = document.createElement("div");
  // Shown until the figure starts, and where no Python answers.
  still.innerHTML = model.get("picture");
  root.append(sheet, still);
  el.append(host);

  let app: App | undefined;
  let closed = false;
  const show = async ({ engine, data }: Sent) => {
    const shared = await engines(engine);
    if (closed || app) return;
    const named = model.get("controls");
    const own = keyOf(data);
    const mounted: App = new App(
      shared,
      decode(model.get("settings"), usual(own, USUAL_ROWS, [])),
      {
        kind: "figure",
        controls: named === "full" ? "all" : named.split(/[\s,]+/).filter(Boolean),
        changed: (settings) => {
          model.set("settings", encode(settings));
          model.save_changes();
        },
        selected: (rows) => {
          // Rows of another data set are no rows in Python.
          model.set("selected", app?.settings.data === own ? rows : []);
          model.save_changes();
        },
      },
      [data],
    );
    app = mounted;
    still.replaceWith(mounted.element);
    host.setAttribute("started", "");
  };
  const receive = (message: Sent) => {
    show(message).catch((error: unknown) => {
      const reason = document.createElement("p");
      reason.className = "refused";
      reason.textContent = `This figure cannot be computed: ${reasonOf(error)}`;
      root.append(reason);
    });
  };
  model.on("msg:custom", receive);
  model.send({ type: "ready", engine: page.swissrollEngines === undefined });
  return () => {
    closed = true;
    model.off("msg:custom", receive);
    app?.close();
  };
}

export default { render };
