/**
 * Engines that compile wrongly, at once or only once code is hot: a kernel that gives a wrong answer disables its engine,
 * `describe` says so, and later results are right. The faults are planted in the modules that the library compiles.
 */
// Needs WebAssembly: plants faults in modules, and checks that they are found.
import { createCipheriv } from 'node:crypto';
import { blake3 as nobleBlake3 } from '@noble/hashes/blake3.js';
import { xchacha20poly1305 as nobleXChaCha } from '@noble/ciphers/chacha.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hasRelaxed } from '../../src/engine/detect.ts';
import { expectBytes, range, sample } from '../support/bytes.ts';

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
    import('../../src/chacha.ts'),
    import('../../src/poly1305.ts'),
    import('../../src/blake3.ts'),
    import('../../src/engine.ts'),
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

/** A WebAssembly that replaces instructions by others, in modules that have vectors or in all. */
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
      // The addresses STAGE, CV and TAG of the kernels.
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
    // The fault is not known until the next self-test.
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

describe('an engine that cannot be had for the moment', () => {
  const MESSAGE = 'WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance';

  interface Moment {
    error: (() => unknown) | undefined;
    tried: number;
  }
  /** A WebAssembly that throws `moment.error` while it is set. */
  function failing(
    moment: { error: (() => unknown) | undefined; tried: number },
    which: 'Module' | 'Instance',
  ): object {
    const construct = (name: 'Module' | 'Instance') =>
      function (argument: never): unknown {
        if (name === which && moment.error) {
          moment.tried++;
          throw moment.error();
        }
        return new Original[name](argument);
      };
    const [Module, Instance] = [construct('Module'), construct('Instance')];
    Instance.prototype = Original.Instance.prototype;
    return { Module, Instance, Memory: Original.Memory };
  }
  const outOfMemory = (): Error => new RangeError(MESSAGE);

  test.for(['Module', 'Instance'] as const)('%s: what runs is another, and it is tried again later', async (which) => {
    const moment: Moment = { error: outOfMemory, tried: 0 };
    const library = await loaded(failing(moment, which));
    expectRight(library);
    expect(library.describe()).toEqual({
      engine: 'js',
      relaxed: false,
      reason: `no simd for now: ${MESSAGE}; no scalar for now: ${MESSAGE}`,
    });
    // The self-test does not run at each call.
    const { tried } = moment;
    for (let i = 0; i < 200; i++) library.xchacha20poly1305(key, nonce).encrypt(message.subarray(0, 10));
    expect(moment.tried).toBe(tried);
    moment.error = undefined;
    for (let i = 0; i < 300; i++) library.xchacha20poly1305(key, nonce).encrypt(message.subarray(0, 10));
    expect(library.describe()).toEqual({ engine: 'simd', relaxed: hasRelaxed(), reason: undefined });
    expectRight(library);
  });

  test('as long as it fails it is tried more and more seldom', async () => {
    const moment: Moment = { error: outOfMemory, tried: 0 };
    const library = await loaded(failing(moment, 'Instance'));
    library.poly1305(message, key);
    const counts: number[] = [];
    for (let i = 0; i < 20_000; i++) {
      const { tried } = moment;
      library.poly1305(message.subarray(0, 10), key);
      if (moment.tried !== tried) counts.push(i);
    }
    expect(counts.length).toBeGreaterThan(2);
    expect(counts.length).toBeLessThan(6);
    moment.error = undefined;
    for (let i = 0; i < 70_000; i++) library.poly1305(message.subarray(0, 10), key);
    expect(library.describe().engine).toBe('simd');
  });

  test('a kernel that is there already goes on', async () => {
    const moment: Moment = { error: undefined, tried: 0 };
    const library = await loaded(failing(moment, 'Instance'));
    const sealed = library.xchacha20poly1305(key, nonce).encrypt(message);
    moment.error = outOfMemory;
    expectBytes(library.blake3(message), nobleBlake3(message), 'hashed');
    expect(library.describe().reason).toContain('no simd for now: ');
    const { tried } = moment;
    for (let i = 0; i < 100; i++) library.xchacha20poly1305(key, nonce).decrypt(sealed);
    expect(moment.tried).toBe(tried);
  });

  const forGood: readonly (readonly [string, () => unknown])[] = [
    ['a refusal', () => new Original.CompileError('WebAssembly.Module(): refused')],
    ['something that is no error', () => 'no'],
  ];
  test.for(forGood)('%s is for good', async ([, error]) => {
    const moment: Moment = { error, tried: 0 };
    const library = await loaded(failing(moment, 'Module'));
    expectRight(library);
    moment.error = undefined;
    for (let i = 0; i < 5000; i++) library.xchacha20poly1305(key, nonce).encrypt(message.subarray(0, 10));
    expect(library.describe().engine).toBe('js');
  });

  const forNow: readonly (readonly [string, () => unknown])[] = [
    ['SpiderMonkey without memory', () => 'out of memory'],
    ['SpiderMonkey with a full stack', () => Object.assign(new Error('too much recursion'), { name: 'InternalError' })],
  ];
  test.for(forNow)('what %s throws is for the moment', async ([, error]) => {
    const moment: Moment = { error, tried: 0 };
    const library = await loaded(failing(moment, 'Module'));
    expectRight(library);
    expect(library.describe().engine).toBe('js');
    moment.error = undefined;
    for (let i = 0; i < 300; i++) library.xchacha20poly1305(key, nonce).encrypt(message.subarray(0, 10));
    expect(library.describe().engine).toBe('simd');
  });

  test('no engine at all: the error says so, and the next call works', async () => {
    const moment: Moment = { error: outOfMemory, tried: 0 };
    const Bytes = Uint8Array;
    let short = true;
    vi.stubGlobal(
      'Uint8Array',
      new Proxy(Bytes, {
        construct(target, values: [number], newTarget) {
          if (short && values[0] >= 65_536) throw new RangeError('Array buffer allocation failed');
          return Reflect.construct(target, values, newTarget) as object;
        },
      }),
    );
    const library = await loaded(failing(moment, 'Instance'));
    expect(() => library.blake3(message)).toThrow(/^Array buffer allocation failed$/);
    moment.error = undefined;
    short = false;
    expectRight(library);
    expect(library.describe().engine).toBe('simd');
  });
});
