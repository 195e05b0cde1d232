/** Memory of a page and its workers. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { CDPSession, Page } from "puppeteer-core";
import type { Driven } from "./driven.js";

const SIZES = "function () { return [...this].reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }";

/** Bytes of objects and elements, in Chromium without compiled code; and of WebAssembly. */
export interface Held {
  heap: number;
  wasm: number;
}

/** The memory of a page and all its workers in Chromium, after garbage collection. */
export async function held(page: Page): Promise<Held> {
  const sum: Held = { heap: 0, wasm: 0 };
  const session = await page.createCDPSession();
  await add(session, sum);
  await session.detach();
  for (const worker of page.workers()) {
    try {
      await add(worker.client, sum);
    } catch (error) {
      // The page may end a worker meanwhile.
      if (page.workers().includes(worker)) throw error;
    }
  }
  return sum;
}

async function add(client: CDPSession, sum: Held): Promise<void> {
  await client.send("HeapProfiler.enable");
  // Twice: what the first run finalizes is collected by the second.
  await client.send("HeapProfiler.collectGarbage");
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await client.send("Runtime.getHeapUsage");
  const { result } = await client.send("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype" });
  const { objects } = await client.send("Runtime.queryObjects", { prototypeObjectId: result.objectId! });
  const { result: sizes } = await client.send("Runtime.callFunctionOn", {
    objectId: objects.objectId!,
    functionDeclaration: SIZES,
    returnByValue: true,
  });
  await client.send("Runtime.releaseObject", { objectId: objects.objectId! });
  sum.heap += usedSize + embedderHeapUsedSize + backingStorageSize - (await code(client));
  await client.send("HeapProfiler.disable");
  sum.wasm += Number(sizes.value);
}

/** Bytes of compiled code, which grows until all of it has run. */
async function code(client: CDPSession): Promise<number> {
  const parts: string[] = [];
  const take = ({ chunk }: { chunk: string }) => parts.push(chunk);
  client.on("HeapProfiler.addHeapSnapshotChunk", take);
  await client.send("HeapProfiler.takeHeapSnapshot");
  client.off("HeapProfiler.addHeapSnapshotChunk", take);
  const { snapshot, nodes } = JSON.parse(parts.join("")) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length)
    if (types[0][nodes[at + type]!] === "code") bytes += nodes[at + size]!;
  return bytes;
}

/** The part of a heap snapshot that is read: of each node the fields, one after the other. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** Bytes of all processes of a browser, as the system counts them; `undefined` where it does not. */
export function resident({ browser }: Driven): number | undefined {
  const first = browser.process()?.pid;
  if (first === undefined || !existsSync("/proc/self/smaps_rollup")) return undefined;
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parent(name)] as const);
  const tree = new Set([first]);
  // Processes are numbered in no order of their descent.
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const [process, parent] of parents) if (tree.has(parent)) tree.add(process);
  }
  return [...tree].reduce((sum, process) => sum + kilobytes(process), 0) * 1024;
}

/** The number of a process's parent; 0 where it has ended. */
function parent(process: string): number {
  try {
    return Number(/\) . (\d+)/.exec(readFileSync(`/proc/${process}/stat`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The proportional set size of a process; 0 where it has ended. */
function kilobytes(process: number): number {
  try {
    return Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${process}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
