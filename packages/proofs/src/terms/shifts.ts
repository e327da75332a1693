/**
 * Shifts and rotations of words. Shifts to the left by constants are multiplications (sums.ts); shifts by whole bytes
 * of words that are made of bytes move the bytes (bytes.ts). Shifts by terms are nodes of their own, which no rule
 * merges with others. Counts are modulo 32.
 */
import { rotateBytes, shiftBytesDown } from './bytes.ts';
import { andAll, orAll, topOfOr } from './masks.ts';
import { intern, Kind, narrow, requireWidth, type Term } from './node.ts';
import { scale } from './sums.ts';
import { xorAll } from './xors.ts';

export function shl(x: Term, count: number): Term {
  requireWidth(x, 32);
  const k = count & 31;
  // A shift works bit by bit: XORed constants are moved outwards, as in rotations.
  if (k > 0 && x.kind === Kind.XOR && x.number !== 0)
    return xorAll(32, x.number << k, [scale(xorAll(32, 0, x.operands), 2 ** k)]);
  return scale(x, 2 ** k);
}

export function shr_u(x: Term, count: number): Term {
  requireWidth(x, 32);
  const k = count & 31;
  if (k === 0) return x;
  if (x.maybe >>> k === 0) return narrow(32, 0);
  if (x.kind === Kind.CONSTANT) return narrow(32, x.number >>> k);
  // The sum of the counts is below 32, because otherwise `maybe` would be 0.
  if (x.kind === Kind.SHR_U) return shr_u(x.operandAt(0), k + x.number);
  // The top bit of a bitwise operation is the operation on the operands' top bits; carries are recognised by it.
  if (k === 31 && x.kind === Kind.AND)
    return andAll(
      32,
      x.number >>> 31,
      x.operands.map((y) => shr_u(y, 31)),
    );
  if (k === 31 && x.kind === Kind.OR)
    return (
      topOfOr(x) ??
      orAll(
        32,
        x.number >>> 31,
        x.operands.map((y) => shr_u(y, 31)),
      )
    );
  return shiftBytesDown(x, k) ?? intern(Kind.SHR_U, 32, [x], [k], ([word], [n]) => word.maybe >>> n);
}

export function shr_s(x: Term, count: number): Term {
  requireWidth(x, 32);
  const k = count & 31;
  // Without a top bit the sign is 0.
  if (k === 0 || x.maybe < 0x80000000) return shr_u(x, k);
  if (x.kind === Kind.CONSTANT) return narrow(32, x.number >> k);
  // A count of more than 31 gives only copies of the sign.
  if (x.kind === Kind.SHR_S) return shr_s(x.operandAt(0), Math.min(31, k + x.number));
  return intern(Kind.SHR_S, 32, [x], [k], ([word], [n]) => (word.maybe >> n) >>> 0);
}

const rotated = (x: number, k: number): number => ((x << k) | (x >>> (32 - k))) >>> 0;

export function rotl(x: Term, count: number): Term {
  requireWidth(x, 32);
  const k = count & 31;
  if (k === 0) return x;
  if (x.kind === Kind.CONSTANT) return narrow(32, rotated(x.number, k));
  if (x.kind === Kind.ROTL) return rotl(x.operandAt(0), k + x.number);
  const moved = rotateBytes(x, k);
  if (moved) return moved;
  // Rotation works bit by bit too: XORed constants are moved outwards, so that words assembled from bytes have the same
  // form.
  if (x.kind === Kind.XOR && x.number !== 0)
    return xorAll(32, rotated(x.number, k), [rotl(xorAll(32, 0, x.operands), k)]);
  return intern(Kind.ROTL, 32, [x], [k], ([word], [n]) => rotated(word.maybe, n));
}

/** The kinds of shifts whose count is a term: of 32 bits for words, and of 64 for 64 bits. */
export type ShiftBy = typeof Kind.SHL_BY | typeof Kind.SHR_U_BY | typeof Kind.SHR_S_BY | typeof Kind.ROTL_BY;

export function shiftBy(kind: ShiftBy, x: Term, count: Term): Term {
  requireWidth(count, x.width);
  // Zero shifted by any count is zero; no other rule applies to a count that is a term.
  if (x.maybe === 0 && x.maybeHigh === 0) return x;
  const high = x.width === 64 ? 0xffffffff : 0;
  return intern(kind, x.width, [x, count], [], () => ({ low: 0xffffffff, high }));
}
