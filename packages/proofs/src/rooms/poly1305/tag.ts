// The claim about a tag of Poly1305, and the two statements that imply it: the accumulator is congruent to the
// specification's polynomial, and the last step is that of the specification for every accumulator.
import { requireAccumulated } from '../../polynomials/congruence.ts';
import type { Ring, Sum } from '../../polynomials/ring.ts';
import { clamp } from './specification.ts';
import { wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { and, constant, numberOf as numberOfTerm, variablesOf, type Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { MOST_TOP, reductionInputs, requireReduction } from './reduction.ts';
import type { PolynomialRun } from './run.ts';

const BLOCK = 16;
const ALL_ONES = (1n << 128n) - 1n;

/** RFC 8439 §2.5.1: the bits of each word of r that clamping keeps. */
export const CLAMPED = [0, 32, 64, 96].map((bit) => Number((clamp(ALL_ONES) >> BigInt(bit)) & 0xffffffffn));
export const clamped = (words: readonly Term[]): Term[] => words.map((word, i) => and(word, constant(32, CLAMPED[i])));

/** Words as one number. */
export const numberOf = (ring: Ring, words: readonly Term[]): Sum =>
  words.reduce(
    (sum, word, i) => sum.plus(ring.word(word).polynomial.scaled(1n << BigInt(32 * i))),
    ring.constant(0n).polynomial,
  );

/** RFC 8439 §2.5.1: each block of 16 bytes, the last one of fewer, with a bit set above its last byte. */
export function blockNumbers(ring: Ring, message: readonly Term[]): Sum[] {
  const zero = symbols.byte(0);
  return Array.from({ length: Math.ceil(message.length / BLOCK) }, (_, i) => {
    const bytes = [...message.slice(BLOCK * i, BLOCK * (i + 1)), symbols.byte(1)];
    while (bytes.length % 4) bytes.push(zero);
    return numberOf(ring, wordsOf(symbols, bytes));
  });
}

/** Throws Failure unless the last word of an accumulator stays as small as everything else relies on. */
export function requireSmallTop(ring: Ring, h: readonly Term[]): void {
  const { high } = ring.word(h[4]).interval;
  require(high <= BigInt(MOST_TOP), () => `the last word of the accumulator may be ${high}`);
}

export interface TagClaim {
  /** 16 bytes. */
  readonly tag: readonly Term[];
  /** The words of r after clamping, and those of s. */
  readonly r: readonly Term[];
  readonly s: readonly Term[];
  readonly message: readonly Term[];
  /** The words of the accumulator that the message adds to; zero unless given. */
  readonly start?: readonly Term[];
}

/** Throws Failure unless this is the tag. */
export async function requireTag(run: PolynomialRun, { tag, r, s, message, start = [] }: TagClaim): Promise<void> {
  const words = wordsOf(symbols, tag);
  counted('bytes', tag.length);
  counted('hashed', message.length);
  if (message.length === 0 && start.length === 0) {
    // Nothing accumulated is zero, and zero mod p is zero.
    require(words.every((word, i) => word === s[i]), () => 'the tag of nothing is not s');
    return;
  }
  const { ring } = run;
  const reduction = run.reductionOf(words, s, message.length ? undefined : start);
  // An accumulator to which nothing was added is as earlier calls have left it.
  if (message.length) requireSmallTop(ring, reduction.h);
  const blocks = blockNumbers(ring, message);
  requireAccumulated(ring, numberOf(ring, reduction.h), numberOf(ring, r), blocks, numberOf(ring, start));
  // An s of zeros may be left out of the last step; where it is not, the step is that of every s.
  const { s: ownS } = reductionInputs();
  const withoutS =
    s.every((word) => numberOfTerm(word) === 0) && !variablesOf(...reduction.words).some((x) => ownS.includes(x));
  await requireReduction(reduction.words, withoutS);
}

/** The tag under a one-time key of 32 bytes. */
export function requireTagUnder(
  run: PolynomialRun,
  tag: readonly Term[],
  key: readonly Term[],
  message: readonly Term[],
): Promise<void> {
  const words = wordsOf(symbols, key);
  return requireTag(run, { tag, r: clamped(words.slice(0, 4)), s: words.slice(4), message });
}
