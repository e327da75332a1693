/** What disk encryption is proved against: AES as FIPS 197 and node:crypto have it, NH as its authors do. */
import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { byteNumbers, cipher, invCipher, keyExpansion } from '../src/specifications/aes.ts';
import { numbers } from '../src/specifications/algebra.ts';
import { adiantumHead, hpolycHead, nonceOf, pieces } from '../src/specifications/hbsh.ts';
import { nh, type Longs } from '../src/specifications/nh.ts';

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

describe('NH', () => {
  const longs: Longs<number, bigint> = {
    ...numbers,
    zero: 0n,
    product: (x, y) => BigInt(x) * BigInt(y),
    sum: (x, y) => BigInt.asUintN(64, x + y),
    bytesOfLong: (x) => Array.from({ length: 8 }, (_, i) => Number((x >> BigInt(8 * i)) & 0xffn)),
  };
  const { tests } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors/disk-nh.json'), 'utf8')) as {
    tests: { name: string; key: string; message: string; hash: string }[];
  };
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
