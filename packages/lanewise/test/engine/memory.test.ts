/** How much linear memory the library holds once everything was used: at most 256 KiB in all, on each engine. */
// Runs in every mode: the first calls in a realm allocate memory.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../src/engine.ts';
import { engines } from '../support/engines.ts';

const MOST_BYTES = 256 * 1024;

/**
 * Each instance that is made, with the functions that it exports. Probes export none and are dropped at once, and so is the module
 * that unpacks a kernel's bytes.
 */
let instances: { memory: WebAssembly.Memory; functions: string[] }[] = [];
const Original = WebAssembly.Instance;

beforeEach(() => {
  instances = [];
  // Each case has a library of its own.
  vi.resetModules();
  WebAssembly.Instance = class extends Original {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      const { memory, ...functions } = this.exports as { memory?: WebAssembly.Memory };
      if (memory) instances.push({ memory, functions: Object.keys(functions) });
    }
  };
});
afterEach(() => {
  WebAssembly.Instance = Original;
});

/** Every cipher and every length that takes another way, twice. */
async function useEverything(engine: Engine): Promise<Uint8Array[]> {
  const chacha = await import('../../src/chacha.ts');
  const { poly1305 } = await import('../../src/poly1305.ts');
  const { select } = await import('../../src/engine.ts');
  const { chachaInstance } = await import('../../src/chacha/binding.ts');
  const { poly1305Instance } = await import('../../src/poly1305/binding.ts');
  select(engine);
  const key = new Uint8Array(32);
  for (const length of [0, 1, 64, 65, 1000, 300_000, 0, 300_000]) {
    const message = new Uint8Array(length);
    for (const name of ['chacha8', 'chacha12', 'chacha20'] as const) chacha[name](key, new Uint8Array(12), message);
    for (const name of ['xchacha8', 'xchacha12', 'xchacha20'] as const) chacha[name](key, new Uint8Array(24), message);
    chacha.chacha20orig.stream(key, new Uint8Array(8)).update(message);
    for (const aad of [undefined, new Uint8Array(2000)]) {
      const make = () => chacha.xchacha20poly1305(key, new Uint8Array(24), aad);
      make().decrypt(make().encrypt(message));
    }
    poly1305(message, key);
    poly1305.create(key).update(message).digest();
  }
  chacha.hchacha(new Uint32Array(4), new Uint32Array(8), new Uint32Array(4), new Uint32Array(8));
  return [chachaInstance(0), chachaInstance(64), chachaInstance(1e6), poly1305Instance()].map(({ memory }) => memory);
}

describe.each(engines)('%s', (engine) => {
  it('holds at most 256 KiB', async () => {
    const memories = await useEverything(engine);
    const buffers = new Set(memories.map(({ buffer }) => buffer));
    const held = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(MOST_BYTES);

    // No other memory was instantiated.
    const kernels = instances.filter(({ functions }) => functions.length > 0 && !functions.includes('unpack'));
    expect(new Set(kernels.map(({ memory }) => memory.buffer))).toEqual(engine === 'js' ? new Set() : buffers);
    expect(kernels).toHaveLength(engine === 'js' ? 0 : buffers.size);
  });

  it('holds no memory that could grow', async () => {
    await useEverything(engine);
    for (const { memory } of instances) expect(() => memory.grow(1)).toThrow(RangeError);
  });
});
