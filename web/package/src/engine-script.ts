/** The engine as a script next to the running one, instead of a module: this works in pages opened from files. */

import { present } from "../../page/src/present.js";

const { src } = document.currentScript as HTMLScriptElement;

export async function carriedEngine(): Promise<CarriedEngine> {
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("engine.js", src).href;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
    document.head.append(script);
  });
  return present(globalThis.swissrollEngine);
}
