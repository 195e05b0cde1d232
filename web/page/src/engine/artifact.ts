/** What the page carries: the engine's module and data of its own, as text in base64 of gzip. */

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

/** The engine, ready to be sent to workers. */
export async function engineModule(): Promise<WebAssembly.Module> {
  const text = document.getElementById("engine")?.textContent ?? "";
  return WebAssembly.compile(await gunzip(bytesOf(text)));
}
