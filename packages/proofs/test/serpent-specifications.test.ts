/**
 * The specifications that Serpent and OCB are proved against, run on numbers: vectors of NESSIE and libgcrypt, and RFC
 * 7253 for block numbers that no vector reaches.
 */
import { itCoversItsSpecifications } from './specification-coverage.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serpentSymbols } from '../src/rooms/serpent/symbols.ts';
import { wordsOf } from '../src/specifications/algebra.ts';
import * as ocb from '../src/rooms/serpent/ocb-specification.ts';
import { serpentNumbers as w } from '../src/rooms/serpent/numbers-specification.ts';
import { decipher, decryptBlock, encipher, encryptBlock, roundKeys } from '../src/rooms/serpent/specification.ts';
import { constant, valueOf, type Term } from '../src/terms/term.ts';

const unhex = (text: string): number[] => [...Buffer.from(text, 'hex')];
const linesOf = (name: string): string[] =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors', name), 'utf8')) as { tests: string[] }).tests;
/** The input of vectors/serpent-libgcrypt.py. */
const pattern = (length: number, seed: number): number[] =>
  Array.from({ length }, (_, i) => (167 * i + 59 * (i >> 8) + seed) & 255);

describe('Serpent', () => {
  const nessie = linesOf('serpent-nessie.json');

  it('gives every seventh NESSIE vector, both ways', () => {
    expect(nessie).toHaveLength(1734);
    for (const line of nessie.filter((_, i) => i % 7 === 0)) {
      const [key, plaintext, ciphertext] = line.split(' ').map(unhex);
      const keys = roundKeys(w, key);
      expect(encryptBlock(w, keys, plaintext), line).toEqual(ciphertext);
      expect(decryptBlock(w, keys, ciphertext), line).toEqual(plaintext);
    }
  });

  it('on terms as on numbers', () => {
    const bytes = (values: readonly number[]): Term[] => values.map((value) => constant(8, value));
    for (const line of nessie.filter((_, i) => i % 500 === 0)) {
      const [key, plaintext, ciphertext] = line.split(' ').map(unhex);
      const keys = roundKeys(serpentSymbols, bytes(key));
      expect(encryptBlock(serpentSymbols, keys, bytes(plaintext)).map(valueOf), line).toEqual(ciphertext);
      expect(decryptBlock(serpentSymbols, keys, bytes(ciphertext)).map(valueOf), line).toEqual(plaintext);
    }
  });
});

describe('OCB', () => {
  /** RFC 7253 §4.2: the nonce behind a one, in front of it the length of the tag, which is 0 for 128 bits; and its last six bits. */
  function nonceOf(nonce: readonly number[]): { block: number[]; bottom: number } {
    const bytes = [...new Array<number>(15 - nonce.length).fill(0), 1, ...nonce];
    const bottom = bytes[15] & 63;
    return { block: wordsOf(w, [...bytes.slice(0, 15), bytes[15] & 192]), bottom };
  }

  it('gives what libgcrypt gives, both ways', () => {
    const lines = linesOf('serpent-libgcrypt.json').filter((line) => {
      const n = Number(line.split(' ')[0]);
      return n <= 66 || n === 300;
    });
    expect(lines).toHaveLength(68);
    for (const line of lines) {
      const [lengthText, , , digest] = line.split(' ');
      const n = Number(lengthText);
      const keys = roundKeys(w, pattern([16, 24, 32][n % 3], 1 + n));
      const cipher = (block: readonly number[]): number[] => encipher(w, keys, block);
      const { block, bottom } = nonceOf(pattern(8 + (n % 8), 2 + n));
      const text = pattern(n, 4 + n);
      const own = ocb.ocbKey(w, cipher);
      const start = ocb.firstOffset(w, cipher, block, bottom);
      const sum = ocb.hash(w, own, cipher, pattern(n % 100 ? (7 * n) % 71 : n, 3 + n));
      const sealed = ocb.blocks(w, own, cipher, undefined, start, text);
      const all = Uint8Array.from([...sealed.text, ...ocb.tagOf(w, own, cipher, sealed, sum)]);
      expect(createHash('sha256').update(all).digest('hex').slice(0, 16), `${n} bytes`).toBe(digest);
      const back = ocb.blocks(w, own, cipher, (block) => decipher(w, keys, block), start, sealed.text);
      expect(back.text).toEqual(text);
      expect(back.checksum).toEqual(sealed.checksum);
    }
  });

  it('doubles and shifts on terms as on numbers', () => {
    const term = (words: readonly number[]): Term[] => words.map((word) => constant(32, word));
    for (const seed of [0, 1, 64, 128, 255]) {
      const block = wordsOf(w, pattern(16, seed));
      expect(serpentSymbols.double(term(block)).map(valueOf)).toEqual(w.double(block));
      const bytes = pattern(24, seed);
      const symbols = bytes.map((byte) => constant(8, byte));
      for (let bottom = 0; bottom < 64; bottom++)
        expect(serpentSymbols.window(symbols, bottom).map(valueOf)).toEqual(w.window(bytes, bottom));
    }
  });

  // No vector's message has 2^21 blocks. The offsets of block numbers are stated here in another form than in the RFC:
  // L_i is L_* times x^(i + 2), reduced once by long division, and the zeros are counted in the number's binary digits.
  describe('beyond the messages of vectors', () => {
    const numberOf = (block: readonly number[]): bigint =>
      block.flatMap((word) => w.toBytes(word)).reduce((n, byte) => (n << 8n) | BigInt(byte), 0n);
    /** x^128 + x^7 + x^2 + x + 1 */
    const MODULUS = (1n << 128n) | 0x87n;
    function reduced(n: bigint): bigint {
      for (let bits = n.toString(2).length; bits > 128; bits = n.toString(2).length) n ^= MODULUS << BigInt(bits - 129);
      return n;
    }

    const firstWrong = (start: readonly number[], l: (i: number) => number[]): number =>
      Array.from({ length: 64 }, (_, i) => i).findIndex(
        (i) => numberOf(l(i)) !== reduced(numberOf(start) << BigInt(i + 2)),
      );

    it.each(['00', '80', 'ff', '01', '5a'].map((byte) => byte.repeat(16)))('L_0 to L_63 of L_* = %s', (star) => {
      const start = wordsOf(w, unhex(star));
      const { l, dollar } = ocb.ocbKey(w, () => start);
      expect(numberOf(dollar)).toBe(reduced(numberOf(start) << 1n));
      expect(firstWrong(start, l)).toBe(-1);
      // A table that ends, which a kernel might have too: then the two are proved equal.
      if (numberOf(start)) expect(firstWrong(start, (i) => l(Math.min(i, 20)))).toBe(21);
      // The entries of L may be requested in any order.
      expect(numberOf(ocb.ocbKey(w, () => start).l(40))).toBe(reduced(numberOf(start) << 42n));
    });

    it('trailing zeros of block numbers below 2^53', () => {
      const zeros = (i: number): number => /0*$/.exec(i.toString(2))![0].length;
      const numbers = Array.from({ length: 53 }, (_, k) => [2 ** k, 3 * 2 ** k, 2 ** k + 1, 2 ** 52 + 2 ** k]).flat();
      for (const i of [...Array.from({ length: 1000 }, (_, n) => n + 1), ...numbers.filter(Number.isSafeInteger)])
        expect(ocb.ntz(i), String(i)).toBe(zeros(i));
    });

    it('a block takes the L of its number, wherever that is', () => {
      // Without a cipher the output is the plaintext, and the inputs of the cipher are the offsets.
      const start = wordsOf(w, unhex('5a'.repeat(16)));
      const given: bigint[] = [];
      const key = ocb.ocbKey(w, () => start);
      const offsets = ocb.blocks(
        w,
        key,
        (block) => {
          given.push(numberOf(block));
          return [...block];
        },
        undefined,
        key.zeros,
        new Array<number>(16 * 64).fill(0),
      );
      let offset = 0n;
      given.forEach((block, i) => {
        offset ^= reduced(numberOf(start) << BigInt(/0*$/.exec((i + 1).toString(2))![0].length + 2));
        expect(block).toBe(offset);
      });
      expect(given).toHaveLength(64);
      expect(numberOf(offsets.offset)).toBe(offset);
    });
  });
});

describe('specifications', () => {
  itCoversItsSpecifications('serpent/specification', 'serpent/numbers-specification', 'serpent/ocb-specification');
});
