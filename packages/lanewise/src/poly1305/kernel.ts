/**
 * Poly1305, RFC 8439 §2.5: tag = (((m_1·r^n + m_2·r^(n-1) + … + m_n·r) mod p) + s) mod 2^128, p = 2^130 - 5.
 */
import { KEY, S, BLOCK_BYTES } from './map.ts';
import { fill, loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import * as i64 from '../wasm/i64.ts';
import type { Callable, Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';

const R = KEY;

/** The accumulator in the locals of a function. `T` is the type in which it multiplies. */
export interface Accumulator {
  /** Loads the accumulator from memory to locals; `store` writes it back. */
  readonly load: Statement;
  readonly store: Statement;
  /** Absorbs the block at `address + offset`, with `top` (0 or 1) for its bit 128, in small steps for weaving. */
  absorb(address: Local<'i32'>, offset: number, top: Operand<'i32'>): Statement[];
}

/** How Poly1305 computes. */
export interface Arithmetic {
  accumulator(frame: Frame, state: number): Accumulator;
  /** Writes the tag of a finished accumulator to any address. */
  finish(frame: Frame, state: number, to: Local<'i32'>): Statement[];
}

const LOW32 = 0xffffffffn;

/** A 2×2 Toeplitz matrix [b a; c b], which is multiplied by a vector with three products instead of four. */
interface Toeplitz {
  /** b, a - b and c - b. */
  readonly middle: Local<'i64'>;
  readonly upper: Local<'i64'>;
  readonly lower: Local<'i64'>;
}

/**
 * Arithmetic in 64-bit integers: four limbs of 32 bits and a small fifth. Clamping clears the two low bits of r1, r2 and
 * r3, so r_i·2^(32i)·2^128 ≡ 5·(r_i / 4)·2^(32i) = q_i·2^(32i) (mod p) for these. The columns of h·r are
 *
 *     ⎡x0⎤   ⎡r0 q3 q2 q1⎤ ⎡s0⎤        ⎡q0⎤
 *     ⎢x1⎥ = ⎢r1 r0 q3 q2⎥ ⎢s1⎥ + s4 · ⎢q1⎥
 *     ⎢x2⎥   ⎢r2 r1 r0 q3⎥ ⎢s2⎥        ⎢q2⎥
 *     ⎣x3⎦   ⎣r3 r2 r1 r0⎦ ⎣s3⎦        ⎣q3⎦
 *
 * with the same entry all along each diagonal: a Toeplitz matrix. Of 2×2 blocks it is [B A; C B], and
 *
 *     [B A; C B]·(u, v) = (B(u + v) + (A - B)v, B(u + v) + (C - B)u)
 *
 * takes three products of blocks instead of four; in each block the same identity takes three multiplications instead of
 * four. So a block takes 9 multiplications for the matrix and 5 for the fifth limb, instead of 21.
 *
 * All of this is exact modulo 2^64, so differences may wrap around, as long as the columns themselves are below 2^64. Between
 * blocks limbs carry once, in parallel, and may stay above 2^32: with h0 < 2.25·2^32 and h1, h2, h3 < 2·2^32 the
 * sums s = h + m are below 3.25·2^32 and 3·2^32, r_i < 2^28, q_i < 1.25·2^28, and the largest column is
 * 3.25 + 3·3·1.25 = 14.5 times 2^60, below 2^64. A full ripple would be a third of a block's latency.
 */
function accumulator(frame: Frame, state: number): Accumulator {
  const h = frame.locals('i64', 5);
  const q = frame.locals('i64', 4); // 5·floor(r / 4)
  const r0mod4 = frame.local('i64');
  const s = frame.locals('i64', 5);
  const x = frame.locals('i64', 4);
  const [first, second, top] = frame.locals('i64', 3);
  const carry = top;
  const toeplitz = (): Toeplitz => {
    const [middle, upper, lower] = frame.locals('i64', 3);
    return { middle, upper, lower };
  };
  const [both, above, below] = [toeplitz(), toeplitz(), toeplitz()];

  type Limb = Expression<'i64'>;
  const sum = (first: Limb, ...others: readonly Limb[]): Limb =>
    others.reduce((all, limb) => i64.add(all, limb), first);
  /** Constants of the block [b a; c b] less those of `minus`, if there is one. */
  const constants = (to: Toeplitz, [a, b, c]: readonly Limb[], minus?: readonly Limb[]): Statement => {
    const entry = (value: Limb, i: number): Limb => (minus ? i64.sub(value, minus[i]) : value);
    return sequence(
      set(to.middle, entry(b, 1)),
      set(to.upper, i64.sub(entry(a, 0), to.middle)),
      set(to.lower, i64.sub(entry(c, 2), to.middle)),
    );
  };
  /** The block times (u, v): the product that its two rows share, and the product of each row alone. */
  const product = ({ middle, upper, lower }: Toeplitz, u: Limb, v: Limb): readonly [common: Limb, Limb, Limb] => [
    i64.mul(middle, i64.add(u, v)),
    i64.mul(upper, v),
    i64.mul(lower, u),
  ];

  return {
    load: (() => {
      const r = x;
      const b = [q[3], r[0], r[1]];
      return sequence(
        ...h.map((limb, i) => set(limb, i64.load32_u(0, state + 4 * i))),
        ...r.map((limb, i) => set(limb, i64.load32_u(0, state + R + 4 * i))),
        ...q.map((limb, i) => set(limb, i64.mul(i64.shr_u(r[i], 2n), 5n))),
        set(r0mod4, i64.and(r[0], 3n)),
        constants(both, b),
        constants(above, [q[1], q[2], q[3]], b),
        constants(below, [r[1], r[2], r[3]], b),
      );
    })(),
    store: sequence(
      set(carry, i64.value(0n)),
      ...h.map((limb, i) =>
        sequence(set(carry, i64.add(i64.shr_u(carry, 32n), limb)), i64.store32(0, state + 4 * i, carry)),
      ),
    ),
    absorb: (address, offset, bit128) => {
      const [common, bothUpper, bothLower] = product(both, i64.add(s[0], s[2]), i64.add(s[1], s[3]));
      const [aboveCommon, aboveUpper, aboveLower] = product(above, s[2], s[3]);
      const [belowCommon, belowUpper, belowLower] = product(below, s[0], s[1]);
      return [
        ...s.map((limb, i) =>
          set(limb, i64.add(h[i], i < 4 ? i64.load32_u(address, offset + 4 * i) : i64.extend_i32_u(bit128))),
        ),
        // Each column adds the common product last, because that waits for the sum of all limbs.
        set(x[2], belowCommon),
        // The highest column comes first: its carry goes around to the lowest column, on which all others depend.
        set(x[3], sum(x[2], belowLower, i64.mul(s[4], q[3]), bothLower)),
        set(x[1], common),
        set(x[3], i64.add(x[3], x[1])),
        set(x[2], sum(x[2], belowUpper, i64.mul(s[4], q[2]))),
        set(first, i64.add(x[1], bothUpper)),
        set(second, i64.add(x[1], bothLower)),
        set(x[2], i64.add(x[2], first)),
        set(x[0], aboveCommon),
        set(x[1], sum(x[0], aboveLower, i64.mul(s[4], q[1]), second)),
        set(x[0], sum(x[0], aboveUpper, i64.mul(s[4], q[0]), first)),
        // r0 isn't a multiple of four: the remainder r0 mod 4, which q0 does not contain, times s4 belongs to the fifth
        // limb.
        set(top, i64.add(i64.mul(s[4], r0mod4), i64.shr_u(x[3], 32n))),
        set(h[4], i64.and(top, 3n)),
        // Bits 130 and up come back times 5: 5·floor(t / 4) = (t - t mod 4) + floor(t / 4).
        set(h[0], i64.add(i64.and(x[0], LOW32), i64.mul(i64.shr_u(top, 2n), 5n))),
        ...[1, 2, 3].map((i) => set(h[i], i64.add(i64.and(x[i], LOW32), i64.shr_u(x[i - 1], 32n)))),
      ];
    },
  };
}

/**
 * h mod p = h - p·floor((h + 5) / 2^130), since h < 2p; so the tag is the low 128 bits of h + 5·floor(…) + s. Each limb's
 * sum fits 64 bits, and carries by a shift.
 */
function finish(frame: Frame, state: number, to: Local<'i32'>): Statement[] {
  const h = frame.locals('i64', 5);
  const carry = frame.local('i64');
  const carried = (limb: Expression<'i64'>): Statement => set(carry, i64.add(i64.shr_u(carry, 32n), limb));
  return [
    ...h.map((limb, i) => set(limb, i64.load32_u(0, state + 4 * i))),
    set(carry, i64.value(5n << 32n)),
    ...h.map(carried),
    set(carry, i64.shl(i64.mul(i64.shr_u(carry, 2n), 5n), 32n)),
    ...[0, 1, 2, 3].flatMap((i) => [
      carried(i64.add(h[i], i64.load32_u(0, state + S + 4 * i))),
      i64.store32_unaligned(to, 4 * i, carry),
    ]),
  ];
}

export const integers: Arithmetic = { accumulator, finish };

/** The functions of Poly1305 that other functions of the module call. */
export interface Poly1305 {
  /** Takes the one-time key from an address, clamps r and clears h. */
  readonly start: (key: number) => Statement;
  /** Absorbs `count` whole blocks, possibly none. */
  readonly absorb: Callable<['i32', 'i32'], undefined>;
  /**
   * The same, with bit 128 as an operand: only the last block of a message whose length isn't a multiple of 16 lacks it.
   */
  readonly absorbWith: Callable<['i32', 'i32', 'i32'], undefined>;
  /** Writes the tag to any address. */
  readonly finish: Callable<['i32'], undefined>;
}

/** The function that the AEAD of RFC 8439 needs besides. */
export interface PaddedPoly1305 extends Poly1305 {
  /** Absorbs `length` bytes padded with zeros, RFC 8439 §2.8; writes the padding. */
  readonly absorbPadded: Callable<['i32', 'i32'], undefined>;
}

/** Absorbs `length` bytes, the last of a message: a short block gets its extra bit right after its bytes. RFC 8439 §2.5 */
export function absorbLast(mac: Poly1305, address: Operand<'i32'>, length: Local<'i32'>): Statement[] {
  const left = i32.and(length, BLOCK_BYTES - 1);
  const end = i32.add(address, length);
  return [
    mac.absorb(address, i32.shr_u(length, 4)),
    when(
      left,
      sequence(
        i32.store8(end, 0, 1),
        fill(i32.add(end, 1), 0, i32.sub(BLOCK_BYTES - 1, left)),
        mac.absorbWith(i32.add(address, i32.and(length, -BLOCK_BYTES)), 1, 0),
      ),
    ),
  ];
}

/** Clamping, RFC 8439 §2.5.1: the top four bits of each word of r, and the bottom two of all but the first. */
export const CLAMP = [0x0fffffff, 0x0ffffffc, 0x0ffffffc, 0x0ffffffc];

export function poly1305(module: Module, state: number, arithmetic: Arithmetic): Poly1305;
export function poly1305(module: Module, state: number, arithmetic: Arithmetic, padded: true): PaddedPoly1305;
export function poly1305(
  module: Module,
  state: number,
  arithmetic: Arithmetic,
  padded = false,
): Poly1305 & Partial<PaddedPoly1305> {
  const start = (key: number): Statement =>
    sequence(
      ...CLAMP.map((mask, i) => i32.store(0, state + R + 4 * i, i32.and(i32.load(0, key + 4 * i), mask))),
      ...[0, 1, 2, 3].map((i) => i32.store(0, state + S + 4 * i, i32.load(0, key + 16 + 4 * i))),
      ...[0, 1, 2, 3, 4].map((i) => i32.store(0, state + 4 * i, 0)),
    );

  const absorbWith = module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, address, count, top) => {
    const accumulator = arithmetic.accumulator(frame, state);
    return [
      when(
        count,
        sequence(
          accumulator.load,
          loop(
            sequence(...accumulator.absorb(address, 0, top), set(address, i32.add(address, BLOCK_BYTES))),
            tee(count, i32.sub(count, 1)),
          ),
          accumulator.store,
        ),
      ),
    ];
  });
  const absorb: Poly1305['absorb'] = (address, count) => absorbWith(address, count, 1);

  const defineAbsorbPadded = (): PaddedPoly1305['absorbPadded'] =>
    module.define(undefined, ['i32', 'i32'], undefined, (_, address, length) => {
      const over = i32.and(length, BLOCK_BYTES - 1);
      return [
        when(over, fill(i32.add(address, length), 0, i32.sub(BLOCK_BYTES, over))),
        absorb(address, i32.shr_u(i32.add(length, BLOCK_BYTES - 1), 4)),
      ];
    });
  // A module without the AEAD does not have the function.
  const absorbPadded = padded ? defineAbsorbPadded() : undefined;

  const finish = module.define(undefined, ['i32'], undefined, (frame, to) => arithmetic.finish(frame, state, to));

  return { start, absorb, absorbWith, finish, ...(absorbPadded && { absorbPadded }) };
}
