/** What the page carries, as text in base64: the engine's module as xz, data of its own as gzip. */

import { XzReadableStream } from "xz-decompress";

/** The bytes of base64. */
export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export async function gunzip(bytes: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** The engine, from xz in base64, ready to be sent to workers; it is compiled while it is unpacked. */
export async function engineModule(base64: string): Promise<WebAssembly.Module> {
  const stream = new XzReadableStream(new Blob([bytesOf(base64) as BlobPart]).stream());
  return WebAssembly.compileStreaming(
    new Response(stream, { headers: { "content-type": "application/wasm" } }),
  );
}
