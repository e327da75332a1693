/**
 * ChaCha20-Poly1305-SIV: the specification's vectors, every length against OpenSSL and libsodium put together as the
 * specification says, forgeries, repeated nonces, and wiped memory, on every engine.
 */
// Runs in every mode: known answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chacha20poly1305siv, managedNonce } from '../../src/siv.ts';
import { sivInstance } from '../../src/siv/binding.ts';
import { concat, expectBytes, hex, range, sample, unhex, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { seal as expected } from './table/oracle.ts';

interface Vector {
  readonly key: string;
  readonly nonce: string;
  readonly associatedData: string;
  readonly plaintext: string;
  readonly ciphertext: string;
  readonly tag: string;
}
const file = join(import.meta.dirname, '../../../../vectors/chacha20-poly1305-siv-c2sp.json');
const { tests: vectors } = JSON.parse(readFileSync(file, 'utf8')) as { tests: readonly Vector[] };

const key = sample(32, 71);
const nonce = sample(16, 72);
const NOTHING = new Uint8Array();

/** Around blocks, sets, groups, and the stage of 122,880 bytes. */
const LENGTHS = [...range(0, 300), 511, 512, 513, 1023, 1025, 4096, 122_879, 122_880, 122_881, 250_001];

onEachEngine(() => {
  it.each(vectors.map((vector, i) => [i + 1, vector] as const))('the specification, test vector %i', (_, vector) => {
    const [k, n, aad, plaintext, ciphertext, tag] = [
      vector.key,
      vector.nonce,
      vector.associatedData,
      vector.plaintext,
      vector.ciphertext,
      vector.tag,
    ].map(unhex);
    const make = () => chacha20poly1305siv(k, n, aad);
    const sealed = concat(ciphertext, tag);
    expectBytes(make().encrypt(plaintext), sealed, 'encrypt');
    expectBytes(make().decrypt(sealed), plaintext, 'decrypt');
    const apart = make().encryptDetached(plaintext);
    expectBytes(concat(apart.ciphertext, apart.tag), sealed, 'encryptDetached');
    expectBytes(make().decryptDetached(ciphertext, tag), plaintext, 'decryptDetached');
    // "Unsuccessful decryption when each parameter is individually tampered with."
    const flipped = (bytes: Uint8Array): Uint8Array =>
      bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte));
    const out = untouched(plaintext.length);
    for (const [what, cipher, bytes] of [
      ['key', chacha20poly1305siv(flipped(k), n, aad), sealed],
      ['nonce', chacha20poly1305siv(k, flipped(n), aad), sealed],
      ['AAD', chacha20poly1305siv(k, n, concat(aad, Uint8Array.of(0))), sealed],
      ['tag', make(), flipped(sealed)],
      ['ciphertext', make(), concat(flipped(ciphertext), tag)],
    ] as const) {
      if (what === 'ciphertext' && ciphertext.length === 0) continue;
      expect(() => cipher.decrypt(bytes, out), what).toThrow('invalid tag');
      expectBytes(out, untouched(plaintext.length), `${what}: out`);
    }
  });

  it('every length, with and without additional data, into given bytes, over itself, and back', () => {
    for (const length of LENGTHS) {
      const plaintext = sample(length, 73);
      const aad = length % 3 ? sample(length % 50, 74) : NOTHING;
      const sealed = expected(key, nonce, aad, plaintext);
      const what = `${length} bytes`;
      expectBytes(chacha20poly1305siv(key, nonce, aad).encrypt(plaintext), sealed, what);
      const out = concat(plaintext, untouched(32));
      expectBytes(chacha20poly1305siv(key, nonce, aad).encrypt(out.subarray(0, length), out), sealed, `${what}, over`);
      const opened = chacha20poly1305siv(key, nonce, aad).decrypt(out, out.subarray(0, length));
      expectBytes(opened, plaintext, `${what}, back`);
    }
  });

  it('additional data of every length, more than fits beside the message too', () => {
    for (const length of [...range(0, 34), 1023, 1024, 1025, 122_881]) {
      const aad = sample(length, 75);
      for (const size of [0, 40, 300]) {
        const plaintext = sample(size, 76);
        const sealed = expected(key, nonce, aad, plaintext);
        expectBytes(chacha20poly1305siv(key, nonce, aad).encrypt(plaintext), sealed, `${length} and ${size}`);
        expectBytes(chacha20poly1305siv(key, nonce, aad).decrypt(sealed), plaintext, `${length} and ${size}, back`);
      }
    }
  });

  it('nonces whose first bytes are the last block numbers', () => {
    for (const first of [0xffffffff, 0xfffffffe, 0x80000000, 0x7fffffff]) {
      const edge = nonce.slice();
      new DataView(edge.buffer).setUint32(0, first, true);
      const plaintext = sample(200, 77);
      expectBytes(
        chacha20poly1305siv(key, edge).encrypt(plaintext),
        expected(key, edge, NOTHING, plaintext),
        hex(edge),
      );
    }
  });

  it('a forgery of a long message: nothing is written, and the object goes on', () => {
    const plaintext = sample(200_000, 78);
    const sealed = expected(key, nonce, NOTHING, plaintext);
    const box = chacha20poly1305siv(key, nonce);
    const out = untouched(plaintext.length);
    for (const at of [0, 150_000, 200_000, 200_015, 200_016, 200_031]) {
      const forged = sealed.slice();
      forged[at] ^= 128;
      expect(() => box.decrypt(forged, out), `byte ${at}`).toThrow('invalid tag');
      expect(out.every((byte) => byte === untouched(1)[0])).toBe(true);
    }
    expectBytes(box.decrypt(sealed, out), plaintext, 'afterwards');
  });

  it('every bit of the tag counts', () => {
    const sealed = chacha20poly1305siv(key, nonce).encrypt(sample(20, 79));
    for (let bit = 0; bit < 256; bit++) {
      const forged = sealed.slice();
      forged[20 + (bit >> 3)] ^= 1 << (bit & 7);
      expect(() => chacha20poly1305siv(key, nonce).decrypt(forged), `bit ${bit}`).toThrow('invalid tag');
    }
  });

  it('leaves nothing in memory, whether it opens or refuses', () => {
    for (const [length, aadLength] of [
      [0, 0],
      [20, 0],
      [20, 30],
      [200, 0],
      [5000, 1000],
      [130_000, 0],
      [100, 2000],
    ]) {
      const plaintext = sample(length, 80);
      const aad = sample(aadLength, 81);
      const isClean = (): boolean =>
        [0, 1e6].every((size) => {
          const { memory, secrets } = sivInstance(size);
          return memory.subarray(secrets).every((byte) => byte === 0);
        });
      const sealed = chacha20poly1305siv(key, nonce, aad).encrypt(plaintext);
      expect(isClean(), `encrypt ${length}, ${aadLength}`).toBe(true);
      chacha20poly1305siv(key, nonce, aad).decrypt(sealed);
      expect(isClean(), `decrypt ${length}, ${aadLength}`).toBe(true);
      sealed[0] ^= 1;
      expect(() => chacha20poly1305siv(key, nonce, aad).decrypt(sealed)).toThrow('invalid tag');
      expect(isClean(), `refuse ${length}, ${aadLength}`).toBe(true);
    }
  });
});

describe('as an AEAD', () => {
  it('a repeated nonce tells no more than that all is the same', () => {
    const [one, two] = [sample(100, 82), sample(100, 82)];
    two[99] ^= 1;
    const seal = (plaintext: Uint8Array): Uint8Array => chacha20poly1305siv(key, nonce).encrypt(plaintext);
    expectBytes(seal(one), seal(one), 'the same again');
    const [a, b] = [seal(one), seal(two)];
    // Under one keystream, all but the last byte would be the same.
    expect(a.filter((byte, i) => byte === b[i]).length).toBeLessThan(10);
  });

  it('encrypts once, has lengths, and takes random nonces', () => {
    const box = chacha20poly1305siv(key, nonce);
    box.encrypt(NOTHING);
    expect(() => box.encrypt(NOTHING)).toThrow('cannot encrypt() twice with same key + nonce');
    const { blockSize, nonceLength, tagLength } = chacha20poly1305siv;
    expect({ blockSize, nonceLength, tagLength }).toEqual({ blockSize: 64, nonceLength: 16, tagLength: 32 });
    const managed = managedNonce(chacha20poly1305siv)(key);
    const sealed = managed.encrypt(sample(9, 83));
    expect(sealed.length).toBe(16 + 9 + 32);
    expectBytes(managed.decrypt(sealed), sample(9, 83), 'managed');
  });

  it('what is refused, and how', () => {
    expect(() => chacha20poly1305siv(key, sample(12))).toThrow(
      new RangeError('"nonce" expected Uint8Array of length 16, got length=12'),
    );
    expect(() => chacha20poly1305siv(key, nonce).decrypt(sample(31))).toThrow(
      new Error('"ciphertext" expected length >= tagLength=32, got length=31'),
    );
    expect(() => chacha20poly1305siv(key, nonce).decryptDetached(sample(3), sample(16))).toThrow(
      new RangeError('"tag" expected Uint8Array of length 32, got length=16'),
    );
    const box = chacha20poly1305siv(key, nonce);
    box.destroy();
    expect(() => box.decrypt(sample(32))).toThrow('cannot use a cipher after destroy()');
  });
});
