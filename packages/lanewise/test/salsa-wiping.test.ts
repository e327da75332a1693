/**
 * After every call of salsa.js and nacl.js, whether it returned or threw, linear memory is as it was after instantiation.
 * Only ciphertext and its tag may stay where they were staged or put aside: they are public. Every other byte is compared.
 */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { select } from '../src/engine.ts';
import type { Instance } from '../src/engine/instance.ts';
import { BOX, FIRST_BYTES, TAG_BYTES } from '../src/salsa/map.ts';
import { ASIDE, STAGE, STAGE_BYTES, MASKS } from '../src/keystream/map.ts';
import nacl from '../src/nacl.ts';
import { salsaInstance } from '../src/salsa/binding.ts';
import { secretboxChachaInstance } from '../src/salsa/xchacha-binding.ts';
import * as salsa from '../src/salsa.ts';
import { engines } from './support/engines.ts';

const MOST = FIRST_BYTES + STAGE_BYTES;
/** Lengths around MAC blocks, the end of the first block, blocks, sets, groups, the place aside, and the stage. */
const LENGTHS = [
  0,
  1,
  16,
  31,
  32,
  33,
  64,
  65,
  96,
  97,
  128,
  129,
  160,
  161,
  224,
  225,
  500,
  512,
  513,
  544,
  545,
  992,
  993,
  1056,
  1057,
  2049,
  5000,
  65_536,
  STAGE_BYTES,
  MOST - 1,
  MOST,
  MOST + 1,
  300_000,
];
const MASK_BYTES = 48;

/** No byte is zero, because a zero that is left could not be seen. */
const pattern = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (Math.imul(i + seed, 0x9e3779b1) >>> 24) | 1);
const key = pattern(32, 1000);
const nonces = { 8: pattern(8, 2000), 24: pattern(24, 4000) };
const longest = pattern(300_000, 5000);
const message = (length: number): Uint8Array<ArrayBuffer> => longest.subarray(0, length);

interface Watched {
  readonly name: string;
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly initial: Uint8Array;
  /** The memory after the last call: bytes that are known to be public. */
  before: Uint8Array;
}
let watched: Watched[] = [];
const instances = (): Record<string, Instance<object>> => ({
  short: salsaInstance(0),
  long: salsaInstance(1e6),
  'secretbox-chacha': secretboxChachaInstance(),
});

/** Fails if a byte of any memory is neither as it was at the start nor public; `box` is tag and ciphertext. */
function expectWiped(what: string, box?: Uint8Array): void {
  const found: string[] = [];
  for (const entry of watched) {
    const { name, memory, initial, before } = entry;
    entry.before = initial;
    if (Buffer.compare(memory, initial) === 0) continue;
    const left = [];
    // Where the message was put aside for the MAC, a bit that is always 1 follows its last byte.
    const aside = box && Uint8Array.of(...box.subarray(TAG_BYTES, TAG_BYTES + 512), 1);
    // A part of a long message is staged behind the one-time key's block, which has held its first bytes.
    const parts = box && box.length > TAG_BYTES + MOST ? box.subarray(TAG_BYTES + FIRST_BYTES) : undefined;
    for (let i = 0; i < memory.length; i++) {
      if (memory[i] === initial[i] || memory[i] === before[i]) continue;
      const isPublic = i < ASIDE + 512 ? aside?.[i - ASIDE] : box?.[i - BOX + TAG_BYTES];
      if (memory[i] !== isPublic && memory[i] !== parts?.[i - STAGE]) left.push(i);
    }
    if (left.length) found.push(`${left.length} bytes in ${name} from ${left[0]} to ${left.at(-1)}`);
    entry.before = memory.slice();
  }
  expect(found, what).toEqual([]);
}
function expectFailure(what: string, call: () => unknown, error: RegExp, box?: Uint8Array): void {
  expect(call, what).toThrow(error);
  expectWiped(`${what}, which throws`, box);
}

describe.each(engines)('%s', (engine) => {
  beforeAll(() => {
    select(engine);
    watched = Object.entries(instances()).map(([name, { memory }]) => {
      const initial = memory.slice();
      return { name, memory, initial, before: initial };
    });
  });

  it('starts with nothing in memory but the masks of ChaCha', () => {
    for (const { name, initial } of watched) {
      const to = engine === 'simd' && name === 'secretbox-chacha' ? MASKS + MASK_BYTES : 0;
      expect(initial.every((byte, i) => byte === 0 || i < to)).toBe(true);
    }
  });

  it('is looked at closely: one byte of anything else is found', () => {
    for (const { memory } of watched) {
      const at = memory.length - 1;
      memory[at] = 1;
      expect(() => {
        expectWiped('planted');
      }).toThrow('planted');
      memory[at] = 0;
      expectWiped('taken away');
    }
  });

  it.each(['salsa8', 'salsa12', 'salsa20', 'xsalsa8', 'xsalsa12', 'xsalsa20'] as const)('%s', (name) => {
    const nonce = nonces[name.startsWith('x') ? 24 : 8];
    for (const length of LENGTHS) {
      salsa[name](key, nonce, message(length));
      expectWiped(`${length} bytes`);
      const stream = salsa[name].stream(key, nonce, 3).seek(length % 64);
      stream.update(message(length));
      expectWiped(`stream, ${length} bytes`);
    }
    if (nonce.length === 8) salsa[name](key.subarray(16), nonce, message(500));
    expectWiped('a short key');
  });

  it('hsalsa', () => {
    const words = (length: number, seed: number): Uint32Array => new Uint32Array(pattern(4 * length, seed).buffer);
    salsa.hsalsa(words(4, 1), words(8, 2), words(4, 3), new Uint32Array(8));
    expectWiped('hsalsa');
  });

  it.each(['secretbox', 'secretbox_xchacha20poly1305'] as const)('%s', (name) => {
    const make = (): salsa.Secretbox => salsa[name](key, nonces[24]);
    for (const length of LENGTHS) {
      const what = `${length} bytes`;
      const box = make().seal(message(length));
      expectWiped(`${what}: seal`, box);
      make().seal(message(length), new Uint8Array(length + TAG_BYTES));
      expectWiped(`${what}: seal with out`, box);
      make().open(box);
      expectWiped(`${what}: open`, box);
      const out = new Uint8Array(length);
      make().open(box, out);
      expectWiped(`${what}: open with out`, box);
      const forged = box.slice();
      forged[length >> 1] ^= 1;
      expectFailure(what, () => make().open(forged), /invalid tag/, forged);
      expectFailure(`${what} with out`, () => make().open(forged, out), /invalid tag/, forged);
    }
    expectFailure('too short', () => make().open(new Uint8Array(15)), /tagLength/);
    expectFailure('short out', () => make().seal(message(500), new Uint8Array(500)), /"out"/);
  });

  it('nacl.secretbox', () => {
    for (const length of LENGTHS) {
      const box = nacl.secretbox(message(length), nonces[24], key);
      expectWiped(`${length} bytes: seal`, box);
      nacl.secretbox.open(box, nonces[24], key);
      expectWiped(`${length} bytes: open`, box);
      box[3] ^= 1;
      expect(nacl.secretbox.open(box, nonces[24], key)).toBeNull();
      expectWiped(`${length} bytes: a forgery`, box);
    }
  });

  it.each(['before', 'after'] as const)('what throws %s the kernel has run', (time) => {
    const box = () => salsa.secretbox(key, nonces[24]);
    const boxes = new Map(LENGTHS.map((length) => [length, box().seal(message(length))]));
    const planted = (): never => {
      throw new Error('planted');
    };
    for (const { memory, initial } of watched) memory.set(initial);
    const restore = [...new Set(Object.values(instances()))].map((instance) => {
      if (time === 'after') {
        const spy = vi.spyOn(instance, 'read').mockImplementation(planted);
        return () => {
          spy.mockRestore();
        };
      }
      // The caller's bytes are in memory by then, and no function of the kernel wipes them.
      const { run } = instance;
      Object.assign(instance, { run: Object.fromEntries(Object.keys(run).map((name) => [name, planted])) });
      return () => {
        Object.assign(instance, { run });
      };
    });
    try {
      for (const length of LENGTHS.filter((n) => n > 0)) {
        expectFailure(`raw, ${length}`, () => salsa.xsalsa20(key, nonces[24], message(length)), /planted/);
        expectFailure(`seal, ${length}`, () => box().seal(message(length)), /planted/, boxes.get(length));
        expectFailure(`open, ${length}`, () => box().open(boxes.get(length)!), /planted/, boxes.get(length));
      }
    } finally {
      for (const each of restore) each();
    }
  });
});
