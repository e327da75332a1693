/**
 * The specifications that disk encryption is proved against: AES compared with FIPS 197 and node:crypto, NH and whole
 * pages with the authors' vectors.
 */
import { itCoversItsSpecifications } from './specification-coverage.ts';
import { createCipheriv, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { byteNumbers, cipher, invCipher, keyExpansion } from '../src/rooms/disk/aes-specification.ts';
import { numbers, wordsOf } from '../src/specifications/algebra.ts';
import type { Rounds } from '../src/rooms/chacha/specification.ts';
import { adiantumHead, hpolycHead, nonceOf, pieces } from '../src/rooms/disk/hbsh-specification.ts';
import { xchacha } from '../src/rooms/chacha/hchacha-specification.ts';
import { nh, type Longs } from '../src/rooms/disk/nh-specification.ts';
import { littleEndian, poly1305, toLittleEndian } from '../src/rooms/poly1305/specification.ts';

const unhex = (text: string): number[] => [...Buffer.from(text, 'hex')];
const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex');
const pattern = (length: number, seed: number): number[] =>
  Array.from({ length }, (_, i) => (Math.imul(i + 1000 * seed, 0x9e3779b1) >>> 24) & 0xff);

describe('AES-256', () => {
  // FIPS 197, appendix C.3.
  const key = unhex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
  const plaintext = unhex('00112233445566778899aabbccddeeff');
  const ciphertext = unhex('8ea2b7ca516745bfeafc49904b496089');

  it('the example of the standard', () => {
    const keys = keyExpansion(byteNumbers, key);
    expect(cipher(byteNumbers, keys, plaintext)).toEqual(ciphertext);
    expect(invCipher(byteNumbers, keys, ciphertext)).toEqual(plaintext);
  });

  it('the key schedule of appendix A.3', () => {
    const example = unhex('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4');
    const keys = keyExpansion(byteNumbers, example);
    expect(keys.length).toBe(15);
    expect(hex(keys[2])).toBe('9ba354118e6925afa51a8b5f2067fcde');
    expect(hex(keys[14])).toBe('fe4890d1e6188d0b046df344706c631e');
  });

  it.each(Array.from({ length: 20 }, (_, i) => i))('node:crypto, %i', (i) => {
    const [own, block] = [pattern(32, i), pattern(16, 100 + i)];
    const theirs = createCipheriv('aes-256-ecb', Uint8Array.from(own), null).update(Uint8Array.from(block));
    const keys = keyExpansion(byteNumbers, own);
    expect(cipher(byteNumbers, keys, block)).toEqual([...theirs]);
    expect(invCipher(byteNumbers, keys, [...theirs])).toEqual(block);
  });
});

const longs: Longs<number, bigint> = {
  ...numbers,
  zero: 0n,
  product: (x, y) => BigInt(x) * BigInt(y),
  sum: (x, y) => BigInt.asUintN(64, x + y),
  bytesOfLong: (x) => Array.from({ length: 8 }, (_, i) => Number((x >> BigInt(8 * i)) & 0xffn)),
};
const load = <T>(name: string): T =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors', name), 'utf8')) as T;

describe('NH', () => {
  const { tests } = load<{ tests: { name: string; key: string; message: string; hash: string }[] }>('disk-nh.json');
  const bytes = (text: string): number[] => [...Buffer.from(text, 'base64')];

  it.each(tests)('$name', ({ key, message, hash }) => {
    expect(hex(nh(longs, bytes(key), bytes(message)))).toBe(hash);
  });
});

describe('HBSH', () => {
  it('heads', () => {
    expect(hex(adiantumHead(numbers, 4080, [7, 8]))).toBe('807f0000000000000000000000000000' + '0708');
    expect(hex(hpolycHead(numbers, [7, 8]))).toBe('10000000' + '0708' + '00'.repeat(10));
    expect(hex(hpolycHead(numbers, pattern(12, 1)))).toBe('60000000' + hex(pattern(12, 1)));
  });
  it('nonces, and pieces of a message', () => {
    expect(hex(nonceOf(numbers, []))).toBe('01' + '00'.repeat(23));
    expect(hex(nonceOf(numbers, pattern(16, 2)))).toBe(hex(pattern(16, 2)) + '01' + '00'.repeat(7));
    expect(pieces(numbers, pattern(2050, 3)).map(({ length }) => length)).toEqual([1024, 1024, 16]);
    expect(pieces(numbers, [])).toEqual([]);
  });
});

describe('whole pages', () => {
  interface Vector {
    readonly cipher: 'adiantum' | 'hpolyc';
    readonly rounds: Rounds;
    readonly key: string;
    readonly tweak: string;
    readonly plaintext: number;
    readonly ciphertext?: string;
    readonly sha256?: string;
  }
  const { plaintexts, tests } = load<{ plaintexts: string[]; tests: Vector[] }>('disk.json');
  const zeros = (length: number): number[] => new Array<number>(length).fill(0);

  /** A page put together of the specifications, "Adiantum" §2, figure 1. */
  function encrypt({ cipher, rounds, key, tweak }: Vector, page: readonly number[]): number[] {
    const words = wordsOf(numbers, unhex(key));
    const stream = (nonce: readonly number[], text: readonly number[]): number[] =>
      xchacha(numbers, words, (j) => [j, 0], wordsOf(numbers, nonceOf(numbers, nonce)), text, rounds);
    const keys = stream([], zeros(32 + 32 + 1072));
    const [tweakKey, messageKey] = [keys.slice(32, 48), keys.slice(48, 64)].map((r) => [...r, ...zeros(16)]);
    const hash = (message: readonly number[]): bigint => {
      if (cipher === 'hpolyc')
        return littleEndian(poly1305([...hpolycHead(numbers, unhex(tweak)), ...message], tweakKey));
      const hashes = pieces(numbers, message).flatMap((piece) => nh(longs, keys.slice(64), piece));
      const head = poly1305(adiantumHead(numbers, message.length, unhex(tweak)), tweakKey);
      return littleEndian(head) + littleEndian(poly1305(hashes, messageKey));
    };
    const [left, right] = [page.slice(0, -16), page.slice(-16)];
    const middle = toLittleEndian(littleEndian(right) + hash(left), 16);
    const turned = cipherOf(keys.slice(0, 32), middle);
    const other = stream(turned, left);
    return [...other, ...toLittleEndian(BigInt.asUintN(128, littleEndian(turned) - hash(other)), 16)];
  }
  const cipherOf = (key: readonly number[], block: readonly number[]): number[] =>
    cipher(byteNumbers, keyExpansion(byteNumbers, key), block);

  it.each(['adiantum', 'hpolyc'])('%s: vectors of the authors', (name) => {
    // One vector for each number of rounds, length of tweak and length of page.
    const seen = new Set<string>();
    const chosen = tests.filter(({ cipher, rounds, tweak, plaintext }) => {
      const key = `${rounds} ${tweak.length} ${plaintexts[plaintext].length}`;
      return cipher === name && !seen.has(key) && seen.add(key);
    });
    expect(chosen).toHaveLength(54);
    for (const vector of chosen) {
      const found = encrypt(vector, [...Buffer.from(plaintexts[vector.plaintext], 'base64')]);
      if (vector.ciphertext !== undefined) expect(hex(found)).toBe(vector.ciphertext);
      else expect(createHash('sha256').update(Uint8Array.from(found)).digest('hex')).toBe(vector.sha256);
    }
  });
});

describe('specifications', () => {
  itCoversItsSpecifications('disk/aes-specification', 'disk/hbsh-specification', 'disk/nh-specification');
});
