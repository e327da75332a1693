/**
 * Words as four bytes, the least significant first. A CONCAT has bytes that are zero or no constants, and no constant
 * is XORed to them: constants are XORed to the word. Four bytes that together are a whole word are recognised:
 *
 * - All bytes of one word in their order, or rotated, are that word or its rotation, even where other bytes are XORed
 *   to them: (x0 ^ a, x1 ^ b, x2 ^ c, x3 ^ d) = x ^ (a, b, c, d).
 * - The bytes of one word moved up or down, with zeros in the free places, are the word shifted.
 *
 * Bitwise operations and shifts by whole bytes are pushed inwards, to the bytes.
 */
import { intern, Kind, narrow, requireWidth, type Term } from './node.ts';
import { andMask, andAll, orAll } from './masks.ts';
import { rotl, shl, shr_u } from './shifts.ts';
import { sumOf } from './sums.ts';
import { xorAll } from './xors.ts';

const INDEXES = [0, 1, 2, 3];
const isZero = (x: Term): boolean => x.kind === Kind.CONSTANT && x.number === 0;

/** A word that is shifted by whole bytes, and the number of bytes: positive for upwards. */
interface Shifted {
  readonly word: Term;
  readonly by: number;
}

const isWholeByteSum = (x: Term): boolean =>
  x.kind === Kind.SUM && x.countOfNumbers > 1 && x.numbers.every((n) => (n & 0xff) === 0);

/** Whether a word is made of bytes of other words. */
export const isByteish = (x: Term): boolean =>
  x.kind === Kind.CONCAT || (x.kind === Kind.SHR_U ? x.number % 8 === 0 : isWholeByteSum(x));

function unshifted(x: Term): Shifted | undefined {
  if (x.kind === Kind.SHR_U && x.number % 8 === 0) return { word: x.operandAt(0), by: -x.number / 8 };
  if (!isWholeByteSum(x)) return undefined;
  // 256·y mod 2^32 determines y mod 2^24: of the possible coefficients of y, the smallest in absolute value is taken.
  let by = 0;
  let numbers = x.numbers;
  for (; numbers.every((n) => (n & 0xff) === 0); by++) numbers = numbers.map((n) => n >> 8);
  const coefficients = numbers.map((n) => n >>> 0);
  const constant = coefficients.pop()!;
  return { word: sumOf({ constant, atoms: x.operands, coefficients }), by };
}

/** Byte `index` of a word: bitwise operations and moves of whole bytes are traced to the bytes of their operands. */
export function byteOf(x: Term, index: number): Term {
  if (((x.maybe >>> (8 * index)) & 0xff) === 0) return narrow(8, 0);
  switch (x.kind) {
    case Kind.CONSTANT:
      return narrow(8, x.number >>> (8 * index));
    case Kind.CONCAT:
      return x.operandAt(index);
    case Kind.XOR:
      return xorAll(
        8,
        x.number >>> (8 * index),
        x.operands.map((operand) => byteOf(operand, index)),
      );
    case Kind.AND:
      return andAll(
        8,
        x.number >>> (8 * index),
        x.operands.map((operand) => byteOf(operand, index)),
      );
    case Kind.OR:
      return orAll(
        8,
        x.number >>> (8 * index),
        x.operands.map((operand) => byteOf(operand, index)),
      );
    case Kind.ROTL:
      if (x.number % 8 === 0) return byteOf(x.operandAt(0), (index - x.number / 8) & 3);
      break;
    case Kind.SHR_U:
    case Kind.SUM: {
      const shifted = unshifted(x);
      // The bytes that are shifted in are zero; the check of `maybe` has handled them already.
      if (shifted) return byteOf(shifted.word, index - shifted.by);
    }
  }
  requireWidth(x, 32);
  return intern(Kind.BYTE, 8, [x], [index], ([word], [i]) => (word.maybe >>> (8 * i)) & 0xff);
}

export const bytesOf = (x: Term): Term[] => INDEXES.map((index) => byteOf(x, index));

/** The word made of four bytes. */
export function concatenation(...bytes: readonly [Term, Term, Term, Term]): Term {
  for (const byte of bytes) requireWidth(byte, 8);
  // Constants are XORed to the word instead of to its bytes.
  let constant = 0;
  const sets = bytes.map((byte, i) => {
    if (byte.kind !== Kind.CONSTANT && byte.kind !== Kind.XOR) return [byte];
    constant |= byte.number << (8 * i);
    return byte.kind === Kind.XOR ? [...byte.operands] : [];
  });
  const first = sets.find((set) => set.length > 0);
  if (!first) return narrow(32, constant);
  const pieces = wholeWords(sets, first);
  if (sets.some((set) => set.length > 0)) pieces.push(shifted(sets) ?? node(sets));
  return xorAll(32, constant, pieces);
}

const node = (sets: readonly (readonly Term[])[]): Term =>
  intern(
    Kind.CONCAT,
    32,
    sets.map((set) => xorAll(8, 0, set)),
    [],
    (bytes) => bytes.reduce((bits, byte, i) => bits | (byte.maybe << (8 * i)), 0) >>> 0,
  );

/** Whether a set has a byte; a zero byte counts as a member of every set. */
const has = (set: readonly Term[], byte: Term): boolean => isZero(byte) || set.includes(byte);
const remove = (set: Term[], byte: Term): void => {
  const at = set.indexOf(byte);
  if (at >= 0) set.splice(at, 1);
};

/**
 * Takes out the words whose four bytes are all present, in order or rotated: words XORed byte by byte are XORed as
 * whole words. Words that are rotated by the same count are XORed before the rotation, because rotation works bit by
 * bit.
 */
function wholeWords(sets: readonly Term[][], first: readonly Term[]): Term[] {
  const byRotation: Term[][] = [[], [], [], []];
  const position = sets.indexOf(first as Term[]);
  for (const candidate of [...first]) {
    if (candidate.kind !== Kind.BYTE) continue;
    const word = candidate.operandAt(0);
    const up = (position - candidate.number) & 3;
    const wanted = INDEXES.map((i) => byteOf(word, (i - up) & 3));
    if (!wanted.every((byte, i) => has(sets[i], byte))) continue;
    wanted.forEach((byte, i) => remove(sets[i], byte));
    byRotation[up].push(word);
  }
  return byRotation.flatMap((words, up) => (words.length ? [rotl(xorAll(32, 0, words), 8 * up)] : []));
}

/**
 * If the bytes are exactly those of words that are all shifted up or down by the same count: the XOR of those words,
 * shifted.
 */
function shifted(sets: readonly (readonly Term[])[]): Term | undefined {
  const position = sets.findIndex((set) => set.length > 0);
  const [example] = sets[position];
  // All bytes have the same index, so they belong to different words.
  const alike = sets[position].every((byte) => byte.kind === Kind.BYTE && byte.number === example.number);
  if (!alike) return undefined;
  const shift = position - example.number;
  if (shift === 0) return undefined;
  const words = sets[position].map((byte) => byte.operandAt(0));
  const matches = sets.every((set, i) => {
    const index = i - shift;
    const wanted =
      index < 0 || index > 3 ? [] : words.map((word) => byteOf(word, index)).filter((byte) => !isZero(byte));
    return wanted.length === set.length && wanted.every((byte) => set.includes(byte));
  });
  if (!matches) return undefined;
  const word = xorAll(32, 0, words);
  return shift > 0 ? shl(word, 8 * shift) : shr_u(word, -8 * shift);
}

/** Whether a word is made only of bytes and a constant, so that shifts by whole bytes only move them. */
const isBytes = (x: Term): boolean =>
  x.kind === Kind.CONCAT || (x.kind === Kind.XOR && x.operands.length === 1 && x.operandAt(0).kind === Kind.CONCAT);

const isMovable = (x: Term): boolean => isBytes(x) || isByteish(x);

/** The word of the bytes of x with these indices; an index outside 0 to 3 gives a zero byte. */
function moved(x: Term, from: (index: number) => number): Term {
  const [b0, b1, b2, b3] = INDEXES.map((i) => (from(i) >= 0 && from(i) <= 3 ? byteOf(x, from(i)) : narrow(8, 0)));
  return concatenation(b0, b1, b2, b3);
}

/** x << count, x >>> count and x <<< count, if the shift only moves whole bytes of x. */
export const shiftBytesUp = (x: Term, count: number): Term | undefined =>
  count % 8 === 0 && isMovable(x) ? moved(x, (i) => i - count / 8) : undefined;

export const shiftBytesDown = (x: Term, count: number): Term | undefined =>
  count % 8 === 0 && isMovable(x) ? moved(x, (i) => i + count / 8) : undefined;

export const rotateBytes = (x: Term, count: number): Term | undefined =>
  count % 8 === 0 && isMovable(x) ? moved(x, (i) => (i - count / 8) & 3) : undefined;

/** x & mask, byte by byte: each byte is kept, cleared or masked. */
export function maskBytes(x: Term, mask: number): Term {
  const [b0, b1, b2, b3] = INDEXES.map((i) => andMask(byteOf(x, i), (mask >>> (8 * i)) & 0xff));
  return concatenation(b0, b1, b2, b3);
}
