/**
 * Poly1305's arithmetic for engines without 64-bit integers, i.e. for JavaScript: six limbs of 22 bits in doubles, after
 * Bernstein's first implementations ("The Poly1305-AES message-authentication code", 2005, §4: floating point).
 *
 * All values are integers below 2^53, so every operation is exact: limbs of h are below 2^23 when multiplied (22 bits
 * and a message's 22), limbs of r below 2^22, and since 2^132 ≡ 20 (mod p) a column is at most
 * 2^45·(1 + 5·20) < 2^52. Additions, multiplications and floor take the same time for all of these values.
 */
import { sequence, set } from '../wasm/control.ts';
import * as f64 from '../wasm/f64.ts';
import * as i32 from '../wasm/i32.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import { KEY, type Arithmetic } from './poly1305.ts';

const LIMB = 22;
const RADIX = 2 ** LIMB;
const LIMBS = [0, 1, 2, 3, 4, 5];
const WRAP = 20; // 2^132 mod p
const TOP = 2 ** (130 - 5 * LIMB); // the bits of the last limb below 2^130

/** Bits 22·i to 22·i + 21 of a number of five words. */
function limb(word: (i: number) => Expression<'i32'>, i: number): Expression<'i32'> {
  const [at, shift] = [(LIMB * i) >> 5, (LIMB * i) & 31];
  const low = shift ? i32.shr_u(word(at), shift) : word(at);
  const both = shift > 32 - LIMB ? i32.or(low, i32.shl(word(at + 1), 32 - shift)) : low;
  return i32.and(both, RADIX - 1);
}

/** Word i of the number that normalised limbs make. */
function word(limbs: readonly Expression<'i32'>[], i: number): Expression<'i32'> {
  const parts = LIMBS.flatMap((j) => {
    const shift = LIMB * j - 32 * i;
    if (shift <= -LIMB || shift >= 32) return [];
    return [shift < 0 ? i32.shr_u(limbs[j], -shift) : shift > 0 ? i32.shl(limbs[j], shift) : limbs[j]];
  });
  return parts.reduce((whole, part) => i32.or(whole, part));
}

export const floats: Arithmetic = (frame, state) => {
  const h = frame.locals('f64', 6);
  const r = frame.locals('f64', 6);
  const r20 = frame.locals('f64', 6);
  const x = frame.locals('f64', 6);
  const carry = frame.local('f64');
  const words = frame.locals('i32', 5);
  const limbs = frame.locals('i32', 6);

  const readLimbs = (into: readonly Local<'f64'>[], address: Operand<'i32'>, offset: number, count: number): Statement =>
    sequence(
      ...words.map((w, i) => set(w, i < count ? i32.load(address, offset + 4 * i) : i32.value(0))),
      ...into.map((l, i) => set(l, f64.convert_i32_s(limb((j) => words[j], i)))),
    );

  /** Moves what is above 22 bits from column i to the next, and from the last, times 20, to the first. */
  const carryFrom = (i: number): Statement => {
    const next = x[(i + 1) % 6];
    return sequence(
      set(carry, f64.floor(f64.mul(x[i], f64.value(1 / RADIX)))),
      set(x[i], f64.sub(x[i], f64.mul(carry, f64.value(RADIX)))),
      set(next, f64.add(next, i === 5 ? f64.mul(carry, f64.value(WRAP)) : carry)),
    );
  };

  const column = (k: number): Expression<'f64'> =>
    LIMBS.map((i) => f64.mul(h[i], i <= k ? r[k - i] : r20[6 + k - i])).reduce((sum, product) => f64.add(sum, product));

  return {
    load: sequence(
      readLimbs(r, 0, state + KEY, 4),
      ...r20.map((l, i) => set(l, f64.mul(r[i], f64.value(WRAP)))),
      readLimbs(h, 0, state, 5),
    ),
    // What is above 2^130 comes back times 5; then every limb has 22 bits, and the number is below 2p.
    store: sequence(
      ...h.map((l, i) => set(x[i], l)),
      ...[0, 1, 2, 3, 4].map(carryFrom),
      set(carry, f64.floor(f64.mul(x[5], f64.value(1 / TOP)))),
      set(x[5], f64.sub(x[5], f64.mul(carry, f64.value(TOP)))),
      set(x[0], f64.add(x[0], f64.mul(carry, f64.value(5)))),
      ...[0, 1, 2, 3, 4].map(carryFrom),
      ...limbs.map((l, i) => set(l, f64.trunc_i32_s(x[i]))),
      ...words.map((_, i) => i32.store(0, state + 4 * i, word(limbs, i))),
    ),
    absorb: (address, offset, top) => [
      ...words.map((w, i) => set(w, i < 4 ? i32.load(address, offset + 4 * i) : i32.value(top))),
      ...h.map((l, i) => set(l, f64.add(l, f64.convert_i32_s(limb((j) => words[j], i))))),
      ...x.map((l, k) => set(l, column(k))),
      // Two chains side by side, 0 → 1 → 2 → 3 and 3 → 4 → 5 → 0, then one step of each again.
      ...[0, 3, 1, 4, 2, 5, 3, 0].map(carryFrom),
      ...h.map((l, i) => set(l, x[i])),
    ],
  };
};
