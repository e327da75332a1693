/** scrypt on every engine: the vectors of RFC 7914, random parameters against noble, slices, aborts, wiping, refusals. */
// Runs in every mode: known answers.
import { scrypt as noble } from '@noble/hashes/scrypt.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Instance } from '../../src/engine/instance.ts';
import { SCHEDULE } from '../../src/scrypt/map.ts';
import { scrypt, scryptSync, type ScryptOptions } from '../../src/scrypt.ts';
import { expectBytes, hex, refusal, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { utf8, vectors } from '../support/scrypt.ts';

/** The fourth takes 1 GiB: scrypt/oracles.nightly.test.ts. */
const quick = vectors.filter(({ N }) => N < 2 ** 20);

const [password, salt] = [utf8('correct horse'), sample(16, 901)];

/** The memories of derivations that are under way or over: all that bytes were written to. */
function watched(): Set<Uint8Array> {
  const memories = new Set<Uint8Array>();
  const write: Instance<unknown>['write'] = Reflect.get(Instance.prototype, 'write');
  vi.spyOn(Instance.prototype, 'write').mockImplementation(function (this: Instance<unknown>, ...values) {
    memories.add(this.memory);
    write.apply(this, values);
  });
  return memories;
}
const isWiped = (memory: Uint8Array): boolean => {
  for (let at = SCHEDULE; at < memory.length; at++) if (memory[at]) return false;
  return true;
};
afterEach(() => {
  vi.restoreAllMocks();
});

onEachEngine(() => {
  it.each(quick)('RFC 7914: $P, $S, N = $N, r = $r, p = $p', async ({ P, S, N, r, p, dkLen, output }) => {
    const options = { N, r, p, dkLen };
    expect(hex(scryptSync(utf8(P), utf8(S), options))).toBe(output);
    expect(hex(await scrypt(utf8(P), utf8(S), options))).toBe(output);
    expect(hex(scryptSync(utf8(P), utf8(S), { logN: Math.log2(N), r, p, dkLen }))).toBe(output);
  });

  it('is noble at random parameters', () => {
    let seed = 1;
    const below = (n: number): number => (seed = Math.imul(seed, 0x9e3779b1) + 0x7f4a7c15) >>> 0 && (seed >>> 8) % n;
    for (let i = 0; i < 40; i++) {
      const [N, r, p, dkLen] = [2 ** (1 + below(7)), 1 + below(9), 1 + below(4), 1 + below(200)];
      const itsPassword = sample([0, 1, 31, 63, 64, 65, 100, 130, 4000][below(9)], i);
      const itsSalt = sample([0, 1, 16, 50, 51, 52, 55, 56, 60, 64, 127, 3072, 6200][below(13)], 1000 + i);
      const what = `N=${N} r=${r} p=${p} dkLen=${dkLen}, ${itsPassword.length} and ${itsSalt.length} bytes`;
      const key = scryptSync(itsPassword, itsSalt, { N, r, p, dkLen });
      expectBytes(key, noble(itsPassword, itsSalt, { N, r, p, dkLen }), what);
    }
  });

  it('takes rows that are longer than a step', () => {
    const options = { N: 4, r: 1000, p: 2 };
    expectBytes(scryptSync(password, salt, options), noble(password, salt, options), 'r = 1000');
  });

  it('makes long keys', () => {
    const options = { N: 2, r: 1, p: 70, dkLen: 5000 };
    expectBytes(scryptSync(password, salt, options), noble(password, salt, options), '5000 bytes');
  });

  it('reads password and salt before it returns its promise', async () => {
    const [own, ownSalt] = [password.slice(), salt.slice()];
    const derived = scrypt(own, ownSalt, { N: 1024 });
    own.fill(0);
    ownSalt.fill(0);
    expectBytes(await derived, scryptSync(password, salt, { N: 1024 }), 'both');
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
    // 64 MiB of rows; a slice has 16 MiB at most.
    const key = await scrypt(password, salt, { N: 2 ** 15, onProgress: (progress) => told.push(progress) });
    isOver = true;
    expect(key.length).toBe(32);
    expect(told.length).toBeGreaterThanOrEqual(4);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect([told[0] > 0 && told[0] < 1, told.at(-1)]).toEqual([true, 1]);
    expect(turns).toBeGreaterThanOrEqual(1);
  });

  it('derives several keys at a time', async () => {
    const salts = [1, 2, 3].map((seed) => sample(16, seed));
    const keys = await Promise.all(salts.map((each) => scrypt(password, each, { N: 2 ** 13, r: 16 })));
    salts.forEach((each, i) => expectBytes(keys[i], scryptSync(password, each, { N: 2 ** 13, r: 16 }), `key ${i}`));
  });

  describe('memory', () => {
    const all = (memories: Set<Uint8Array>): boolean[] => Array.from(memories, isWiped);

    it('is wiped, and another one for each derivation', async () => {
      const memories = watched();
      scryptSync(password, salt, { N: 256, p: 3 });
      scryptSync(sample(100, 1), sample(5000, 2), { N: 16, dkLen: 3000 });
      await scrypt(password, salt, { N: 2 ** 12 });
      expect(all(memories)).toEqual([true, true, true]);
    });

    it('is wiped when the derivation is aborted', async () => {
      const memories = watched();
      const controller = new AbortController();
      const reason = new Error('enough');
      let progress = 0;
      const derived = scrypt(password, salt, {
        N: 2 ** 15,
        signal: controller.signal,
        onProgress(told) {
          progress = told;
          controller.abort(reason);
        },
      });
      await expect(derived).rejects.toBe(reason);
      expect(progress).toBeLessThan(0.5);
      expect(all(memories)).toEqual([true]);
    });

    it('is wiped when onProgress throws', async () => {
      const memories = watched();
      const thrown = new Error('from the callback');
      const derived = scrypt(password, salt, {
        N: 2 ** 15,
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
      vi.spyOn(Instance.prototype, 'read').mockImplementation(() => {
        throw planted;
      });
      expect(() => scryptSync(password, salt, { N: 256 })).toThrow(planted);
      await expect(scrypt(password, salt, { N: 256 })).rejects.toBe(planted);
      expect(all(memories)).toEqual([true, true]);
    });

    it('is seen: something that is left is found', () => {
      const memories = watched();
      scryptSync(password, salt, { N: 16 });
      const [memory] = memories;
      memory[memory.length - 1] = 1;
      expect(all(memories)).toEqual([false]);
    });
  });
});

describe('defaults', () => {
  it('are N = 2^17, r = 8, p = 1 and 32 bytes', () => {
    expectBytes(scryptSync(password, salt), noble(password, salt, { N: 2 ** 17, r: 8, p: 1, dkLen: 32 }), 'key');
  });
});

describe('what is refused', () => {
  const given = (options: unknown): ScryptOptions => options as ScryptOptions;
  const refused: readonly (readonly [what: string, options: unknown, message: string])[] = [
    ['N that is no power of two', { N: 1000 }, 'RangeError: "N" expected power of two from 2 to 2^24, got 1000'],
    ...[1, 0, -2, 2.5, 2 ** 25, NaN, Infinity].map(
      (N) => [`N of ${N}`, { N }, `RangeError: "N" expected power of two from 2 to 2^24, got ${N}`] as const,
    ),
    ['a text for N', { N: '16' }, 'TypeError: "N" expected integer, got type=string'],
    ['a bigint for N', { N: 16n }, 'TypeError: "N" expected integer, got type=bigint'],
    ['both', { N: 16, logN: 4 }, 'Error: cannot use both "N" and "logN"'],
    ['logN of 0', { logN: 0 }, 'RangeError: "logN" expected integer from 1 up, got 0'],
    ['logN of 25', { logN: 25 }, 'RangeError: "logN" expected integer from 1 to 24, got 25'],
    [
      'logN of 22, which is 4 GiB',
      { logN: 22, maxmem: 2 ** 40 },
      'RangeError: "N" expected 128*r*(N + p + 2) below 4 GiB, got N=4194304 with r=8, p=1',
    ],
    ['r of 0', { r: 0 }, 'RangeError: "r" expected integer from 1 up, got 0'],
    ['r of 8193', { r: 8193 }, 'RangeError: "r" expected integer from 1 to 8192, got 8193'],
    ['p of 0', { p: 0 }, 'RangeError: "p" expected integer from 1 up, got 0'],
    ['p of 2^27', { p: 2 ** 27 }, 'RangeError: "p" expected integer from 1 to (2^30 - 1) / r, got 134217728'],
    ['dkLen of 0', { dkLen: 0 }, 'RangeError: "dkLen" expected integer from 1 up, got 0'],
    [
      'too long a key',
      { dkLen: 2 ** 37 },
      'RangeError: "dkLen" expected integer from 1 to (2^32 - 1) * 32, got 137438953472',
    ],
    [
      'more than 1 GiB',
      { logN: 21 },
      'RangeError: "maxmem" expected at least 128*N*r*p=2147483648, got 1073741824 with N=2097152, r=8, p=1',
    ],
    [
      'more time than maxmem allows',
      { N: 16384, p: 3, maxmem: 2 ** 25 },
      'RangeError: "maxmem" expected at least 128*N*r*p=50331648, got 33554432 with N=16384, r=8, p=3',
    ],
    [
      'a longer key than maxmem allows',
      { N: 2, r: 1, p: 1, dkLen: 1025, maxmem: 1024 },
      'RangeError: "maxmem" expected at least dkLen=1025, got 1024',
    ],
    ['a text for maxmem', { maxmem: '1 GiB' }, 'TypeError: "maxmem" expected integer, got type=string'],
    [
      "node:crypto's names",
      { cost: 16 },
      'TypeError: "options" expected plain object { N, logN, r, p, dkLen, maxmem }, got { cost }: it is N or logN here',
    ],
  ];
  it.each(refused)('%s', (_, options, message) => {
    const asynchronous = message.replace('dkLen, maxmem }', 'dkLen, maxmem, signal, onProgress }');
    expect(refusal(() => scryptSync(password, salt, given(options)))).toBe(message);
    expect(refusal(() => scrypt(password, salt, given(options)))).toBe(asynchronous);
  });

  it.each([
    ['signal', { signal: 1 }, 'TypeError: "signal" expected AbortSignal, got type=number'],
    ['signal', { signal: null }, 'TypeError: "signal" expected AbortSignal, got type=null'],
    ['onProgress', { onProgress: true }, 'TypeError: "onProgress" expected function, got type=boolean'],
  ])('a wrong %s', (name, options, message) => {
    expect(refusal(() => scrypt(password, salt, given(options)))).toBe(message);
    expect(() => scryptSync(password, salt, given(options))).toThrow(
      `got { ${name} }: scrypt() takes it; scryptSync() returns when all is done`,
    );
  });

  it('texts for passwords', () => {
    const message =
      '"password" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password';
    expect(() => scryptSync('text' as never, salt, { N: 2 })).toThrow(new TypeError(message));
    expect(() => scrypt('text' as never, salt, { N: 2 })).toThrow(new TypeError(message));
    expect(() => scryptSync(password, 'text' as never, { N: 2 })).toThrow('"salt" expected Uint8Array');
  });

  it('a signal that is aborted already, before any memory is allocated', async () => {
    const memories = watched();
    const reason = new Error('too late');
    await expect(scrypt(password, salt, { N: 16, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(memories.size).toBe(0);
  });
});
