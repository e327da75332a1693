// The operations of Serpent and OCB on terms.
import { FORWARD, INVERSE } from '../../../../lanewise/src/serpent/boxes.ts';
import { wordsOf } from '../../specifications/algebra.ts';
import { reversed, type Doubling } from './ocb-specification.ts';
import { INVERSES, SBOXES, type Nibbles } from './specification.ts';
import { symbols } from '../../specifications/terms.ts';
import { substitution } from '../../terms/cuts.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';

/**
 * Circuits for the S-boxes, by the table of the S-box. They are the library's: a result can be recognised as an output of an
 * S-box only if both compute it by the same gates. A circuit is a proposal. `substitution` compares it with the
 * specification's table in all sixteen rows, and refuses it if a row differs.
 */
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
