/** The specification that scrypt's kernel is proved against, run on numbers: the vectors of RFC 7914, and SHA-256 of node:crypto. */
import { itCoversItsSpecifications } from './specification-coverage.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bigEndian,
  bigEndianBytes,
  blockMix,
  compress,
  initialHash,
  type Sha256Algebra,
} from '../src/rooms/scrypt/specification.ts';
import { salsa20 } from '../src/rooms/salsa/specification.ts';
import { numbers } from '../src/specifications/algebra.ts';

interface Vector {
  readonly function: string;
  readonly input: string;
  readonly output: string;
}
const { tests } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors/rfc7914.json'), 'utf8')) as {
  tests: readonly Vector[];
};
const vectorOf = (name: string): Vector => tests.find((test) => test.function === name)!;
const unhex = (text: string): number[] => [...Buffer.from(text, 'hex')];
const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex');

const words: Sha256Algebra<number> = {
  ...numbers,
  and: (x, y) => (x & y) >>> 0,
  shr: (x, count) => x >>> count,
};

function sha256(message: readonly number[]): number[] {
  const padding = new Array<number>((119 - (message.length % 64)) % 64).fill(0);
  const length = numbers.toBytes(8 * message.length).reverse();
  const padded = [...message, 0x80, ...padding, 0, 0, 0, 0, ...length];
  let hash = initialHash(numbers);
  for (let at = 0; at < padded.length; at += 64) hash = compress(words, hash, padded.slice(at, at + 64));
  return bigEndianBytes(numbers, hash);
}

describe('SHA-256', () => {
  it.each([0, 1, 3, 55, 56, 63, 64, 65, 200])('%i bytes as in node:crypto', (length) => {
    const message = Array.from({ length }, (_, i) => (7 * i + length) & 255);
    expect(hex(sha256(message))).toBe(createHash('sha256').update(Buffer.from(message)).digest('hex'));
  });

  it('has Ch and Maj as FIPS 180-4 §4.1.2 has them, in all eight rows', () => {
    for (let row = 0; row < 8; row++) {
      const [x, y, z] = [row >> 2, (row >> 1) & 1, row & 1];
      expect((x & (y ^ z)) ^ z).toBe((x & y) ^ ((x ^ 1) & z));
      expect(((x ^ y) & (y ^ z)) ^ y).toBe((x & y) ^ (x & z) ^ (y & z));
    }
  });

  it('reads words that it writes', () => {
    const bytes = unhex('0123456789abcdef');
    expect(bigEndian(numbers, bytes)).toEqual([0x01234567, 0x89abcdef]);
    expect(bigEndianBytes(numbers, bigEndian(numbers, bytes))).toEqual(bytes);
  });
});

describe('RFC 7914', () => {
  it('section 8, Salsa20/8', () => {
    const { input, output } = vectorOf('salsa20/8');
    expect(hex(salsa20(numbers, unhex(input), 8))).toBe(output);
  });

  it('section 9, scryptBlockMix', () => {
    const { input, output } = vectorOf('scryptBlockMix');
    expect(hex(blockMix(numbers, unhex(input)))).toBe(output);
  });
});

describe('the specification', () => {
  itCoversItsSpecifications('scrypt/specification');
});
