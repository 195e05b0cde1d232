/** Unpacks the committed engine in Node, by the decoder of the page (`npm ci` in `web/page`). */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { XzReadableStream } = createRequire(new URL('../page/package.json', import.meta.url))('xz-decompress');

/** The engine as it is committed. */
export const PACKED = fileURLToPath(new URL('../engine.wasm.xz', import.meta.url));

/** The module in a file, which may be packed. */
export async function readModule(path = PACKED) {
  const file = readFileSync(path);
  return path.endsWith('.xz') ? new Response(new XzReadableStream(new Blob([file]).stream())).arrayBuffer() : file;
}
