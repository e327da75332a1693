/** SHA-2, HMAC, HKDF and PBKDF2 against `@noble/hashes` at lengths around blocks and the stage, and published vectors. */
// Runs in every mode: known answers.
import { expand as nobleExpand, extract as nobleExtract, hkdf as nobleHkdf } from '@noble/hashes/hkdf.js';
import { hmac as nobleHmac } from '@noble/hashes/hmac.js';
import { pbkdf2 as noblePbkdf2 } from '@noble/hashes/pbkdf2.js';
import * as noble from '@noble/hashes/sha2.js';
import { expect, it } from 'vitest';
import * as sha2 from '../../src/sha2.ts';
import { SHA256_CONSTANTS, SHA512_CONSTANTS } from '../../src/sha2/constants.ts';
import * as rounds from '../../src/sha2/rounds.ts';
import * as constants from '../../src/sha2/constants.ts';
import { expectBytes, sample, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const { hmac, hkdf, extract, expand, hashMany, pbkdf2, pbkdf2Sync, sha256, sha512 } = sha2;
const NAMES = ['sha224', 'sha256', 'sha384', 'sha512', 'sha512_256'] as const;
const LENGTHS = [0, 1, 3, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 1000];
const LONG = [65_535, 65_536, 65_537, 131_072, 140_000];
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const hexOf = (words: readonly bigint[], bits: number): string =>
  words.map((word) => word.toString(16).padStart(bits / 4, '0')).join('');

it('the tables are those of FIPS 180-4', () => {
  expect(SHA256_CONSTANTS).toBe(hexOf(rounds.sha256Rounds.constants, 32));
  expect(SHA512_CONSTANTS).toBe(hexOf(rounds.sha512Rounds.constants, 64));
  expect(constants.SHA224_INITIAL).toBe(hexOf(rounds.initialOf.sha224, 32));
  expect(constants.SHA256_INITIAL).toBe(hexOf(rounds.initialOf.sha256, 32));
  expect(constants.SHA384_INITIAL).toBe(hexOf(rounds.initialOf.sha384, 64));
  expect(constants.SHA512_INITIAL).toBe(hexOf(rounds.initialOf.sha512, 64));
});

onEachEngine(() => {
  it('FIPS 180-4, RFC 4231 §4.3, RFC 5869 A.1 and A.3, RFC 7914 §11', () => {
    // The examples of NIST's "Cryptographic Standards and Guidelines" for "abc".
    expectBytes(
      sha256(utf8('abc')),
      unhex('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'),
      'SHA-256',
    );
    expectBytes(
      sha2.sha512_256(utf8('abc')),
      unhex('53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23'),
      'SHA-512/256',
    );
    expectBytes(
      hmac(sha256, utf8('Jefe'), utf8('what do ya want for nothing?')),
      unhex('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'),
      'RFC 4231 §4.3',
    );
    const okm = '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865';
    const [input, salt] = [unhex('0b'.repeat(22)), unhex('000102030405060708090a0b0c')];
    expectBytes(hkdf(sha256, input, salt, unhex('f0f1f2f3f4f5f6f7f8f9'), 42), unhex(okm), 'RFC 5869 A.1');
    const none = '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8';
    expectBytes(hkdf(sha256, input, undefined, undefined, 42), unhex(none), 'RFC 5869 A.3');
    const key =
      '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783';
    expectBytes(pbkdf2Sync(sha256, utf8('passwd'), utf8('salt'), { c: 1, dkLen: 64 }), unhex(key), 'RFC 7914 §11');
  });

  it.each(NAMES)('%s, whole, in pieces, with HMAC', (name) => {
    const [ours, theirs] = [sha2[name], noble[name]];
    for (const length of [...LENGTHS, ...LONG]) {
      const message = sample(length, length);
      expectBytes(ours(message), theirs(message), `${name} of ${length}`);
      const pieces = ours.create();
      for (let from = 0, size = 1; from < length; from += size, size = ((size * 7 + 13) % 9000) + 1)
        pieces.update(message.subarray(from, from + size));
      expectBytes(pieces.clone().digest(), theirs(message), `${name} of ${length}, cloned`);
      expectBytes(pieces.digest(), theirs(message), `${name} of ${length} in pieces`);
      for (const keyLength of length < 2000 ? [0, 20, 64, 65, 128, 129, 200] : [20]) {
        const key = sample(keyLength, 3);
        const mac = nobleHmac(theirs, key, message);
        expectBytes(hmac(ours, key, message), mac, `HMAC-${name}, ${keyLength} and ${length}`);
        const object = hmac.create(ours, key).update(message.subarray(0, length >> 1));
        expectBytes(object.update(message.subarray(length >> 1)).digest(), mac, `HMAC-${name} in pieces`);
      }
    }
  });

  it.each(NAMES)('HKDF and PBKDF2 with %s', async (name) => {
    const [ours, theirs] = [sha2[name], noble[name]];
    for (const length of [...LENGTHS, 65_535, 65_600]) {
      const [input, salt, info] = [sample(length, 1), sample(20, 2), sample(length, 3)];
      // The other implementation wants as many bytes as a digest has.
      const key = sample(length + 64, 4);
      expectBytes(hkdf(ours, input, salt, info, 100), nobleHkdf(theirs, input, salt, info, 100), `${length}`);
      expectBytes(extract(ours, input, info), nobleExtract(theirs, input, info), `extract, ${length}`);
      expectBytes(expand(ours, key, info, 33), nobleExpand(theirs, key, info, 33), `expand, ${length}`);
    }
    expectBytes(
      expand(ours, sample(64, 1), undefined, 255 * ours.outputLen),
      nobleExpand(theirs, sample(64, 1), undefined, 255 * ours.outputLen),
      'the most',
    );
    expect(expand(ours, sample(64, 1), undefined, 0).length).toBe(0);
    for (const [c, dkLen, passwordLength] of [
      [1, 1, 200],
      [2, 150, 9],
      [300, 70, 0],
    ] as const) {
      const [password, salt] = [sample(passwordLength, 1), sample(130, 2)];
      const expected = noblePbkdf2(theirs, password, salt, { c, dkLen });
      expectBytes(pbkdf2Sync(ours, password, salt, { c, dkLen }), expected, `PBKDF2, ${c}`);
      expectBytes(await pbkdf2(ours, password, salt, { c, dkLen }), expected, `PBKDF2 in slices, ${c}`);
    }
  });

  it.each(NAMES)('hashMany with %s, messages of all lengths side by side', (name) => {
    const lengths = [0, 1, 64, 5000, 3, 100, 119, 120, 55, 56, 40_000, 64, 64, 64, 63, 20_000, 15_360, 15_361];
    for (let count = 0; count <= lengths.length; count++) {
      const list = lengths.slice(0, count).map((length, i) => sample(length, i));
      hashMany(sha2[name], list).forEach((digest, i) => expectBytes(digest, noble[name](list[i]), `${i} of ${count}`));
    }
  });
});

it('refuses what it cannot use', async () => {
  const key = new Uint8Array(1);
  const wrong = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      return String(error);
    }
    return 'nothing';
  };
  expect(wrong(() => hmac(noble.sha256 as never, key, key))).toBe(
    'TypeError: "hash" expected sha224, sha256, sha384, sha512 or sha512_256 of lanewise/sha2.js, got type=function',
  );
  expect(wrong(() => hkdf(sha256, key, undefined, undefined, 255 * 32 + 1))).toBe(
    'RangeError: "length" expected integer from 0 to 255*32=8160, got 8161',
  );
  expect(wrong(() => pbkdf2Sync(sha256, key, key, {} as never))).toBe(
    'TypeError: "c" expected integer, got type=undefined',
  );
  expect(wrong(() => pbkdf2Sync(sha256, key, key, { c: 2 ** 32 }))).toBe(
    'RangeError: "c" expected integer from 1 to 2^32 - 1, got 4294967296',
  );
  const hasher = sha512.create();
  hasher.digest();
  expect(wrong(() => hasher.update(key))).toBe('Error: cannot use Sha2 after digest()');
  const object = hmac.create(sha256, key);
  object.destroy();
  expect(wrong(() => object.digest())).toBe('Error: cannot use Hmac after destroy()');
  const reason = new Error('stop');
  const controller = new AbortController();
  const derivation = pbkdf2(sha256, key, key, { c: 2 ** 31, signal: controller.signal });
  controller.abort(reason);
  await expect(derivation).rejects.toBe(reason);
});
