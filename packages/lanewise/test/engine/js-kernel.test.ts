/** The text of the JavaScript engine behaves as the WebAssembly that it was made from: the same calls leave the same memory. */
// Runs in Node only: makes JavaScript from modules, which only Node can load then.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { generated, sources } from '../../scripts/generate.ts';
import { transliterate } from '../../scripts/transliterate/print.ts';
import { chacha } from '../../src/js/generated/chacha.ts';
import { poly1305 } from '../../src/js/generated/poly1305.ts';
import { AAD, AAD_BYTES, ASIDE, BLOCK_BYTES, STAGE, STAGE_BYTES, POLY, TAG, word } from '../../src/keystream/map.ts';
import { chachaModule, type Functions as ChaChaFunctions } from '../../src/chacha/module.ts';
import { floats } from '../../src/poly1305/floats.ts';
import { poly1305Module, type Functions as Poly1305Functions } from '../../src/poly1305/module.ts';
import { STAGE as MAC_STAGE, STAGE_BYTES as MAC_STAGE_BYTES } from '../../src/poly1305/map.ts';
import { copy, fill, loop, set, tee, when } from '../../src/wasm/control.ts';
import * as f64 from '../../src/wasm/f64.ts';
import * as i32 from '../../src/wasm/i32.ts';
import { Module, type Frame } from '../../src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../src/wasm/types.ts';
import { expectBytes, range, sample } from '../support/bytes.ts';

const intrinsics = pathToFileURL(join(import.meta.dirname, '../../src/engine/intrinsics.ts')).href;

/** Text as functions. It is loaded as a module is: nothing is evaluated in the library. */
async function loaded<F>(text: string, name: string): Promise<(memory: ArrayBuffer) => F> {
  const { code } = transformSync(text.replace('../../engine/intrinsics.ts', intrinsics), {
    loader: 'ts',
    format: 'esm',
  });
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, unknown>;
  return module[name] as (memory: ArrayBuffer) => F;
}

/** The same functions twice, over two memories that are alike. */
class Pair<F extends object> {
  readonly #wasm: F;
  readonly #js: F;
  readonly #wasmMemory: Uint8Array;
  readonly #jsMemory: Uint8Array;

  constructor(bytes: Uint8Array<ArrayBuffer>, js: (memory: ArrayBuffer) => F) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    this.#wasm = exports as unknown as F;
    this.#wasmMemory = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer);
    const memory = new ArrayBuffer(this.#wasmMemory.length);
    this.#js = js(memory);
    this.#jsMemory = new Uint8Array(memory);
  }

  get names(): string[] {
    return Object.keys(this.#js);
  }

  write(bytes: Uint8Array, at: number): void {
    this.#wasmMemory.set(bytes, at);
    this.#jsMemory.set(bytes, at);
  }

  read(at: number, length: number): Uint8Array {
    return this.#jsMemory.slice(at, at + length);
  }

  /** Calls both, and compares their results and all of both memories. */
  call<K extends keyof F & string>(name: K, ...operands: number[]): number | undefined {
    const run = (functions: F): number | undefined =>
      (functions[name] as (...operands: number[]) => number | undefined)(...operands);
    const result = run(this.#js);
    expect(result).toBe(run(this.#wasm));
    expectBytes(this.#jsMemory, this.#wasmMemory, `memory after ${name}(${operands.join(', ')})`);
    return result;
  }
}

const LENGTHS = [...range(0, 301), 511, 512, 513, 575, 576, 1023, 1024, 1025, 4095, 4096, 4097, 65521];

describe('chacha', () => {
  const bytes = chachaModule({ arithmetic: floats }).bytes();
  /** Fills memory at random, but keeps the accumulator below 2^131, as callers must. */
  const fresh = (pair: Pair<ChaChaFunctions>, seed: number, length = 1024): void => {
    pair.write(sample(STAGE + length + 64, seed), 0);
    pair.write(Uint8Array.of(seed & 3, 0, 0, 0), POLY + 16);
  };
  const pair = new Pair<ChaChaFunctions>(bytes, chacha);

  it('presents the same functions', () => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    expect(['memory', ...pair.names].sort()).toEqual(Object.keys(exports).sort());
  });

  it('seals and opens', () => {
    for (const [seed, length] of [...LENGTHS, STAGE_BYTES].entries()) {
      const extended = seed & 1;
      const aadLength = (seed * 37) % AAD_BYTES;
      fresh(pair, seed, length);
      const start = pair.read(0, STAGE);
      pair.call('seal', extended, aadLength, length);
      pair.write(start, 0);
      expect(pair.call('open', extended, aadLength, length), `length ${length}`).toBe(1);
      fresh(pair, seed, length);
      expect(pair.call('open', extended, aadLength, length), `length ${length}`).toBe(0);
    }
  });

  it('seals and opens in parts, with the tag at any address', () => {
    for (const [seed, length] of LENGTHS.entries()) {
      fresh(pair, seed, length);
      for (const direction of ['encrypt', 'decrypt'] as const) {
        const tag = STAGE + length + (seed % 5);
        pair.call('begin', seed & 1);
        pair.call('absorb', AAD, seed % AAD_BYTES);
        pair.call('absorb', STAGE, length);
        if (direction === 'encrypt') pair.call('encrypt', 0, 0, length);
        else pair.call('decrypt', length);
        pair.call('finish', seed, 0x80000001, length, 0xffffffff, tag);
        pair.call('verify', tag);
        pair.write(pair.read(tag, 16), TAG);
        expect(pair.call('verify', tag)).toBe(1);
        for (let bit = 0; bit < 128; bit += 7) {
          const wrong = pair.read(tag, 16);
          wrong[bit >> 3] ^= 1 << (bit & 7);
          pair.write(wrong, TAG);
          expect(pair.call('verify', tag)).toBe(0);
        }
      }
    }
  });

  it('XORs blocks and makes subkeys, with the counter on both sides of a carry', () => {
    for (const [seed, low] of [0, 1, 0x7fffffff, 0x80000000, 0xfffffffd, 0xfffffffe, 0xffffffff].entries()) {
      fresh(pair, seed);
      pair.write(new Uint8Array(Uint32Array.of(low, 0xffffffff).buffer), word(12));
      pair.call('xor', 0, 10, STAGE, 3);
      pair.call('xor', seed & 1, 1 + seed, STAGE + BLOCK_BYTES, seed);
      pair.call('extend', 1 + seed);
    }
  });

  it('absorbs at every place of the memory map from any accumulator', () => {
    for (const [seed, length] of LENGTHS.slice(0, 301).entries()) {
      fresh(pair, seed);
      pair.call('absorb', [AAD, ASIDE, STAGE][seed % 3], length);
    }
  });
});

describe('poly1305', () => {
  const pair = new Pair<Poly1305Functions>(poly1305Module(floats).bytes(), poly1305);
  const fresh = (seed: number): void => {
    pair.write(sample(1024, seed), 0);
    pair.write(Uint8Array.of(seed & 3, 0, 0, 0), 64 + 16);
  };

  it('takes messages of all lengths', () => {
    for (const [seed, length] of [
      ...LENGTHS.filter((n) => n <= MAC_STAGE_BYTES - 16),
      MAC_STAGE_BYTES - 16,
    ].entries()) {
      pair.write(sample(MAC_STAGE + length, seed), 0);
      pair.call('mac', length);
      fresh(seed);
      pair.call('start');
      pair.call('absorb', seed % 40);
      pair.call('finish', length);
    }
  });

  it('takes the largest and the smallest key, block and accumulator', () => {
    for (const key of [0, 0xff])
      for (const block of [0, 1, 0x7f, 0x80, 0xff])
        for (const accumulator of [0, 0xff]) {
          pair.write(new Uint8Array(16).fill(accumulator), 64);
          pair.write(Uint8Array.of(accumulator & 7, 0, 0, 0), 64 + 16);
          pair.write(new Uint8Array(32).fill(key), 96);
          pair.write(new Uint8Array(4096).fill(block), MAC_STAGE);
          for (const blocks of [1, 2, 3, 200]) pair.call('absorb', blocks);
          pair.call('finish', 4096 - 5);
          pair.call('mac', 4096 - 16);
        }
  });
});

describe('addresses', () => {
  /** Adds checks to the text: the address of a word throws unless it is a multiple of four. */
  const checked = (text: string): string => {
    const result = text
      .replace(/words\[([^[\]]*) >> 2\]/g, 'words[aligned($1) >> 2]')
      .replace(
        '{\n',
        '{\n  const aligned = (at: number): number => { if (at & 3) throw new Error(`unaligned ${at}`); return at; };\n',
      );
    expect(result.match(/words\[(?!\d+\])/g)?.length).toBe(result.match(/words\[aligned\(/g)?.length);
    return result;
  };

  it('are multiples of four where the text relies on it', async () => {
    const [family, mac] = ['chacha', 'poly1305'].map((name) =>
      checked(generated(sources.find((source) => source.name === name)!)),
    );
    const cipher = (await loaded<ChaChaFunctions>(family, 'chacha'))(new ArrayBuffer(2 ** 18));
    expect(() => cipher.absorb(STAGE + 1, 16)).toThrow('unaligned');
    for (const length of LENGTHS) {
      cipher.seal(length & 1, length % AAD_BYTES, length);
      cipher.open(length & 1, length % AAD_BYTES, length);
      cipher.begin(0);
      cipher.absorb(AAD, length % AAD_BYTES);
      cipher.encrypt(0, 0, length);
      cipher.decrypt(length);
      cipher.finish(0, 0, length, 0, STAGE + length);
      cipher.verify(STAGE + length);
      cipher.xor(1, 10, STAGE, length % 9);
    }
    const poly = (await loaded<Poly1305Functions>(mac, 'poly1305'))(new ArrayBuffer(2 ** 16));
    for (const length of LENGTHS.filter((n) => n < MAC_STAGE_BYTES)) poly.mac(length);
  });
});

describe('instructions', () => {
  const EDGES = [0, 1, -1, 2, 31, 32, 0x7fffffff, -0x80000000, 0x80000001 | 0, 0xffff, 0x10000, 0x12345678, -77];

  /** Numbers from a seed, for choices. */
  function choices(seed: number): (below: number) => number {
    const words = new Uint32Array(sample(4 * 4096, seed).buffer);
    let at = 0;
    return (below) => words[at++ % words.length] % below;
  }

  /** A random expression of i32 over locals; in doubles its values stay exact, and the result is in range. */
  function expression(frame: Frame, locals: readonly Local<'i32'>[], choose: (below: number) => number) {
    const pick = <T>(list: readonly T[]): T => list[choose(list.length)];
    const constant = (): number => pick([...EDGES, choose(2 ** 32) | 0]);
    const double = (depth: number): Expression<'f64'> => {
      const leaf = (): Expression<'f64'> => f64.convert_i32_s(make(depth - 1));
      const [x, y] = [leaf(), leaf()];
      return pick([
        () => f64.mul(f64.add(x, y), f64.value(pick([0.125, 2 ** -20, -0.25, 2 ** -64, 0]))),
        () => f64.mul(f64.sub(f64.value(pick([0, -1.75, 1e-3])), f64.mul(x, y)), f64.value(2 ** -40)),
        () =>
          f64.mul(
            f64.sub(f64.add(f64.sub(x, y), f64.value(1.5 * 2 ** 60)), f64.value(1.5 * 2 ** 60)),
            f64.value(0.125),
          ),
        () => f64.mul(f64.sub(x, f64.sub(y, leaf())), f64.value(0.125)),
        () => f64.mul(f64.add(f64.value(-3 * 2 ** 60), f64.add(f64.value(3 * 2 ** 60), x)), f64.value(0.25)),
      ])();
    };
    function make(depth: number): Expression<'i32'> {
      if (depth <= 0) return pick([pick(locals), pick(locals), i32.value(constant())]);
      const x = make(depth - 1);
      const y = make(depth - 2);
      return pick([
        () => pick([i32.add, i32.sub, i32.mul, i32.and, i32.or, i32.xor])(x, y),
        () => pick([i32.shl, i32.shr_s, i32.shr_u])(x, pick([() => y, () => constant()])()),
        () => pick([i32.rotl, i32.rotr])(x, constant()),
        () => i32.rotl(pick(locals), 1 + choose(31)),
        () => i32.xor(x, -1),
        () => i32.eqz(i32.and(x, 1 << choose(32))),
        () => f64.trunc_i32_s(double(depth - 1)),
        () => pick([i32.load8_u, i32.load_unaligned])(i32.and(x, 1023), choose(64)),
        () => i32.load(i32.and(x, 1020), 4 * choose(64)),
        () => {
          const t = frame.local('i32');
          return i32.sub(tee(t, x), i32.xor(i32.rotl(t, 5), y));
        },
      ])();
    }
    return make;
  }

  it('mean the same in random expressions', async () => {
    const COUNT = 400;
    const module = new Module(1);
    for (let n = 0; n < COUNT; n++) {
      const choose = choices(n);
      module.define(`f${n}`, ['i32', 'i32', 'i32'], 'i32', (frame, ...locals) => {
        const make = expression(frame, locals, choose);
        const x = frame.local('i32');
        return [
          set(x, make(3)),
          [i32.store, i32.store_unaligned, i32.store8][n % 3](
            i32.and(make(2), 1020),
            n % 3 ? n % 64 : 4 * (n % 64),
            make(4),
          ),
          set(locals[0], i32.add(make(2), x)),
          make(5),
        ];
      });
    }
    const text = transliterate(module.bytes(), { name: 'made', type: 'any', intrinsics });
    const pair = new Pair(module.bytes(), await loaded<Record<string, () => number>>(text, 'made'));
    pair.write(sample(2048), 0);
    for (let n = 0; n < COUNT; n++)
      for (const [i, a] of EDGES.entries())
        pair.call(`f${n}`, a, EDGES[(i + n) % EDGES.length], EDGES[(i * n) % EDGES.length]);
  });

  it('mean the same as conditions, in loops, and on ranges of memory', async () => {
    const module = new Module(1);
    const mark = (condition: Expression<'i32'>): Statement =>
      when(condition, i32.store(0, 0, 1), i32.store(0, 4, i32.add(i32.load(0, 4), 1)));
    const comparisons = ['eq', 'ne', 'lt_u', 'gt_u', 'le_u', 'ge_u'] as const;
    for (const name of comparisons) {
      module.define(name, ['i32', 'i32'], undefined, (_, a, b) => [mark(i32[name](a, b))]);
      module.define(`${name}Sum`, ['i32', 'i32'], undefined, (_, a, b) => [mark(i32[name](i32.add(a, b), -5))]);
    }
    module.define('truth', ['i32', 'i32'], undefined, (_, a, b) => [mark(i32.sub(a, b)), mark(i32.eqz(a)), mark(b)]);
    module.define('count', ['i32', 'i32'], 'i32', (frame, a, b) => {
      const x = frame.local('i32');
      return [
        set(a, i32.add(i32.and(a, 15), 1)),
        loop(set(x, i32.add(i32.mul(x, 31), b)), tee(a, i32.sub(a, 1))),
        loop(set(x, i32.add(x, 7)), i32.lt_u(x, 0x1000)),
        x,
      ];
    });
    const small = (x: Expression<'i32'>): Expression<'i32'> => i32.and(x, 511);
    module.define('ranges', ['i32', 'i32'], undefined, (frame, a, b) => {
      const [from, length] = frame.locals('i32', 2);
      return [
        set(from, small(a)),
        set(length, i32.and(b, 63)),
        copy(i32.add(small(b), 16), from, length),
        fill(i32.add(from, length), 0, i32.and(i32.sub(0, length), 15)),
        fill(i32.add(from, 600), i32.and(b, 255), length),
        copy(1024, i32.add(from, 8), 32),
      ];
    });
    const wide = module.define(undefined, ['i32', 'i32'], 'i32', (_, a, b) => [i32.sub(i32.mul(a, b), a)]);
    module.define('calls', ['i32', 'i32'], 'i32', (_, a, b) => [
      i32.store(0, 8, wide(b, a)),
      wide(wide(a, 3), i32.add(a, b)),
    ]);

    const text = transliterate(module.bytes(), { name: 'made', type: 'any', intrinsics });
    const pair = new Pair(module.bytes(), await loaded<Record<string, () => number>>(text, 'made'));
    pair.write(sample(2048), 0);
    for (const name of pair.names) for (const a of EDGES) for (const b of EDGES) pair.call(name, a, b);
    // As at any boundary of WebAssembly, numbers beyond 32 bits are taken modulo 2^32.
    for (const name of pair.names) pair.call(name, 2 ** 32 + 5, 0xfffffff0);
  });
});
