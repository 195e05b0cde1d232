/** Numbers that a page carries as text. */

import { bytesOf, gunzip } from "./artifact.js";

/** Base64 of gzip of little-endian values, under the name of their type. */
export interface Packed {
  f64?: string;
  u32?: string;
  u8?: string;
}

export async function floats({ f64, u8 }: Packed): Promise<Float64Array> {
  if (u8 !== undefined) return Float64Array.from(new Uint8Array(await gunzip(bytesOf(u8))));
  return new Float64Array(await gunzip(bytesOf(f64 ?? "")));
}

export async function integers({ u32 }: Packed): Promise<Uint32Array> {
  return new Uint32Array(await gunzip(bytesOf(u32 ?? "")));
}
