/**
 * Calls the engine, `web/engine`, from a worker or from Node.
 *
 * Encodes requests and decodes answers and events; what they hold is described in
 * `web/page/src/protocol.ts`. Uses nothing of its surroundings but `WebAssembly`.
 */

const ALIGN = 8;
const PREFIX = 8;

const ARRAYS = [
  ['f64', Float64Array],
  ['f32', Float32Array],
  ['u32', Uint32Array],
  ['u8', Uint8Array],
];

const up = (length) => Math.ceil(length / ALIGN) * ALIGN;

/** The bytes of a message: typed arrays become blocks. */
export function encode(message) {
  const blocks = [];
  let offset = 0;
  const header = new TextEncoder().encode(
    JSON.stringify(message, (_, value) => {
      const found = ARRAYS.find(([, type]) => value instanceof type);
      if (!found) return value;
      const reference = { array: found[0], offset, length: value.length };
      blocks.push([offset, value]);
      offset = up(offset + value.byteLength);
      return reference;
    }),
  );
  const start = up(PREFIX + header.length);
  const bytes = new Uint8Array(start + offset);
  const lengths = new DataView(bytes.buffer);
  lengths.setUint32(0, header.length, true);
  lengths.setUint32(4, bytes.length, true);
  bytes.set(header, PREFIX);
  for (const [at, { buffer, byteOffset, byteLength }] of blocks) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start + at);
  }
  return bytes;
}

/**
 * The message of some bytes, which must begin at the beginning of their `ArrayBuffer`: its
 * arrays are views of it.
 */
export function decode(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const start = up(PREFIX + length);
  const text = new TextDecoder().decode(bytes.subarray(PREFIX, PREFIX + length));
  return JSON.parse(text, (_, value) => {
    if (value === null || typeof value !== 'object' || !('array' in value)) return value;
    const [, type] = ARRAYS.find(([name]) => name === value.array);
    return new type(bytes.buffer, start + value.offset, value.length);
  });
}

/** The buffers of a message, for `postMessage(message, transferables(message))`. */
export function transferables(message, found = new Set()) {
  if (ArrayBuffer.isView(message)) found.add(message.buffer);
  else if (message !== null && typeof message === 'object') {
    for (const value of Object.values(message)) transferables(value, found);
  }
  return [...found];
}

/** Starts an engine from a compiled `WebAssembly.Module`. */
export async function instantiate(module) {
  let exports;
  let onEvent;
  let panic;
  const copied = (pointer, length) => new Uint8Array(exports.memory.buffer.slice(pointer, pointer + length));
  const host = {
    event(pointer, length) {
      const event = decode(copied(pointer >>> 0, length >>> 0));
      if (event.type === 'panic') panic = event.message;
      else if (onEvent?.(event) === true) return 1;
      return 0;
    },
  };
  exports = (await WebAssembly.instantiate(module, { host })).exports;
  exports.start();

  /**
   * Answers a request. `events` receives the events of a fit; where it returns `true`, the
   * fit is cancelled (after a frame: ended with the result so far). After an answer of kind
   * `crashed` the engine must not be used again.
   */
  function call(request, events) {
    onEvent = events;
    panic = undefined;
    try {
      const bytes = encode(request);
      const pointer = exports.alloc(bytes.length) >>> 0;
      new Uint8Array(exports.memory.buffer).set(bytes, pointer);
      const answer = exports.call(pointer, bytes.length) >>> 0;
      exports.release(pointer, bytes.length);
      const length = new DataView(exports.memory.buffer).getUint32(answer + 4, true);
      const message = decode(copied(answer, length));
      exports.release(answer, length);
      return message;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      const memory = exports.memory.buffer.byteLength;
      const message =
        panic ?? `the computation ended: ${error.message}; it had ${Math.round(memory / 1e6)} MB of memory`;
      return { id: request.id, type: 'failed', kind: 'crashed', message };
    } finally {
      onEvent = undefined;
    }
  }

  /** The bytes of its memory, which never shrinks. */
  const bytes = () => exports.memory.buffer.byteLength;

  return { call, bytes };
}
