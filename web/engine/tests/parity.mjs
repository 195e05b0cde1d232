/**
 * Compares the results of the WebAssembly module with native ones: every method on four
 * data sets of at most 300 points.
 *
 *     node web/engine/tests/parity.mjs [MODULE.wasm | MODULE.wasm.xz]
 *
 * Coordinates must agree to 1e-8 of the extent of the map, each column up to its sign
 * (the sign of an eigenvector is decided by its largest entry, which may be a tie). Iterative
 * layouts amplify rounding errors: those that report iterations may instead agree in their
 * final objective, to 2 %, and in trustworthiness, to 0.02. What fails natively must fail with
 * the same sentence.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { decode, encode, instantiate } from '../engine.mjs';
import { readModule } from '../unpack.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const EXTENT = 1e-8;
const OBJECTIVE = 0.02;
const TRUSTWORTHINESS = 0.02;

/** Labels for methods that need them; one of them with several components. */
const SETS = [
  { dataset: 'swiss-roll', n: 300 },
  { dataset: 'two-swiss-rolls', n: 240 },
  { dataset: 'clusters', n: 200 },
  { dataset: 'hemisphere', n: 250 },
];

/** All messages in bytes that hold one after the other. */
function* messages(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    yield decode(new Uint8Array(bytes.subarray(at, at + length)));
    at += length;
  }
}

function plan(methods) {
  const requests = [];
  const add = (request) => requests.push({ id: requests.length, ...request });
  for (const { dataset, n } of SETS) {
    add({ type: 'generate', data: dataset, dataset, n });
    for (const { name, parameters } of methods) {
      const settings = parameters.some((one) => one.name === 'components') ? { components: 'largest' } : {};
      const common = { k: 10, dim: 2, seed: 1 };
      add({ type: 'fit', data: dataset, method: name, settings, common, frames: { every: 1 }, steps: false });
      const map = { model: name };
      add({ type: 'measures', data: dataset, map, names: ['trustworthiness'] });
    }
  }
  return requests;
}

/** The answers of the native engine, with the last objective of each fit. */
function natively(requests) {
  const cargo = ['run', '--locked', '--quiet', '-p', 'swissroll-engine', '--example', 'answer'];
  const run = spawnSync('cargo', cargo, {
    cwd: root,
    input: Buffer.concat(requests.map((request) => encode(request))),
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`the native engine ended with ${run.status ?? run.error}`);
  const answers = [];
  let objective = null;
  for (const message of messages(run.stdout)) {
    if (message.type === 'frame') objective = message.objective ?? objective;
    if (message.type === 'result' || message.type === 'failed') {
      answers.push({ ...message, objective });
      objective = null;
    }
  }
  return answers;
}

async function inModule(module, requests) {
  const engine = await instantiate(await WebAssembly.compile(module));
  return requests.map((request) => {
    let objective = null;
    const answer = engine.call(request, (event) => {
      if (event.type === 'frame') objective = event.objective ?? objective;
    });
    return { ...answer, objective };
  });
}

/** The largest difference of coordinates relative to the extent, each column up to its sign. */
function difference(one, other) {
  const { columns, coordinates: a } = one;
  const b = other.coordinates;
  if (columns !== other.columns || a.length !== b.length) return Infinity;
  let extent = 0;
  let largest = 0;
  for (let c = 0; c < columns; c++) {
    const [same, opposite, range] = [[0], [0], [Infinity, -Infinity]];
    for (let at = c; at < a.length; at += columns) {
      same[0] = Math.max(same[0], Math.abs(a[at] - b[at]));
      opposite[0] = Math.max(opposite[0], Math.abs(a[at] + b[at]));
      range[0] = Math.min(range[0], a[at]);
      range[1] = Math.max(range[1], a[at]);
    }
    largest = Math.max(largest, Math.min(same[0], opposite[0]));
    extent = Math.max(extent, range[1] - range[0]);
  }
  // NaN must not pass.
  return Number.isFinite(largest / extent) ? largest / extent : Infinity;
}

const trustworthiness = (answer) => answer.value?.scores?.[0]?.value ?? NaN;

/** Why the answers differ; `null` where they agree. */
function problem(native, module, scores) {
  if (native.type === 'failed' || module.type === 'failed') {
    return native.message === module.message ? null : `${native.message ?? 'no failure'} | ${module.message ?? 'no failure'}`;
  }
  const apart = difference(native.value, module.value);
  if (apart <= EXTENT) return null;
  if (native.value.iterations === 0) return `coordinates differ by ${apart.toExponential(1)} of the extent`;
  const objectives = Math.abs(native.objective - module.objective) / Math.abs(native.objective);
  if (!(objectives <= OBJECTIVE)) return `the objective is ${native.objective} and ${module.objective}`;
  const [first, second] = scores.map(trustworthiness);
  if (!(Math.abs(first - second) <= TRUSTWORTHINESS)) return `trustworthiness is ${first} and ${second}`;
  return null;
}

const module = await readModule(process.argv[2]);
const [description] = await inModule(module, [{ id: 0, type: 'describe' }]);
const requests = plan(description.value.methods);
const [expected, got] = [natively(requests), await inModule(module, requests)];
if (expected.length !== requests.length) throw new Error(`${expected.length} native answers`);

const failures = [];
const worst = new Map();
let fits = 0;
requests.forEach((request, i) => {
  const what = `${request.method ?? request.type} on ${request.data}`;
  if (expected[i].id !== request.id || got[i].id !== request.id) failures.push(`${what}: another request's answer`);
  if (request.type === 'generate') {
    const { points } = expected[i].value;
    const same = points.every((value, at) => Math.abs(value - got[i].value.points[at]) <= 1e-12 * Math.abs(value) + 1e-12);
    if (!same) failures.push(`${what}: other points`);
  }
  if (request.type !== 'fit') return;
  const found = problem(expected[i], got[i], [expected[i + 1], got[i + 1]]);
  if (found) failures.push(`${what}: ${found}`);
  if (expected[i].type !== 'result') return;
  fits += 1;
  worst.set(request.method, Math.max(worst.get(request.method) ?? 0, difference(expected[i].value, got[i].value)));
});
for (const [method, apart] of worst) console.log(`${method.padEnd(24)} ${apart.toExponential(1)}`);
for (const { name } of description.value.methods) {
  if (!worst.has(name)) failures.push(`${name} embeds none of the data sets`);
}
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exit(1);
}
console.log(`${fits} fits agree with native ones (largest difference of coordinates above, of the extent)`);
