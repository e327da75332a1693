/**
 * Poly1305's arithmetic for engines without 64-bit integers, i.e. for JavaScript: six limbs in doubles, after Bernstein's
 * first implementations ("The Poly1305-AES message-authentication code", 2005, §4: floating point).
 *
 * Limb i is a multiple of 2^22i, and keeps that scale: what is carried is added to the next limb as it is. Let |x| of a
 * limb mean its size in these units. A double holds every integer up to 2^53, so all of this is exact:
 *
 * - Carrying rounds to the nearest multiple of the next limb's unit, hence limbs are signed, and |s| < 2^21 + 2^15 when
 *   they are multiplied (2^21 is half a unit, 2^15 what the last two carries may add).
 * - Limbs of r are below 2^22, and 2^132 ≡ 20 (mod p), so |column| < 2^21.1·2^22·(1 + 5·20) < 2^50.
 * - The columns of one block take the words of the next before they are carried. A word goes to the limb with the
 *   greatest unit that divides it, where it is below 2^52 (word 2, in units of limb 2), so |sum| < 2^52 + 2^50.
 * - In the scale of the message all values are zero or between 2^-130·5 and 2^184: far from denormal and from infinite.
 *
 * Additions and multiplications of such values always take the same time, and nothing else touches them in the loop.
 */
import { sequence, set } from '../wasm/control.ts';
import * as f64 from '../wasm/f64.ts';
import * as i32 from '../wasm/i32.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import { KEY, type Arithmetic } from './poly1305.ts';

/** Of h: see above. */
const SCALE = 2 ** 64;
const LIMB_BITS = 22;
const LIMBS = [0, 1, 2, 3, 4, 5];
const WORDS = [0, 1, 2, 3, 4];
const LAST = 5;
const BITS = 130;
/** What 2^130 is worth, per unit: 5 (mod p). */
const WRAP = 5 * 2 ** -BITS;

const unit = (i: number): number => 2 ** (LIMB_BITS * i);
/** Where the next limb begins, or the modulus ends. */
const above = (i: number): number => (i === LAST ? 2 ** BITS : unit(i + 1));
/** The limb with the greatest unit that divides word i. */
const limbOf = (i: number): number => Math.floor((32 * i) / LIMB_BITS);

/** Word i of the number that limbs make, each with its bits only and shifted to 2^0. */
function word(limbs: readonly Expression<'i32'>[], i: number): Expression<'i32'> {
  const parts = LIMBS.flatMap((j) => {
    const shift = LIMB_BITS * j - 32 * i;
    if (shift <= -LIMB_BITS || shift >= 32) return [];
    return [shift < 0 ? i32.shr_u(limbs[j], -shift) : shift > 0 ? i32.shl(limbs[j], shift) : limbs[j]];
  });
  return parts.reduce((whole, part) => i32.or(whole, part));
}

export const floats: Arithmetic = (frame, state) => {
  const h = frame.locals('f64', 6);
  const r = frame.locals('f64', 6);
  const wrapped = frame.locals('f64', 6); // of r, for the products that reach 2^132
  const x = frame.locals('f64', 6);
  const carry = frame.local('f64');
  const limbs = frame.locals('i32', 6);

  /** Word i in a scale. */
  const wordAt = (i: number, scale: number, address: Operand<'i32'>, offset: number): Expression<'f64'> =>
    f64.mul(f64.convert_i32_u(i32.load(address, offset + 4 * i)), f64.value(scale * 2 ** (32 * i)));
  /** The limb that takes no word starts empty. */
  const readLimbs = (into: readonly Local<'f64'>[], scale: number, offset: number, count: number): Statement =>
    sequence(
      ...into.map((limb, j) => {
        const i = WORDS.findIndex((w) => limbOf(w) === j);
        return set(limb, i >= 0 && i < count ? wordAt(i, scale, 0, offset) : f64.value(0));
      }),
    );

  /** Moves `carry` out of limb i: to the next, or around. */
  const moveCarry = (of: readonly Local<'f64'>[], i: number): Statement => {
    const next = of[(i + 1) % 6];
    return sequence(
      set(of[i], f64.sub(of[i], carry)),
      set(next, f64.add(next, i === LAST ? f64.mul(carry, f64.value(WRAP)) : carry)),
    );
  };
  /** To the nearest: beside 1.5·2^52 units of what is above, a double has no bits for less. */
  const carryNearest = (i: number): Statement => {
    const magic = f64.value(1.5 * 2 ** 52 * above(i) * SCALE);
    return sequence(set(carry, f64.sub(f64.add(h[i], magic), magic)), moveCarry(h, i));
  };
  /** Downwards, so that what stays is not negative. */
  const carryDown = (of: readonly Local<'f64'>[], scale: number, i: number): Statement => {
    const next = scale * above(i);
    return sequence(
      set(carry, f64.mul(f64.floor(f64.mul(of[i], f64.value(1 / next))), f64.value(next))),
      moveCarry(of, i),
    );
  };

  // The limbs that are carried last are multiplied last.
  const column = (k: number): Expression<'f64'> =>
    [2, 5, 0, 3, 1, 4]
      .map((i) => f64.mul(h[i], i <= k ? r[k - i] : wrapped[6 + k - i]))
      .reduce((sum, product) => f64.add(sum, product));

  return {
    // The key becomes limbs as it stands: carried downwards, no limb is negative.
    load: sequence(
      readLimbs(r, 1, state + KEY, 4),
      ...[0, 1, 2, 3, 4].map((i) => carryDown(r, 1, i)),
      ...wrapped.map((limb, i) => set(limb, f64.mul(r[i], f64.value(WRAP)))),
      readLimbs(h, SCALE, state, 5),
    ),
    // Carried twice around: the first makes all limbs small, the second leaves bits only, of a number below 2p.
    store: sequence(
      ...[...LIMBS, ...LIMBS, 0, 1, 2, 3, 4].map((i) => carryDown(h, SCALE, i)),
      ...limbs.map((limb, i) => set(limb, f64.trunc_i32_s(f64.mul(h[i], f64.value(1 / (SCALE * unit(i))))))),
      ...WORDS.map((i) => i32.store(0, state + 4 * i, word(limbs, i))),
    ),
    absorb: (address, offset, top) => [
      ...[0, 1, 2, 3].map((i) => {
        const limb = h[limbOf(i)];
        return set(limb, f64.add(limb, wordAt(i, SCALE, address, offset)));
      }),
      set(h[LAST], f64.add(h[LAST], f64.mul(f64.convert_i32_s(top), f64.value(SCALE * 2 ** 128)))),
      // Two chains side by side, 0 → 1 → 2 → 3 and 3 → 4 → 5 → 0, then one step of each again.
      ...[0, 3, 1, 4, 2, 5, 3, 0].map(carryNearest),
      ...x.map((sum, k) => set(sum, column(k))),
      ...h.map((limb, i) => set(limb, x[i])),
    ],
  };
};
