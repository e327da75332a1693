/** Argon2 on every engine: the vectors of its reference and of RFC 9106, random parameters against noble, slices, aborts, wiping, refusals. */
// Runs in every mode: known answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as noble from '@noble/hashes/argon2.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { argon2Instance } from '../../src/argon2/binding.ts';
import { Instance } from '../../src/engine/instance.ts';
import * as argon2 from '../../src/argon2.ts';
import type { Argon2Options } from '../../src/argon2.ts';
import { expectBytes, hex, refusal, sample, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { isWiped, watched } from './watched.ts';

type Name = 'argon2d' | 'argon2i' | 'argon2id';
const NAMES: readonly Name[] = ['argon2d', 'argon2i', 'argon2id'];
interface Vector {
  readonly function: Name;
  readonly version: 0x10 | 0x13;
  readonly t: number;
  readonly m: number;
  readonly p: number;
  readonly password: string;
  readonly salt: string;
  readonly secret?: string;
  readonly ad?: string;
  /** 32 bytes unless given. */
  readonly dkLen?: number;
  readonly tag: string;
}
/** The others take 64 MiB and more: argon2/oracles.long.test.ts. */
const vectors = ['argon2.json', 'argon2-crate.json'].flatMap((file) => {
  const text = readFileSync(join(import.meta.dirname, '../../../../vectors', file), 'utf8');
  return (JSON.parse(text) as { tests: Vector[] }).tests.filter(({ m }) => m <= 256);
});

const [password, salt] = [sample(13, 900), sample(16, 901)];
const { argon2id, argon2idSync } = argon2;

afterEach(() => {
  vi.restoreAllMocks();
});

onEachEngine((engine) => {
  it.each(vectors)('$function, version $version, m = $m, p = $p', async (vector) => {
    const { function: name, version, t, m, p, secret = '', ad = '', dkLen = 32, tag } = vector;
    const options = { version, t, m, p, dkLen, secret: unhex(secret), ad: unhex(ad) };
    const [its, itsSalt] = [unhex(vector.password), unhex(vector.salt)];
    expect(hex(argon2[`${name}Sync`](its, itsSalt, options))).toBe(tag);
    expect(hex(await argon2[name](its, itsSalt, options))).toBe(tag);
  });

  it('is noble at random parameters', () => {
    let seed = 1;
    const below = (n: number): number => (seed = Math.imul(seed, 0x9e3779b1) + 0x7f4a7c15) >>> 0 && (seed >>> 8) % n;
    for (let i = 0; i < 24; i++) {
      const p = 1 + below(4);
      const options = { p, m: 8 * p + below(200), t: 1 + below(3), dkLen: 4 + below(200) };
      const version = [0x13, 0x10][below(2)] as 0x13 | 0x10;
      const name = NAMES[below(3)];
      const its = sample([0, 1, 31, 64, 127, 128, 129, 4000][below(8)], i);
      const itsSalt = sample([8, 16, 50, 128, 6200][below(5)], 1000 + i);
      const [secret, ad] = [sample(1 + below(40), 3), sample(1 + below(300), 4)];
      const key = argon2[`${name}Sync`](its, itsSalt, { ...options, version, secret, ad });
      const expected = noble[name](its, itsSalt, { ...options, version, key: secret, personalization: ad });
      expectBytes(key, expected, `${name} ${JSON.stringify(options)} ${version}, ${its.length} bytes`);
    }
  });

  it('makes keys of every length around those of hashes', () => {
    for (const dkLen of [4, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 1024])
      expectBytes(
        argon2idSync(password, salt, { m: 8, t: 1, dkLen }),
        noble.argon2id(password, salt, { m: 8, t: 1, p: 1, dkLen }),
        `${dkLen} bytes`,
      );
  });

  it('takes more addresses than a block has', () => {
    const options = { m: 8 * 600, t: 1, p: 2 };
    expectBytes(argon2.argon2iSync(password, salt, options), noble.argon2i(password, salt, options), 'a long segment');
  });

  it('reads its arguments before it returns its promise', async () => {
    const options = { m: 2048, t: 1 };
    const given = [password, salt, sample(8, 1), sample(9, 2)].map((bytes) => bytes.slice());
    const expected = argon2idSync(given[0], given[1], { ...options, secret: given[2], ad: given[3] });
    const derived = argon2id(given[0], given[1], { ...options, secret: given[2], ad: given[3] });
    for (const bytes of given) bytes.fill(0);
    expectBytes(await derived, expected, 'the key');
  });

  it('lets the event loop turn between slices, and tells its progress', async () => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setTimeout(turn);
    };
    setTimeout(turn);
    const told: number[] = [];
    // A slice has 16 MiB at most.
    const m = engine === 'js' ? 8192 : 32768;
    const key = await argon2id(password, salt, { m, t: 2, onProgress: (progress) => told.push(progress) });
    isOver = true;
    expect(key.length).toBe(32);
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect([told[0] < 1, told.at(-1)]).toEqual([true, 1]);
    expect(turns).toBeGreaterThanOrEqual(1);
  });

  it('derives several keys at a time', async () => {
    const salts = [1, 2, 3].map((seed) => sample(16, seed));
    const keys = await Promise.all(salts.map((each) => argon2id(password, each, { m: 2048 })));
    salts.forEach((each, i) => expectBytes(keys[i], argon2idSync(password, each, { m: 2048 }), `key ${i}`));
  });

  describe('memory', () => {
    const all = (memories: Set<Uint8Array>): boolean[] => Array.from(memories, isWiped);
    const LONG = { m: 16384, t: 3 };

    it('is wiped, and another one for each size', async () => {
      const memories = watched();
      argon2idSync(password, salt, { m: 64, p: 3 });
      argon2.argon2iSync(sample(100, 1), sample(5000, 2), { m: 300, dkLen: 3000 });
      await argon2id(password, salt, { m: 1024 });
      expect(all(memories)).toEqual([true, true, true]);
    });

    it('has the size that the parameters demand, and 64 KiB', () => {
      const memories = watched();
      argon2idSync(password, salt, { m: 1024, t: 1 });
      expect(Array.from(memories, ({ length }) => length)).toEqual([1024 * 1024 + 65536]);
    });

    it('is the same for the next derivation, unless that has another size, or one is at work in it', async () => {
      const memories = watched();
      const derive = (m: number): void => void argon2idSync(password, salt, { m, t: 1 });
      const many = 'WeakRef' in globalThis ? [1, 2, 3] : [2, 3, 4];
      derive(200);
      derive(200);
      expect(memories.size).toBe(many[0]);
      derive(300);
      expect(memories.size).toBe(many[1]);
      const [first, second] = [
        argon2id(password, salt, { ...LONG, m: 300 }),
        argon2id(sample(9, 3), salt, { m: 300, t: 3 }),
      ];
      expect(memories.size).toBe(many[2]);
      expectBytes(await first, argon2idSync(password, salt, { ...LONG, m: 300 }), 'first');
      expectBytes(await second, argon2idSync(sample(9, 3), salt, { m: 300, t: 3 }), 'second');
      expect(all(memories)).not.toContain(false);
    });

    it('is wiped when the derivation is aborted', async () => {
      const memories = watched();
      const controller = new AbortController();
      const reason = new Error('enough');
      let progress = 0;
      const derived = argon2id(password, salt, {
        ...LONG,
        signal: controller.signal,
        onProgress(told) {
          progress = told;
          controller.abort(reason);
        },
      });
      await expect(derived).rejects.toBe(reason);
      expect(progress).toBeLessThan(0.9);
      expect(all(memories)).toEqual([true]);
    });

    it('is wiped when onProgress throws', async () => {
      const memories = watched();
      const thrown = new Error('from the callback');
      const derived = argon2id(password, salt, {
        ...LONG,
        onProgress() {
          throw thrown;
        },
      });
      await expect(derived).rejects.toBe(thrown);
      expect(all(memories)).toEqual([true]);
    });

    it('is wiped when the kernel throws', async () => {
      const memories = watched();
      const planted = new Error('planted');
      const holds = vi.spyOn(Instance.prototype, 'holds');
      const base = argon2Instance();
      // The last self-test of a derivation, after the matrix is full.
      holds.mockImplementation(function (this: Instance<unknown>) {
        if (this === base && all(memories).includes(false)) throw planted;
        return true;
      });
      // On a busy machine it takes more than one slice.
      await expect(argon2id(password, salt, { m: 64 })).rejects.toBe(planted);
      holds.mockRestore();
      expect(all(memories)).toEqual([true]);
    });

    it('is seen: something that is left is found', () => {
      const memories = watched();
      argon2idSync(password, salt, { m: 16 });
      const [memory] = memories;
      memory[memory.length - 1] = 1;
      expect(all(memories)).toEqual([false]);
    });
  });
});

describe('defaults', () => {
  it('are m = 19456, t = 2, p = 1 and 32 bytes of version 0x13', () => {
    const expected = argon2idSync(password, salt, { m: 19_456, t: 2, p: 1, dkLen: 32, version: 0x13 });
    expectBytes(argon2idSync(password, salt), expected, 'key');
  });
});

describe('what is refused', () => {
  const given = (options: unknown): Argon2Options => options as Argon2Options;
  const NAMED = '"options" expected plain object { t, m, p, dkLen, secret, ad, version, maxmem }';
  const refused: readonly (readonly [what: string, options: unknown, message: string])[] = [
    ['t of 0', { t: 0 }, 'RangeError: "t" expected integer from 1 up, got 0'],
    ['t of 2^32', { t: 2 ** 32 }, 'RangeError: "t" expected integer from 1 to 4294967295, got 4294967296'],
    ['a text for t', { t: '3' }, 'TypeError: "t" expected integer, got type=string'],
    ['a bigint for m', { m: 16n }, 'TypeError: "m" expected integer, got type=bigint'],
    ['m of 7', { m: 7 }, 'RangeError: "m" expected integer from 8 up, got 7'],
    ['m of 31 for four lanes', { m: 31, p: 4 }, 'RangeError: "m" expected integer from 32 up, got 31'],
    ['p of 0', { p: 0 }, 'RangeError: "p" expected integer from 1 up, got 0'],
    ['p of 2^24', { p: 2 ** 24 }, 'RangeError: "p" expected integer from 1 to 16777215, got 16777216'],
    ['dkLen of 3', { dkLen: 3 }, 'RangeError: "dkLen" expected integer from 4 up, got 3'],
    ['another version', { version: 0x12 }, 'RangeError: "version" expected 0x13 or 0x10, got 18'],
    ['a text for a version', { version: '19' }, 'TypeError: "version" expected integer, got type=string'],
    [
      'a text for a secret',
      { secret: 'pepper' },
      'TypeError: "secret" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
    ],
    ['null for ad', { ad: null }, 'TypeError: "ad" expected Uint8Array, got type=null'],
    [
      'more than 1 GiB',
      { m: 2 ** 21 },
      'RangeError: "maxmem" expected at least 1024*m=2147483648, got 1073741824 with m=2097152',
    ],
    ['4 GiB', { m: 2 ** 22, maxmem: 2 ** 40 }, 'RangeError: "m" expected less than 4 GiB, got m=4194304'],
    [
      'a longer key than maxmem',
      { m: 8, dkLen: 9000, maxmem: 8192 },
      'RangeError: "maxmem" expected at least dkLen=9000, got 8192',
    ],
    ["noble's name", { key: salt }, `TypeError: ${NAMED}, got { key }: it is secret here`],
    ["node:crypto's name", { passes: 3 }, `TypeError: ${NAMED}, got { passes }: it is t here`],
    ["hash-wasm's name", { memorySize: 8 }, `TypeError: ${NAMED}, got { memorySize }: it is m here`],
  ];
  it.each(refused)('%s', (_, options, message) => {
    const asynchronous = message.replace('version, maxmem }', 'version, maxmem, signal, onProgress, lanes }');
    for (const name of NAMES) {
      expect(refusal(() => argon2[`${name}Sync`](password, salt, given(options)))).toBe(message);
      expect(refusal(() => argon2[name](password, salt, given(options)))).toBe(asynchronous);
    }
  });

  it.each([
    ['signal', { signal: 1 }, 'TypeError: "signal" expected AbortSignal, got type=number'],
    ['onProgress', { onProgress: true }, 'TypeError: "onProgress" expected function, got type=boolean'],
  ])('a wrong %s', (name, options, message) => {
    expect(refusal(() => argon2id(password, salt, given(options)))).toBe(message);
    expect(() => argon2idSync(password, salt, given(options))).toThrow(
      `got { ${name} }: the function without Sync takes it`,
    );
  });

  it('a short salt, and texts', () => {
    expect(refusal(() => argon2idSync(password, sample(7, 1)))).toBe(
      'RangeError: "salt" expected Uint8Array of length 8 or more, got length=7',
    );
    expect(() => argon2idSync('text' as never, salt)).toThrow('"password" expected Uint8Array, got type=string');
    expect(() => argon2id(password, 'text' as never)).toThrow('"salt" expected Uint8Array, got type=string');
  });

  it('a signal that is aborted already, before any memory is allocated', async () => {
    const memories = watched();
    const reason = new Error('too late');
    await expect(argon2id(password, salt, { m: 16, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(memories.size).toBe(0);
  });
});
