/** secretbox: published answers, every length against libsodium, forgeries, buffers, objects. */
// Runs in every mode: known answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { select } from '../../src/engine.ts';
import { FIRST_BYTES } from '../../src/salsa/map.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { managedNonce, secretbox, secretbox_xchacha20poly1305, xsalsa20poly1305 } from '../../src/salsa.ts';
import {
  concat,
  detached,
  expectBytes,
  guarded,
  hex,
  liar,
  range,
  refusal,
  sample,
  truth,
  unhex,
} from '../support/bytes.ts';
import { engines, onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/salsa.ts';

const key = sample(32, 11);
const nonce = sample(24, 12);
const data = sample(3 * STAGE_BYTES, 13);
/** The longest message that takes one call of the kernel. */
const MOST = FIRST_BYTES + STAGE_BYTES;
const around = (limit: number): number[] => [-65, -64, -33, -32, -17, -16, -1, 0, 1, 16, 32, 64].map((d) => limit + d);
const lengths = [
  ...range(0, 1101),
  ...around(2 ** 16),
  ...around(MOST),
  ...around(2 ** 17),
  ...around(MOST + STAGE_BYTES),
];

interface Vector {
  readonly kind: string;
  readonly name: string;
  readonly key: string;
  readonly nonce: string;
  readonly plaintext: string;
  readonly box: string;
}
const vectors = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors/salsa-nacl.json'), 'utf8')) as {
    tests: Vector[];
  }
).tests.filter(({ kind }) => kind !== 'hsalsa20');

const ciphers = [
  { kind: 'secretbox', cipher: secretbox, oracle: oracles.secretbox },
  { kind: 'secretbox_xchacha20poly1305', cipher: secretbox_xchacha20poly1305, oracle: oracles.secretboxXChaCha },
];

onEachEngine(() => {
  describe.each(ciphers)('$kind', ({ kind, cipher, oracle }) => {
    test('published answers', () => {
      const own = vectors.filter((vector) => vector.kind === kind);
      expect(own).toHaveLength(kind === 'secretbox' ? 1 : 10);
      for (const t of own) {
        const make = () => cipher(unhex(t.key), unhex(t.nonce));
        expect(hex(make().seal(unhex(t.plaintext)))).toBe(t.box);
        expect(hex(make().open(unhex(t.box)))).toBe(t.plaintext);
      }
    });

    test('every length up to 1100 and around what one call takes: sealed and opened', () => {
      for (const length of lengths) {
        const plaintext = data.subarray(0, length);
        const wanted = oracle(key, nonce, plaintext);
        expectBytes(cipher(key, nonce).seal(plaintext), wanted, `seal ${length}`);
        expectBytes(cipher(key, nonce).open(wanted), plaintext, `open ${length}`);
        if (length > 400 && length < 1000) continue;
        const sealed = guarded(length + 16, length % 16);
        expect(cipher(key, nonce).seal(plaintext, sealed.out)).toBe(sealed.out);
        expectBytes(sealed.out, wanted, `seal ${length} into given bytes`);
        sealed.check(`seal ${length}`);
        const opened = guarded(length, length % 16);
        expect(cipher(key, nonce).open(wanted, opened.out)).toBe(opened.out);
        expectBytes(opened.out, plaintext, `open ${length} into given bytes`);
        opened.check(`open ${length}`);
      }
    });

    test('the tag apart: what the box has in one piece', () => {
      for (const length of [0, 1, 31, 32, 33, 64, 65, 600, MOST, MOST + 1, MOST + STAGE_BYTES]) {
        const plaintext = data.subarray(0, length);
        const box = oracle(key, nonce, plaintext);
        const [tag, text] = [box.subarray(0, 16), box.subarray(16)];
        const sealed = cipher(key, nonce).encryptDetached(plaintext);
        expectBytes(sealed.tag, tag, `tag of ${length}`);
        expectBytes(sealed.ciphertext, text, `ciphertext of ${length}`);
        expectBytes(cipher(key, nonce).decryptDetached(text, tag), plaintext, `opened ${length}`);
        const { out, check } = guarded(length);
        const before = out.slice();
        const wrong = tag.slice();
        wrong[15] ^= 1;
        expect(refusal(() => cipher(key, nonce).decryptDetached(text, wrong, out))).toBe('Error: invalid tag');
        expectBytes(out, before, `out after a wrong tag, ${length}`);
        expect(cipher(key, nonce).decryptDetached(text, tag, out)).toBe(out);
        expectBytes(out, plaintext, `opened ${length} into given bytes`);
        check(`opened ${length}`);
        const inPlace = text.slice();
        expectBytes(cipher(key, nonce).decryptDetached(inPlace, tag, inPlace), plaintext, `opened ${length} in place`);
      }
    });

    test('every byte of a box counts, and nothing is written for a forgery', () => {
      for (const length of [0, 1, 31, 32, 33, 64, 100, 600]) {
        const box = cipher(key, nonce).seal(data.subarray(0, length));
        const { out, check } = guarded(length);
        const before = out.slice();
        for (let i = 0; i < box.length; i++) {
          box[i] ^= 1 << (i & 7);
          expect(
            refusal(() => cipher(key, nonce).open(box)),
            `byte ${i} of ${length}`,
          ).toBe('Error: invalid tag');
          expect(refusal(() => cipher(key, nonce).open(box, out))).toBe('Error: invalid tag');
          expectBytes(out, before, 'out');
          box[i] ^= 1 << (i & 7);
        }
        check(`${length} bytes`);
        expectBytes(cipher(key, nonce).open(box), data.subarray(0, length), 'the box itself');
      }
    });

    test('forgeries of long messages, and of other keys, nonces and lengths', () => {
      for (const length of [2000, 65_536, MOST, MOST + 1, 2 * STAGE_BYTES + 5]) {
        const box = cipher(key, nonce).seal(data.subarray(0, length));
        const out = new Uint8Array(length).fill(7);
        for (const at of [0, 15, 16, 47, 48, length >> 1, length - 1, length + 15]) {
          box[at] ^= 0x40;
          expect(
            refusal(() => cipher(key, nonce).open(box)),
            `byte ${at} of ${length}`,
          ).toBe('Error: invalid tag');
          expect(refusal(() => cipher(key, nonce).open(box, out))).toBe('Error: invalid tag');
          box[at] ^= 0x40;
        }
        expect(out.every((byte) => byte === 7)).toBe(true);
        expect(refusal(() => cipher(key, nonce).open(box.subarray(0, -1)))).toBe('Error: invalid tag');
        expect(refusal(() => cipher(key, nonce).open(concat(box, new Uint8Array(1))))).toBe('Error: invalid tag');
        expect(refusal(() => cipher(sample(32, 1), nonce).open(box))).toBe('Error: invalid tag');
        expect(refusal(() => cipher(key, sample(24, 1)).open(box))).toBe('Error: invalid tag');
      }
    });

    test('bytes that overlap, in any way', () => {
      for (const length of [1, 40, 100, 1000, MOST + 100]) {
        const plaintext = data.subarray(0, length);
        const wanted = oracle(key, nonce, plaintext);
        for (const shift of [-100, -16, -1, 0, 1, 16, 33, 100]) {
          const room = new Uint8Array(length + 232);
          const from = room.subarray(100, 100 + length);
          from.set(plaintext);
          const to = room.subarray(100 + shift, 100 + shift + length + 16);
          expectBytes(cipher(key, nonce).seal(from, to), wanted, `seal ${length}, moved by ${shift}`);
          const back = room.subarray(100, 100 + length);
          expectBytes(cipher(key, nonce).open(to.slice(), back), plaintext, `open ${length}`);
          const box = room.subarray(100, 100 + length + 16);
          box.set(wanted);
          const target = room.subarray(100 + shift, 100 + shift + length);
          expectBytes(cipher(key, nonce).open(box, target), plaintext, `open ${length}, moved by ${shift}`);
        }
      }
    });

    test('a message that two engines worked on', () => {
      for (const other of engines) {
        const box = cipher(key, nonce).seal(data.subarray(0, 1000));
        select(other);
        expectBytes(cipher(key, nonce).open(box), data.subarray(0, 1000), other);
      }
    });

    test('objects: sealed once, opened often, destroyed', () => {
      const it = cipher(key, nonce);
      const box = it.encrypt(data.subarray(0, 50));
      expect(refusal(() => it.seal(data))).toBe(
        'Error: cannot encrypt() twice with same key + nonce: make another object with a fresh nonce',
      );
      expectBytes(it.decrypt(box), data.subarray(0, 50), 'first');
      expectBytes(it.open(box), data.subarray(0, 50), 'second');
      it.destroy();
      it.destroy();
      expect(refusal(() => it.open(box))).toBe('Error: cannot use a cipher after destroy()');
      expect(refusal(() => it.seal(box))).toBe('Error: cannot use a cipher after destroy()');
    });

    test('what the caller does to key and nonce later changes nothing', () => {
      const [k, n] = [key.slice(), nonce.slice()];
      const it = cipher(k, n);
      k.fill(0);
      n.fill(0);
      expectBytes(it.seal(data.subarray(0, 99)), oracle(key, nonce, data.subarray(0, 99)), 'box');
    });

    test('managedNonce puts the nonce in front', () => {
      const box = managedNonce(cipher, () => nonce.slice())(key);
      const message = box.encrypt(data.subarray(0, 77));
      expectBytes(message, concat(nonce, oracle(key, nonce, data.subarray(0, 77))), 'message');
      expectBytes(box.decrypt(message), data.subarray(0, 77), 'plaintext');
      message[30] ^= 1;
      expect(refusal(() => box.decrypt(message))).toBe('Error: invalid tag');
    });

    test('bytes that lie about themselves are asked past their lies', () => {
      const plaintext = data.subarray(0, 90);
      const wanted = oracle(key, nonce, plaintext);
      expectBytes(truth(cipher(liar(key), liar(nonce)).seal(liar(plaintext))), wanted, 'seal');
      expectBytes(truth(cipher(liar(key), liar(nonce)).open(liar(wanted))), plaintext, 'open');
    });

    test('refuses what it cannot take, before any work', () => {
      const wrong = <T>(value: unknown): T => value as T;
      const said = (work: () => unknown): string => refusal(work);
      expect(said(() => cipher(key.subarray(1), nonce))).toBe(
        'RangeError: "key" expected Uint8Array of length 32, got length=31',
      );
      expect(said(() => cipher(key, nonce.subarray(12)))).toBe(
        'RangeError: "nonce" expected Uint8Array of length 24, got length=12',
      );
      expect(said(() => cipher(wrong('key'), nonce))).toBe(
        'TypeError: "key" expected Uint8Array of length 32, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
      );
      const it = cipher(key, nonce);
      expect(said(() => it.seal(wrong([1])))).toBe('TypeError: "plaintext" expected Uint8Array, got type=Array');
      expect(said(() => it.seal(data.subarray(0, 5), new Uint8Array(5)))).toBe(
        'RangeError: "out" expected Uint8Array of length 21, got length=5',
      );
      expect(said(() => it.seal(detached(5)))).toMatch(/^TypeError: "plaintext" expected .* detached/);
      expect(said(() => it.open(new Uint8Array(15)))).toBe(
        'Error: "ciphertext" expected length >= tagLength=16, got length=15',
      );
      expect(said(() => it.open(new Uint8Array(20), new Uint8Array(20)))).toBe(
        'RangeError: "out" expected Uint8Array of length 4, got length=20',
      );
      // None of these was a message.
      expectBytes(it.seal(data.subarray(0, 5)), oracle(key, nonce, data.subarray(0, 5)), 'box');
    });
  });
});

test('ciphers say what they take', () => {
  expect(secretbox).toBe(xsalsa20poly1305);
  for (const { cipher } of ciphers) {
    expect([cipher.blockSize, cipher.nonceLength, cipher.tagLength]).toEqual([64, 24, 16]);
    expect(Object.isFrozen(cipher)).toBe(true);
  }
});
