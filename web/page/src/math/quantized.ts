/** Values in 16 bits. */

import { present } from "../present.js";

/** The least value of each column, and the size of one level. */
export interface Scales {
  low: number[];
  step: number[];
}

/** The values, row by row, low + step · level; the levels lie column by column, all low bytes before all high bytes. */
export function dequantized({ low, step }: Scales, bytes: Uint8Array): Float64Array {
  const columns = low.length;
  const count = bytes.length / 2;
  const n = count / Math.max(1, columns);
  const out = new Float64Array(count);
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < n; i++) {
      const level = present(bytes[j * n + i]) + 256 * present(bytes[count + j * n + i]);
      out[i * columns + j] = present(low[j]) + present(step[j]) * level;
    }
  }
  return out;
}
