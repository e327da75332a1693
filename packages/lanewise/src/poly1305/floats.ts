/**
 * Poly1305's arithmetic for engines without 64-bit integers, i.e. for JavaScript: six limbs in doubles, after Bernstein's
 * first implementations ("The Poly1305-AES message-authentication code", 2005, §4: floating point).
 *
 * Limb i is a multiple of its unit 2^22i, and keeps that scale: a carry is added to the next limb without shifting.
 * Sizes below are in units of the limb. A double holds every integer up to 2^53, so all of this is exact:
 *
 * - Carrying rounds to the nearest multiple of the next limb's unit, hence limbs are signed. After its carry a limb is
 *   at most 2^21, and a later carry into it at most 2^10, so |h| < 2^21.1 and |r| < 2^21.1 when they are multiplied.
 * - 2^132 ≡ 20 (mod p), so a column is below 2^42.2·(1 + 5·20) < 2^49.
 * - The columns of one block take the words of the next before they are carried. A word goes to the limb with the
 *   greatest unit that divides it; the largest there is word 2 in limb 2, 2^52. So a limb is below 2^52 + 2^49.
 *
 * Additions and multiplications take the same time for all such values; the smallest beside zero is 5·2^-130, far from
 * denormal. It has no rounding function, comparison or conversion from unsigned, which engines may make branches of.
 * Limbs are multiplied by 2^64 when they are read, and those of h stay so: engines then do not treat them as integers,
 * which would need checks for overflow.
 */
import { sequence, set } from '../wasm/control.ts';
import * as f64 from '../wasm/f64.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import { type Accumulator, type Arithmetic } from './kernel.ts';
import { KEY, S } from './map.ts';

const LIMB_BITS = 22;
const LIMBS = [0, 1, 2, 3, 4, 5];
const LAST = 5;
const WORDS = [0, 1, 2, 3, 4];
const BITS = 130;
/** The weight of a carry from the last limb into the first: 2^130 ≡ 5 (mod p). */
const WRAP = 5 * 2 ** -BITS;
const SCALE = 2 ** 64;

const unit = (i: number): number => 2 ** (LIMB_BITS * i);
/** The unit of the next limb; for the last limb, 2^130. */
const above = (i: number): number => (i === LAST ? 2 ** BITS : unit(i + 1));
/** The limb with the greatest unit that divides word i. */
const limbOf = (i: number): number => Math.floor((32 * i) / LIMB_BITS);

/** Word i of the number in fully carried limbs, each shifted down to its own unit. */
function word(limbs: readonly Expression<'i32'>[], i: number): Expression<'i32'> {
  const parts = LIMBS.flatMap((j) => {
    const shift = LIMB_BITS * j - 32 * i;
    if (shift <= -LIMB_BITS || shift >= 32) return [];
    return [shift < 0 ? i32.shr_u(limbs[j], -shift) : shift > 0 ? i32.shl(limbs[j], shift) : limbs[j]];
  });
  return parts.reduce((whole, part) => i32.or(whole, part));
}

/** Word i of memory. Inverting the top bit of an unsigned word gives that word minus 2^31, as a signed one. */
function wordAt(i: number, address: Operand<'i32'>, offset: number): Expression<'f64'> {
  const one = SCALE * 2 ** (32 * i);
  const turned = i32.xor(i32.load(address, offset + 4 * i), -(2 ** 31));
  return f64.add(f64.mul(f64.convert_i32_s(turned), f64.value(one)), f64.value(2 ** 31 * one));
}

/** Limbs of `count` words in memory, not yet carried. A limb that gets no word is zero. */
function readLimbs(to: readonly Local<'f64'>[], address: number, count: number): Statement {
  const words = WORDS.slice(0, count);
  return sequence(
    ...to.map((limb, j) => {
      const i = words.find((w) => limbOf(w) === j);
      return set(limb, i === undefined ? f64.value(0) : wordAt(i, address, 0));
    }),
  );
}

function accumulator(frame: Frame, state: number): Accumulator {
  const h = frame.locals('f64', 6);
  const r = frame.locals('f64', 6);
  const wrapped = frame.locals('f64', 6); // r for products that reach 2^132
  const column = frame.locals('f64', 6);
  const carry = frame.local('f64');
  const limbs = frame.locals('i32', 6);

  /**
   * Carries from limb i to the next, or around. The carry is the nearest multiple of the next limb's unit: next to
   * 1.5·2^52 times that unit, a double has no bits for anything smaller.
   */
  const carryFrom = (of: readonly Local<'f64'>[], i: number): Statement => {
    const next = of[(i + 1) % 6];
    const large = f64.value(1.5 * 2 ** 52 * SCALE * above(i));
    return sequence(
      set(carry, f64.sub(f64.add(of[i], large), large)),
      set(of[i], f64.sub(of[i], carry)),
      set(next, f64.add(next, i === LAST ? f64.mul(carry, f64.value(WRAP)) : carry)),
    );
  };
  /** Two chains side by side, 0 → 1 → 2 → 3 and 3 → 4 → 5 → 0, then one step of each again. */
  const carryAll = sequence(...[0, 3, 1, 4, 2, 5, 3, 0].map((i) => carryFrom(h, i)));
  /** The same for integer limbs, rounding down, so that the remainder is not negative. */
  const carryDown = (i: number): Statement => {
    const next = limbs[(i + 1) % 6];
    const bits = i === LAST ? BITS - LIMB_BITS * LAST : LIMB_BITS;
    const carried = i32.shr_s(limbs[i], bits);
    return sequence(
      set(next, i32.add(next, i === LAST ? i32.mul(carried, 5) : carried)),
      set(limbs[i], i32.and(limbs[i], 2 ** bits - 1)),
    );
  };

  return {
    load: sequence(
      readLimbs(r, state + KEY, 4),
      ...[0, 1, 2, 3, 4].map((i) => carryFrom(r, i)),
      ...r.map((limb) => set(limb, f64.mul(limb, f64.value(1 / SCALE)))),
      ...wrapped.map((limb, i) => set(limb, f64.mul(r[i], f64.value(WRAP)))),
      readLimbs(h, state, 5),
    ),
    // All limbs are small then, but signed. One pass of carries makes the number lie between 0 and 2^130, a second one
    // gives its bits.
    store: sequence(
      carryAll,
      ...limbs.map((limb, i) => set(limb, f64.trunc_i32_s(f64.mul(h[i], f64.value(1 / (SCALE * unit(i))))))),
      ...[...LIMBS, 0, 1, 2, 3, 4].map(carryDown),
      ...WORDS.map((i) => i32.store(0, state + 4 * i, word(limbs, i))),
    ),
    absorb: (address, offset, top) => [
      ...[0, 1, 2, 3].map((i) => {
        const limb = h[limbOf(i)];
        return set(limb, f64.add(limb, wordAt(i, address, offset)));
      }),
      set(h[LAST], f64.add(h[LAST], f64.mul(f64.convert_i32_s(top), f64.value(SCALE * 2 ** 128)))),
      carryAll,
      // The order is limb by limb through all columns, with the limbs that were carried last at the end: computing
      // column after column makes JavaScriptCore spill each sum.
      ...[2, 5, 0, 3, 1, 4].flatMap((i, nth) =>
        column.map((sum, k) => {
          const product = f64.mul(h[i], i <= k ? r[k - i] : wrapped[6 + k - i]);
          return set(sum, nth ? f64.add(sum, product) : product);
        }),
      ),
      ...h.map((limb, k) => set(limb, column[k])),
    ],
  };
}

/**
 * h mod p = h - p·floor((h + 5) / 2^130), since h < 2p; so the tag is the low 128 bits of h + 5·floor(…) + s. The sum
 * is made in halves of words, whose upper bits are the carry.
 */
function finish(frame: Frame, state: number, to: Local<'i32'>): Statement[] {
  const h = frame.locals('i32', 5);
  const [low, carry] = frame.locals('i32', 2);
  const half = (word: Expression<'i32'>): Expression<'i32'> => i32.and(word, 0xffff);
  const upper = (word: Expression<'i32'>): Expression<'i32'> => i32.shr_u(word, 16);
  return [
    ...h.map((word, i) => set(word, i32.load(0, state + 4 * i))),
    set(carry, i32.value(5)),
    ...h
      .slice(0, 4)
      .flatMap((word) => [
        set(carry, upper(i32.add(half(word), carry))),
        set(carry, upper(i32.add(upper(word), carry))),
      ]),
    set(carry, i32.mul(i32.shr_u(i32.add(h[4], carry), 2), 5)),
    ...h.slice(0, 4).flatMap((word, i) => {
      const addend = i32.load(0, state + S + 4 * i);
      return [
        set(low, i32.add(i32.add(half(word), half(addend)), carry)),
        set(carry, i32.add(i32.add(upper(word), upper(addend)), upper(low))),
        i32.store_unaligned(to, 4 * i, i32.or(half(low), i32.shl(carry, 16))),
        set(carry, upper(carry)),
      ];
    }),
  ];
}

export const floats: Arithmetic = { accumulator, finish };
