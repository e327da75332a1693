// What Serpent and OCB need, on numbers and on terms.
import { FORWARD, INVERSE } from '../../../lanewise/src/serpent/boxes.ts';
import { substitution } from '../terms/cuts.ts';
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import { numbers, wordsOf, type Algebra } from './algebra.ts';
import type { Doubling } from './ocb.ts';
import { INVERSES, SBOXES, type Nibbles } from './serpent.ts';
import { symbols } from './terms.ts';

/** A word of which the first byte is the highest, and back. */
const reversed = <W>(w: Algebra<W>, word: W): W => w.fromBytes(w.toBytes(word).reverse());
/** A number of 128 bits from a block of words, and back. */
const numberOf = (block: readonly number[]): bigint =>
  block.reduce((n, word) => (n << 32n) | BigInt(reversed(numbers, word)), 0n);
const blockOf = (number: bigint): number[] =>
  [96n, 64n, 32n, 0n].map((shift) => reversed(numbers, Number((number >> shift) & 0xffffffffn)));

export const serpentNumbers: Nibbles<number> & Doubling<number> = {
  ...numbers,
  shl: (x, count) => (x << count) >>> 0,
  substitute: (table, x) =>
    x.map((_, j) => {
      let word = 0;
      for (let bit = 0; bit < 32; bit++) {
        const nibble = x.reduce((n, part, i) => n | (((part >>> bit) & 1) << i), 0);
        word |= ((table[nibble] >> j) & 1) << bit;
      }
      return word >>> 0;
    }),
  double(block) {
    const number = numberOf(block);
    return blockOf((number << 1n) ^ (number >> 127n ? 135n : 0n));
  },
  window: (bytes, bottom) => blockOf(bytes.reduce((n, byte) => (n << 8n) | BigInt(byte), 0n) >> BigInt(64 - bottom)),
};

/** The circuits that are proposed for the tables; each is compared with its table, row by row. */
const substitutions = new Map<readonly number[], (x: readonly Term[]) => Term[]>();
function substitutionOf(table: readonly number[]): (x: readonly Term[]) => Term[] {
  const known = substitutions.get(table);
  if (known) return known;
  const box = SBOXES.indexOf(table);
  const inverse = INVERSES.indexOf(table);
  const made =
    box >= 0
      ? substitution(table, { text: FORWARD[box], before: 0, behind: SBOXES[box][0] })
      : substitution(table, { text: INVERSE[inverse], before: SBOXES[inverse][0], behind: 0 });
  substitutions.set(table, made);
  return made;
}

export const serpentSymbols: Nibbles<Term> & Doubling<Term> = {
  ...symbols,
  shl: (x, count) => terms.shl(x, count),
  substitute: (table, x) => substitutionOf(table)(x),
  double(block) {
    const words = block.map((word) => reversed(symbols, word));
    const shifted = words.map((word, i) => {
      const next = words[i + 1];
      return next ? terms.or(terms.shl(word, 1), terms.shr_u(next, 31)) : terms.shl(word, 1);
    });
    const carry = terms.mul(terms.shr_u(words[0], 31), terms.constant(32, 135));
    return [...shifted.slice(0, 3), terms.xor(shifted[3], carry)].map((word) => reversed(symbols, word));
  },
  window(bytes, bottom) {
    const words = wordsOf(symbols, bytes)
      .map((word) => reversed(symbols, word))
      .slice(bottom >> 5);
    const count = bottom & 31;
    const moved = words
      .slice(0, 4)
      .map((word, i) => (count ? terms.or(terms.shl(word, count), terms.shr_u(words[i + 1], 32 - count)) : word));
    return moved.map((word) => reversed(symbols, word));
  },
};
