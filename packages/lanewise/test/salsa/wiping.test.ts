/**
 * After every call of salsa.js and nacl.js, whether it returned or threw, linear memory is as it was after instantiation.
 * Only ciphertext and its tag may stay where they were staged or put aside: they are public. Every other byte is compared.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { select } from '../../src/engine.ts';
import type { Instance } from '../../src/engine/instance.ts';
import { BOX, FIRST_BYTES, TAG_BYTES } from '../../src/salsa/map.ts';
import { ASIDE, STAGE, STAGE_BYTES, MASKS } from '../../src/keystream/map.ts';
import nacl from '../../src/nacl.ts';
import { salsaInstance } from '../../src/salsa/binding.ts';
import { secretboxChachaInstance } from '../../src/salsa/xchacha-binding.ts';
import * as salsa from '../../src/salsa.ts';
import { engines } from '../support/engines.ts';
import { Memories, pattern, whileThrowing } from '../support/wiped.ts';

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

const key = pattern(32, 1000);
const nonces = { 8: pattern(8, 2000), 24: pattern(24, 4000) };
const longest = pattern(300_000, 5000);
const message = (length: number): Uint8Array<ArrayBuffer> => longest.subarray(0, length);

let memories: Memories;
const instances = (): Record<string, Instance<object>> => ({
  short: salsaInstance(0),
  long: salsaInstance(1e6),
  'secretbox-chacha': secretboxChachaInstance(),
});

const expectWiped: Memories['expectWiped'] = (...values) => memories.expectWiped(...values);
const expectFailure: Memories['expectFailure'] = (...values) => memories.expectFailure(...values);
/** Where a box, tag and ciphertext, was staged or put aside. */
function isPublic(byte: number, i: number, box: Uint8Array): boolean {
  const aside = i - ASIDE;
  const last = Math.min(box.length - TAG_BYTES, 512);
  // Where the message was put aside for the MAC, a bit that is always 1 follows its last byte.
  if (i < ASIDE + 512)
    return aside >= 0 && (aside === last ? byte === 1 : aside < last && byte === box[TAG_BYTES + aside]);
  if (byte === box[i - BOX + TAG_BYTES]) return true;
  // A part of a long message is staged after the one-time key's block, which has held its first bytes.
  return box.length > TAG_BYTES + MOST && byte === box[TAG_BYTES + FIRST_BYTES + i - STAGE];
}

describe.each(engines)('%s', (engine) => {
  beforeAll(() => {
    select(engine);
    memories = new Memories(instances(), isPublic);
  });

  it('starts with nothing in memory but the masks of ChaCha', () => {
    for (const { name, initial } of memories.watched) {
      const to = engine === 'simd' && name === 'secretbox-chacha' ? MASKS + MASK_BYTES : 0;
      expect(initial.every((byte, i) => byte === 0 || i < to)).toBe(true);
    }
  });

  it('is looked at closely: one byte of anything else is found', () => {
    memories.expectClose();
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
    memories.restore();
    whileThrowing(Object.values(instances()), time, () => {
      for (const length of LENGTHS.filter((n) => n > 0)) {
        expectFailure(`raw, ${length}`, () => salsa.xsalsa20(key, nonces[24], message(length)), /planted/);
        expectFailure(`seal, ${length}`, () => box().seal(message(length)), /planted/, boxes.get(length));
        expectFailure(`open, ${length}`, () => box().open(boxes.get(length)!), /planted/, boxes.get(length));
      }
    });
  });
});
