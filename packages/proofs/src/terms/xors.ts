/**
 * Exclusive or of words or bytes: a constant and a set of operands, sorted by age; operands that occur twice cancel. So
 * XORs that differ only in order or grouping are the same term.
 *
 * - (x << k) ^ (x >>> 32 - k) is x rotated: the parts have no bit in common, so their OR and their sum are brought to
 *   this form too.
 * - Words that are made of bytes, such as shifts by whole bytes, are put together byte by byte, so that there is at
 *   most one of them in a set.
 * - Indicators of sets of the same word are the indicator of the symmetric difference: steps.ts.
 */
import { bytesOf, concatenation, isByteish } from './bytes.ts';
import { intern, Kind, narrow, requireWidth, type Term } from './node.ts';
import { rotl, shl } from './shifts.ts';
import { combineIndicators } from './steps.ts';

/** The XOR of the constant and the terms, in any order. */
export function xorAll(width: 8 | 32, constant: number, terms: readonly Term[]): Term {
  let set: Term[] = [];
  for (const term of terms) {
    if (term.kind === Kind.CONSTANT) constant ^= term.number;
    else if (term.kind === Kind.XOR) {
      constant ^= term.number;
      set = symmetricDifference(set, term.operands);
    } else set = symmetricDifference(set, [term]);
  }
  constant = width === 8 ? constant & 0xff : constant >>> 0;
  return (width === 32 && set.length > 1 ? merged(constant, set) : undefined) ?? finished(width, constant, set);
}

export function xor(x: Term, y: Term): Term {
  requireWidth(y, x.width);
  return xorAll(x.width as 8 | 32, 0, [x, y]);
}

export const not = (x: Term): Term => xorAll(x.width as 8 | 32, 0xffffffff, [x]);

/** The symmetric difference of two lists that are sorted by age. */
function symmetricDifference(xs: readonly Term[], ys: readonly Term[]): Term[] {
  const result: Term[] = [];
  let i = 0;
  for (const y of ys) {
    while (i < xs.length && xs[i].id < y.id) result.push(xs[i++]);
    if (xs[i] === y) i++;
    else result.push(y);
  }
  while (i < xs.length) result.push(xs[i++]);
  return result;
}

function finished(width: 8 | 32, constant: number, set: readonly Term[]): Term {
  if (set.length === 0) return narrow(width, constant);
  if (set.length === 1) {
    if (constant === 0) return set[0];
    const complement = constant === 1 && width === 32 ? combineIndicators((x) => !x, set) : undefined;
    if (complement) return complement;
  }
  return intern(
    Kind.XOR,
    width,
    set,
    [constant],
    (operands, [c]) => operands.reduce((bits, x) => bits | x.maybe, c) >>> 0,
  );
}

/** The XOR of the set in a shorter form, if a rule merges two or more of its members. */
function merged(constant: number, set: Term[]): Term | undefined {
  let byteish = 0;
  let indicators = 0;
  for (const term of set) {
    if (term.kind === Kind.SHR_U) {
      const rotated = withRotation(constant, set, term);
      if (rotated) return rotated;
    }
    if (isByteish(term)) byteish++;
    if (term.maybe === 1) indicators++;
  }
  if (byteish > 1) return mergeBytes(constant, set);
  if (indicators === set.length && constant <= 1) {
    const parity = combineIndicators((...values) => values.reduce((x, y) => x !== y, constant === 1), set);
    if (parity) return parity;
  }
  return undefined;
}

/**
 * Finds x << 32 - k beside x >>> k: they have no bit in common, so their XOR is the rotation. If the shift to the left
 * is itself an XOR, its parts are members of the set, and its constant is part of the set's constant.
 */
function withRotation(constant: number, set: readonly Term[], shifted: Term): Term | undefined {
  const x = shifted.operandAt(0);
  const right = shifted.number;
  const partner = shl(x, 32 - right);
  const parts = partner.kind === Kind.XOR ? partner.operands : [partner];
  if (partner.kind === Kind.CONSTANT || !parts.every((part) => set.includes(part))) return undefined;
  const partnerConstant = partner.kind === Kind.XOR ? partner.number : 0;
  const rest = set.filter((term) => term !== shifted && !parts.includes(term));
  return xorAll(32, constant ^ partnerConstant, [...rest, rotl(x, 32 - right)]);
}

/** Merges words made of bytes: the XOR of words is the XOR of their bytes. */
function mergeBytes(constant: number, set: readonly Term[]): Term {
  const bytes: Term[][] = [[], [], [], []];
  const rest: Term[] = [];
  for (const term of set) {
    if (isByteish(term)) bytesOf(term).forEach((byte, i) => bytes[i].push(byte));
    else rest.push(term);
  }
  const [b0, b1, b2, b3] = bytes.map((terms) => xorAll(8, 0, terms));
  return xorAll(32, constant, [...rest, concatenation(b0, b1, b2, b3)]);
}
