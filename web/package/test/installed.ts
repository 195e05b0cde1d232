/**
 * The package as users have it: packed, and installed into an empty folder without a network. The variable PACKAGE
 * names a packed file; without it the package is built.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The folder `web`: the tests run translated, in a folder of `web/page`. */
export const WEB = join(dirname(fileURLToPath(import.meta.url)), "../..");

export class Installed {
  folder = "";
  /** Bytes of the packed file. */
  size = 0;

  async make(): Promise<void> {
    this.folder = mkdtempSync(join(tmpdir(), "swissroll-installed-"));
    const packed = process.env["PACKAGE"] ?? (await this.pack());
    this.size = statSync(packed).size;
    writeFileSync(join(this.folder, "package.json"), '{ "private": true, "type": "module" }');
    this.run("npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", packed);
  }

  private async pack(): Promise<string> {
    const build = pathToFileURL(join(WEB, "package/build.mjs")).href;
    const { pack } = (await import(build)) as { pack: (folder: string) => Promise<string> };
    return pack(this.folder);
  }

  remove(): void {
    if (this.folder) rmSync(this.folder, { recursive: true });
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  run(program: string, ...words: string[]): string {
    const options = { cwd: this.folder, encoding: "utf8", maxBuffer: 2 ** 28, timeout: 300_000 } as const;
    const { status, stdout, stderr, error } = spawnSync(program, words, options);
    if (status !== 0) throw new Error(`${program} ended with ${status ?? error}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Runs a program of Node that imports the package, and returns what it prints, as JSON of the given type. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- a test names the type that it expects
  node<V>(name: string, program: string): V {
    return JSON.parse(this.run(process.execPath, this.write(name, program))) as V;
  }

  /** A script for pages: a module with all that it imports from the package. */
  async bundled(name: string, program: string): Promise<string> {
    const { build } = createRequire(join(WEB, "page/package.json"))("esbuild") as typeof import("esbuild");
    const result = await build({
      entryPoints: [this.write(name, program)],
      bundle: true,
      write: false,
      format: "iife",
      charset: "ascii",
      logLevel: "error",
    });
    return result.outputFiles[0]!.text.replaceAll("</script", "<\\/script");
  }
}

/** The package, installed before the tests of a file and removed after them. */
export function installed(): Installed {
  const made = new Installed();
  before(() => made.make());
  after(() => made.remove());
  return made;
}
