// Runs the tests in test/, or in a given folder, with Node's own runner. Node 20 reads no TypeScript, so they are
// translated first.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const source = resolve(process.argv[2] ?? join(here, "test"));
const tests = readdirSync(source).filter((name) => name.endsWith(".test.ts"));
// Within this folder, so that packages are found.
const folder = mkdtempSync(join(here, ".test-"));
try {
  await build({
    entryPoints: tests.map((name) => join(source, name)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
  });
  const files = tests.map((name) => join(folder, name.replace(/\.ts$/, ".mjs")));
  const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit", cwd: here });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
