/**
 * Words as four bytes, the least significant first. A CONCAT has bytes that are zero or no constants, and no constant
 * is XORed to them: constants are XORed to the word. What four bytes make up is recognised:
 *
 * - All bytes of one word in their order, or rotated, are that word or its rotation, even where other things are XORed
 *   to each of them: (x0 ^ a, x1 ^ b, x2 ^ c, x3 ^ d) = x ^ (a, b, c, d).
 * - The bytes of one word, shifted, with zeros for the rest are the word shifted.
 *
 * Towards the bytes everything that works bit by bit, and every shift by whole bytes, is pushed inwards.
 */
import { intern, Kind, narrow, requireWidth, type Term } from './node.ts';
import { andMask, andAll, orAll } from './masks.ts';
import { rotl, shl, shr_u } from './shifts.ts';
import { sumOf } from './sums.ts';
import { xorAll } from './xors.ts';

const INDEXES = [0, 1, 2, 3];
const isZero = (x: Term): boolean => x.kind === Kind.CONSTANT && x.numbers[0] === 0;

/** What a word shifted by whole bytes was, and by how many: up is positive. */
interface Shifted {
  readonly word: Term;
  readonly by: number;
}

const isWholeByteSum = (x: Term): boolean =>
  x.kind === Kind.SUM && x.numbers.length > 1 && x.numbers.every((n) => (n & 0xff) === 0);

/** Whether a word is made of bytes of others. */
export const isByteish = (x: Term): boolean =>
  x.kind === Kind.CONCAT || (x.kind === Kind.SHR_U ? x.numbers[0] % 8 === 0 : isWholeByteSum(x));

function unshifted(x: Term): Shifted | undefined {
  if (x.kind === Kind.SHR_U && x.numbers[0] % 8 === 0) return { word: x.operands[0], by: -x.numbers[0] / 8 };
  if (!isWholeByteSum(x)) return undefined;
  // 256·y mod 2^32 tells y mod 2^24: of the coefficients that y may have, the smallest, negative ones included.
  let by = 0;
  let numbers = x.numbers;
  for (; numbers.every((n) => (n & 0xff) === 0); by++) numbers = numbers.map((n) => n >> 8);
  const coefficients = numbers.map((n) => n >>> 0);
  const constant = coefficients.pop()!;
  return { word: sumOf({ constant, atoms: x.operands, coefficients }), by };
}

/** Byte `index` of a word: what works bit by bit, or moves whole bytes, is asked for its operands' bytes. */
export function byteOf(x: Term, index: number): Term {
  if (((x.maybe >>> (8 * index)) & 0xff) === 0) return narrow(8, 0);
  switch (x.kind) {
    case Kind.CONSTANT:
      return narrow(8, x.numbers[0] >>> (8 * index));
    case Kind.CONCAT:
      return x.operands[index];
    case Kind.XOR:
      return xorAll(
        8,
        x.numbers[0] >>> (8 * index),
        x.operands.map((operand) => byteOf(operand, index)),
      );
    case Kind.AND:
      return andAll(
        8,
        x.numbers[0] >>> (8 * index),
        x.operands.map((operand) => byteOf(operand, index)),
      );
    case Kind.OR:
      return orAll(
        8,
        x.numbers[0] >>> (8 * index),
        x.operands.map((operand) => byteOf(operand, index)),
      );
    case Kind.ROTL:
      if (x.numbers[0] % 8 === 0) return byteOf(x.operands[0], (index - x.numbers[0] / 8) & 3);
      break;
    case Kind.SHR_U:
    case Kind.SUM: {
      const shifted = unshifted(x);
      // Bytes that are shifted in are zero, and were found by `maybe`.
      if (shifted) return byteOf(shifted.word, index - shifted.by);
    }
  }
  requireWidth(x, 32);
  return intern(Kind.BYTE, 8, [x], [index], ([word], [i]) => (word.maybe >>> (8 * i)) & 0xff);
}

export const bytesOf = (x: Term): Term[] => INDEXES.map((index) => byteOf(x, index));

/** The word of four bytes. */
export function concatenation(...bytes: readonly [Term, Term, Term, Term]): Term {
  for (const byte of bytes) requireWidth(byte, 8);
  // Constants go to the word.
  let constant = 0;
  const sets = bytes.map((byte, i) => {
    if (byte.kind !== Kind.CONSTANT && byte.kind !== Kind.XOR) return [byte];
    constant |= byte.numbers[0] << (8 * i);
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

/** A byte that is zero counts as present everywhere. */
const has = (set: readonly Term[], byte: Term): boolean => isZero(byte) || set.includes(byte);
const remove = (set: Term[], byte: Term): void => {
  const at = set.indexOf(byte);
  if (at >= 0) set.splice(at, 1);
};

/**
 * Takes words out of the bytes of which all four are there, in order or rotated: what is XORed byte by byte is XORed as
 * a whole. Words rotated alike become one, because rotation works bit by bit.
 */
function wholeWords(sets: readonly Term[][], first: readonly Term[]): Term[] {
  const byRotation: Term[][] = [[], [], [], []];
  const position = sets.indexOf(first as Term[]);
  for (const candidate of [...first]) {
    if (candidate.kind !== Kind.BYTE) continue;
    const [word] = candidate.operands;
    const up = (position - candidate.numbers[0]) & 3;
    const wanted = INDEXES.map((i) => byteOf(word, (i - up) & 3));
    if (!wanted.every((byte, i) => has(sets[i], byte))) continue;
    wanted.forEach((byte, i) => remove(sets[i], byte));
    byRotation[up].push(word);
  }
  return byRotation.flatMap((words, up) => (words.length ? [rotl(xorAll(32, 0, words), 8 * up)] : []));
}

/** If the bytes are those of words shifted up or down, all by as much, and nothing else: those words, shifted. */
function shifted(sets: readonly (readonly Term[])[]): Term | undefined {
  const position = sets.findIndex((set) => set.length > 0);
  const [example] = sets[position];
  // All of one number: so their words are different ones.
  const alike = sets[position].every((byte) => byte.kind === Kind.BYTE && byte.numbers[0] === example.numbers[0]);
  if (!alike) return undefined;
  const shift = position - example.numbers[0];
  if (shift === 0) return undefined;
  const words = sets[position].map((byte) => byte.operands[0]);
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

/** Whether a word is nothing but bytes and a constant, so that shifts by whole bytes move these. */
const isBytes = (x: Term): boolean =>
  x.kind === Kind.CONCAT || (x.kind === Kind.XOR && x.operands.length === 1 && x.operands[0].kind === Kind.CONCAT);

const isMovable = (x: Term): boolean => isBytes(x) || isByteish(x);

/** The word of bytes of x: of those with these numbers, and zeros for what is not from 0 to 3. */
function moved(x: Term, from: (index: number) => number): Term {
  const [b0, b1, b2, b3] = INDEXES.map((i) => (from(i) >= 0 && from(i) <= 3 ? byteOf(x, from(i)) : narrow(8, 0)));
  return concatenation(b0, b1, b2, b3);
}

/** x << count, x >>> count and x <<< count, if bytes are all that moves. */
export const shiftBytesUp = (x: Term, count: number): Term | undefined =>
  count % 8 === 0 && isMovable(x) ? moved(x, (i) => i - count / 8) : undefined;

export const shiftBytesDown = (x: Term, count: number): Term | undefined =>
  count % 8 === 0 && isMovable(x) ? moved(x, (i) => i + count / 8) : undefined;

export const rotateBytes = (x: Term, count: number): Term | undefined =>
  count % 8 === 0 && isMovable(x) ? moved(x, (i) => (i - count / 8) & 3) : undefined;

/** x & mask by bytes, of which each is kept, cleared or masked. */
export function maskBytes(x: Term, mask: number): Term {
  const [b0, b1, b2, b3] = INDEXES.map((i) => andMask(byteOf(x, i), (mask >>> (8 * i)) & 0xff));
  return concatenation(b0, b1, b2, b3);
}
