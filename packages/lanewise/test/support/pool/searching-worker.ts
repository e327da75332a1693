/**
 * A worker of a pool that remembers all memory which the library's code takes or is sent, and searches it on request. It is asked by
 * `{ search: Uint8Array[] }`, and answers `{ found }`: for each, whether some memory holds it.
 */
import { parentPort } from 'node:worker_threads';

const kept = new Set<ArrayBufferLike>();
const memories: WebAssembly.Memory[] = [];
const keep = (value: unknown): void => {
  if (ArrayBuffer.isView(value)) kept.add(value.buffer);
  else if (value instanceof ArrayBuffer) kept.add(value);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(keep);
};

globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, values, as) {
    const made = Reflect.construct(target, values, as as Uint8ArrayConstructor) as Uint8Array;
    kept.add(made.buffer);
    return made;
  },
});
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, values) {
    const made = Reflect.construct(target, values) as WebAssembly.Instance;
    memories.push(made.exports['memory'] as WebAssembly.Memory);
    return made;
  },
});
Object.defineProperty(Blob.prototype, 'arrayBuffer', {
  async value(this: Blob) {
    const buffer = await new Response(this).arrayBuffer();
    kept.add(buffer);
    return buffer;
  },
});

interface Request {
  readonly search?: readonly Uint8Array[];
}
parentPort!.on('message', (message: Request) => {
  if (!message.search) {
    keep(message);
    return;
  }
  const places = [...kept, ...memories.map(({ buffer }) => buffer)].filter(({ byteLength }) => byteLength > 0);
  const holds = (needle: Uint8Array): boolean => places.some((place) => Buffer.from(place).includes(needle));
  parentPort!.postMessage({ found: message.search.map(holds), places: places.length });
});

await import('../../../src/worker.ts');
