/** Serpent's known answers, and its modes written plainly over single blocks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concat } from './bytes.ts';

/** The tests of a file of /vectors, each a line. */
export const linesOf = (name: string): readonly string[] =>
  (
    JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors', name), 'utf8')) as {
      tests: readonly string[];
    }
  ).tests;

/** The input of vectors/serpent-libgcrypt.py. */
export const pattern = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => 167 * i + 59 * (i >> 8) + seed);

export const xor = (a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(a, (x, i) => x ^ b[i]);

type Encrypt = (block: Uint8Array) => Uint8Array;
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
const blockOf = (number: bigint): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(BigInt.asUintN(128, number).toString(16).padStart(32, '0'), 'hex'));
const padded = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  concat(bytes, new Uint8Array([0x80]), new Uint8Array(15 - bytes.length));
const blocksOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: bytes.length >> 4 }, (_, i) => bytes.subarray(16 * i, 16 * i + 16));

/** RFC 7253 §4.1 to §4.2, step by step, with the encryption of a block cipher only. */
export function ocbByTheBook(encrypt: Encrypt, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const double = (block: Uint8Array): Uint8Array => {
    const number = numberOf(block);
    return blockOf((number << 1n) ^ (number >> 127n ? 0x87n : 0n));
  };
  const star = encrypt(new Uint8Array(16));
  const dollar = double(star);
  const L = (i: number): Uint8Array => {
    let block = double(dollar);
    for (; i % 2 === 0; i /= 2) block = double(block);
    return block;
  };

  let sum: Uint8Array = new Uint8Array(16);
  let offset: Uint8Array = new Uint8Array(16);
  blocksOf(aad).forEach((block, i) => {
    offset = xor(offset, L(i + 1));
    sum = xor(sum, encrypt(xor(block, offset)));
  });
  const rest = aad.subarray(aad.length & -16);
  if (rest.length) sum = xor(sum, encrypt(xor(padded(rest), xor(offset, star))));

  const whole = concat(new Uint8Array(15 - nonce.length), new Uint8Array([1]), nonce);
  const bottom = BigInt(whole[15] & 63);
  whole[15] &= 0xc0;
  const top = numberOf(encrypt(whole));
  const stretch = (top << 64n) | ((top >> 64n) ^ ((top >> 56n) & 0xffffffffffffffffn));
  offset = blockOf(stretch >> (64n - bottom));

  let checksum: Uint8Array = new Uint8Array(16);
  const ciphertext = blocksOf(plaintext).map((block, i) => {
    offset = xor(offset, L(i + 1));
    checksum = xor(checksum, block);
    return xor(offset, encrypt(xor(block, offset)));
  });
  const last = plaintext.subarray(plaintext.length & -16);
  if (last.length) {
    offset = xor(offset, star);
    checksum = xor(checksum, padded(last));
    ciphertext.push(xor(last, encrypt(offset)));
  }
  return concat(...ciphertext, xor(sum, encrypt(xor(xor(checksum, offset), dollar))));
}
