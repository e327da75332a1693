/**
 * Engines that compile wrongly, at once or only once code is hot: a kernel that gives a wrong answer disables its engine,
 * `describe` says so, and what comes next is right. The faults are planted in what the library asks WebAssembly for.
 */
import { createCipheriv } from 'node:crypto';
import { blake3 as nobleBlake3 } from '@noble/hashes/blake3.js';
import { xchacha20poly1305 as nobleXChaCha } from '@noble/ciphers/chacha.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectBytes, range, sample } from './support/bytes.ts';

const Original = WebAssembly;
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The library, loaded anew into a world with this WebAssembly. */
async function loaded(host: object) {
  vi.stubGlobal('WebAssembly', host);
  vi.resetModules();
  const [chacha, poly1305, blake3, engine] = await Promise.all([
    import('../src/chacha.ts'),
    import('../src/poly1305.ts'),
    import('../src/blake3.ts'),
    import('../src/engine.ts'),
  ]);
  return { ...chacha, ...poly1305, ...blake3, ...engine };
}
type Library = Awaited<ReturnType<typeof loaded>>;

const key = sample(32, 901);
const nonce = sample(24, 902);
const message = sample(20_000, 903);

function expectRight(library: Library, lengths: readonly number[] = [0, 64, 200, 1500, 20_000]): void {
  for (const length of lengths) {
    const bytes = message.subarray(0, length);
    const sealed = nobleXChaCha(key, nonce).encrypt(bytes);
    expectBytes(library.xchacha20poly1305(key, nonce).encrypt(bytes), sealed, `${length} bytes sealed`);
    expectBytes(library.xchacha20poly1305(key, nonce).decrypt(sealed), bytes, `${length} bytes opened`);
    const raw = createCipheriv('chacha20', key, new Uint8Array([...new Uint8Array(4), ...nonce.subarray(0, 12)]));
    expectBytes(library.chacha20(key, nonce.subarray(0, 12), bytes), raw.update(bytes), `${length} bytes, raw`);
    expectBytes(library.blake3(bytes), nobleBlake3(bytes), `${length} bytes hashed`);
  }
}

type Fault = readonly [from: readonly number[], to: readonly number[]];

/** A WebAssembly that takes some instructions for others, in modules that have vectors or in all. */
function miscompiling(faults: readonly Fault[], everywhere = false): { readonly hits: number } {
  let hits = 0;
  function Module(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
    const wrong = Buffer.from(bytes);
    if (everywhere || wrong.includes(Buffer.from([0xfd, 0x0b])))
      for (const [from, to] of faults)
        for (let at = -1; (at = wrong.indexOf(Buffer.from(from), at + 1)) >= 0; hits++) wrong.set(to, at);
    return new Original.Module(wrong);
  }
  const { Instance, Memory } = Original;
  return {
    Module,
    Instance,
    Memory,
    get hits() {
      return hits;
    },
  } as { readonly hits: number };
}

const SHR_U = [0xfd, 0xad, 0x01];
const ROTL = 0x77;
const vectorFaults = [
  ['a shift of vectors by one bit too few', [0x41, 20, ...SHR_U], [0x41, 19, ...SHR_U]],
  ['a shift of vectors by one bit too many', [0x41, 25, ...SHR_U], [0x41, 26, ...SHR_U]],
  ['an addition of vectors that is a subtraction', [0xfd, 0xae, 0x01], [0xfd, 0xb1, 0x01]],
] as const;

describe('a kernel that is wrong from the start', () => {
  test.for(vectorFaults)('%s: vectors are not used', async ([, ...fault]) => {
    const host = miscompiling([fault]);
    const library = await loaded(host);
    expectRight(library);
    expect(host.hits).toBeGreaterThan(0);
    expect(library.describe()).toEqual({
      engine: 'scalar',
      relaxed: false,
      reason: 'no simd: the simd engine gave a wrong answer',
    });
  });

  test('rotations that are wrong everywhere: neither kind of WebAssembly is used', async () => {
    const rotations: Fault[] = [12, 16].map((count) => [
      [0x41, count, ROTL],
      [0x41, count + 1, ROTL],
    ]);
    const library = await loaded(miscompiling([vectorFaults[0].slice(1) as unknown as Fault, ...rotations], true));
    expectRight(library);
    const { engine, reason } = library.describe();
    expect(engine).toBe('js');
    expect(reason).toContain('no simd: the simd engine gave a wrong answer; no scalar: the scalar engine gave a wrong');
  });

  test('an engine that was selected says so instead', async () => {
    const [, ...fault] = vectorFaults[0];
    const library = await loaded(miscompiling([fault]));
    library.select('simd');
    const raw = (): unknown => library.chacha20(key, nonce.subarray(0, 12), message);
    expect(raw).toThrow(/^the simd engine gave a wrong answer$/);
    expect(raw, 'and again').toThrow(/^the simd engine gave a wrong answer$/);
    library.select('auto');
    expectRight(library);
  });

  test('the same faults are not there without the stub', async () => {
    const library = await loaded(Original);
    expectRight(library);
    expect(library.describe().engine).toBe('simd');
  });
});

/** A WebAssembly whose functions, from some moment on, leave a wrong byte where their result is. */
function turning(moment: { hot: boolean }, vectorsOnly: boolean): object {
  const simd = new WeakSet<WebAssembly.Module>();
  function Module(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
    const module = new Original.Module(bytes);
    if (Buffer.from(bytes).includes(Buffer.from([0xfd, 0x0b]))) simd.add(module);
    return module;
  }
  class Instance {
    readonly #exports: Record<string, unknown>;
    constructor(module: WebAssembly.Module) {
      const real = new Original.Instance(module).exports;
      const memory = new Uint8Array((real['memory'] as WebAssembly.Memory).buffer);
      // DATA, CV and TAG of the kernels.
      const result = real['seal'] ? 2880 : real['hash'] ? 6528 : 128;
      this.#exports = Object.fromEntries(
        Object.entries(real).map(([name, value]): [string, unknown] => {
          if (typeof value !== 'function') return [name, value];
          const wrong = (...operands: unknown[]): unknown => {
            const given: unknown = Reflect.apply(value, undefined, operands);
            if (moment.hot && (simd.has(module) || !vectorsOnly)) memory[result] ^= 1;
            return given;
          };
          return [name, wrong];
        }),
      );
    }
    get exports(): Record<string, unknown> {
      return this.#exports;
    }
  }
  return { Module, Instance, Memory: Original.Memory };
}

describe('a kernel that becomes wrong while it runs', () => {
  test('is found out, and its engine is no longer used', async () => {
    const moment = { hot: false };
    const library = await loaded(turning(moment, true));
    expectRight(library);
    moment.hot = true;
    // Until the kernel is asked again nobody knows.
    for (let i = 0; i < 5000 && library.describe().engine === 'simd'; i++)
      library.xchacha20poly1305(key, nonce).encrypt(message.subarray(0, 300));
    expect(library.describe().reason).toBe('no simd: the simd engine gave a wrong answer');
    expectRight(library);
  });

  test.for([['chacha20poly1305'], ['blake3'], ['poly1305']] as const)('%s asks again and again', async ([name]) => {
    const moment = { hot: false };
    const library = await loaded(turning(moment, false));
    const use = {
      chacha20poly1305: () => library.chacha20poly1305(key, nonce.subarray(0, 12)).encrypt(message.subarray(0, 10)),
      blake3: () => library.blake3(message.subarray(0, 10)),
      poly1305: () => library.poly1305(message.subarray(0, 10), key),
    }[name];
    for (let i = 0; i < 5000; i++) use();
    moment.hot = true;
    for (let i = 0; i < 20_000 && library.describe().engine !== 'js'; i++) use();
    const { engine } = library.describe();
    expect(['scalar', 'js']).toContain(name === 'chacha20poly1305' ? engine : 'js');
    expectBytes(library.blake3(message.subarray(0, 10)), nobleBlake3(message.subarray(0, 10)), 'hashed');
  });

  test('streams and hashers that are alive go on', async () => {
    const moment = { hot: false };
    const library = await loaded(turning(moment, true));
    const hasher = library.blake3.create();
    for (const at of range(0, 10)) hasher.update(message.subarray(at * 100, (at + 1) * 100));
    moment.hot = true;
    for (let i = 0; i < 5000 && library.describe().engine === 'simd'; i++)
      library.xchacha20poly1305(key, nonce).encrypt(message.subarray(0, 300));
    hasher.update(message.subarray(1000));
    expectBytes(hasher.digest(), nobleBlake3(message), 'hashed');
  });
});
