// swissroll.lab in JupyterLab, by hand:   node python/tests/notebook_browser.mjs PYTHON
// PYTHON is an interpreter that has swissroll, jupyterlab and anywidget. A figure is shown, rows are selected by
// the mouse, a later cell reads them, and the saved file has a picture and neither engine nor data.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, "../../web/page/package.json"))("playwright-core");
const [python] = process.argv.slice(2);
assert(python, "usage: node notebook_browser.mjs PYTHON");

const folder = mkdtempSync(join(tmpdir(), "swissroll-notebook-"));
const cell = (source) => ({ cell_type: "code", metadata: {}, execution_count: null, outputs: [], source });
const notebook = join(folder, "figure.ipynb");
writeFileSync(
  notebook,
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 4,
    metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
    cells: [
      cell(
        "import swissroll\nX, t = swissroll.datasets.make_swiss_roll(400)\n" +
          "figure = swissroll.lab(X, labels=(t > 9).astype(int), methods=['PCA', 'Isomap'])\nfigure",
      ),
      cell("print('rows:', len(figure.selected), X[figure.selected].shape, figure.settings)"),
    ],
  }),
);

const port = 8890 + Math.floor(Math.random() * 100);
const server = spawn(
  python,
  ["-m", "jupyter", "lab", "--no-browser", "--allow-root", `--port=${port}`, "--ServerApp.port_retries=0"].concat([
    "--IdentityProvider.token=",
    `--ServerApp.root_dir=${folder}`,
  ]),
  { stdio: ["ignore", "ignore", "pipe"] },
);
let log = "";
server.stderr.on("data", (text) => {
  log += text;
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  for (let left = 120; !log.includes("is running at"); left--) {
    assert(left > 0, `JupyterLab does not start:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const page = await browser.newPage({ viewport: { width: 1300, height: 1500 } });
  const outside = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && !["localhost", "127.0.0.1"].includes(url.hostname)) outside.push(url.href);
  });
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(`http://127.0.0.1:${port}/lab/tree/figure.ipynb`);
  const first = page.locator(".jp-CodeCell").first();
  await first.waitFor({ timeout: 90_000 });
  await page.getByText("| Idle").waitFor({ timeout: 60_000 });
  await first.locator(".cm-content").click();
  await page.keyboard.press("Shift+Enter");
  const map = page.locator(".panels .panel").nth(1);
  await map.waitFor({ timeout: 120_000 }).catch(async (error) => {
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    throw new Error(`${error.message}\n${said.join("\n")}`);
  });
  await page.waitForTimeout(3000);
  assert(!(await page.locator(".refused").count()), "the figure starts");
  await map.scrollIntoViewIfNeeded();
  const box = await map.locator("canvas").first().boundingBox();
  // A lasso around the left half of the map.
  await page.keyboard.down("Shift");
  const corners = [
    [0.02, 0.02],
    [0.5, 0.02],
    [0.5, 0.98],
    [0.02, 0.98],
    [0.02, 0.04],
  ].map(([x, y]) => [box.x + x * box.width, box.y + y * box.height]);
  await page.mouse.move(...corners[0]);
  await page.mouse.down();
  for (const corner of corners.slice(1)) await page.mouse.move(...corner, { steps: 12 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.waitForTimeout(1500);
  const second = page.locator(".jp-CodeCell").nth(1);
  await second.locator(".cm-content").click();
  await page.keyboard.press("Shift+Enter");
  const printed = second.locator(".jp-OutputArea-output");
  await printed.first().waitFor({ timeout: 30_000 });
  const text = await printed.first().innerText();
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  const [, rows, shape] = text.match(/rows: (\d+) \((\d+), 3\)/);
  assert(rows === shape && Number(rows) > 50 && Number(rows) < 350, text);
  assert.match(text, /methods=pca,isomap/);
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(3000);
  const saved = readFileSync(notebook, "utf8");
  assert(saved.includes("<svg") && saved.length < 60_000, `${saved.length} bytes are saved`);
  assert.deepEqual(
    outside.filter((url) => !/jupyter/.test(url)),
    [],
    "no request leaves the machine",
  );
  console.log(`${rows} rows selected, ${saved.length} bytes saved`);
} finally {
  await browser.close();
  server.kill("SIGINT");
  setTimeout(() => server.kill("SIGKILL"), 3000).unref();
  rmSync(folder, { recursive: true, force: true });
}
