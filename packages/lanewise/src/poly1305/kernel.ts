/**
 * Poly1305, RFC 8439 §2.5: tag = (((m_1·r^n + m_2·r^(n-1) + … + m_n·r) mod p) + s) mod 2^128, p = 2^130 - 5.
 */
import { KEY, S, BLOCK } from './map.ts';
import { fill, loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import * as i64 from '../wasm/i64.ts';
import type { Callable, Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';

const R = KEY;

/** The accumulator in the locals of a function. `T` is the type in which it multiplies. */
export interface Accumulator {
  /** From memory to locals, and back. */
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

/**
 * Arithmetic in 64-bit integers: four limbs of 32 bits and a small fifth. Clamping clears the two low bits of r1, r2 and
 * r3, so r_i·2^(32i)·2^128 ≡ 5·(r_i / 4)·2^(32i) (mod p) for these, and 21 multiplications make a block.
 *
 * Between blocks limbs carry once, in parallel, and may stay above 2^32: with h0 < 2.25·2^32 and h1, h2, h3 < 2·2^32 the
 * sums s = h + m are below 3.25·2^32 and 3·2^32, r_i < 2^28, q_i < 1.25·2^28, and the largest column is
 * 3.25 + 3·3·1.25 = 14.5 times 2^60, below 2^64. A full ripple would be a third of a block's latency.
 */
function accumulator(frame: Frame, state: number): Accumulator {
  const h = frame.locals('i64', 5);
  const r = frame.locals('i64', 4);
  const q = frame.locals('i64', 4); // 5·floor(r / 4)
  const r0mod4 = frame.local('i64');
  const s = frame.locals('i64', 5);
  const x = frame.locals('i64', 4);
  const top = frame.local('i64');
  const carry = top;

  type Limb = Local<'i64'>;
  const column = (...products: readonly (readonly [Limb, Limb])[]): Expression<'i64'> =>
    products.map(([a, b]) => i64.mul(a, b)).reduce((sum, product) => i64.add(sum, product));

  return {
    load: sequence(
      ...h.map((limb, i) => set(limb, i64.load32_u(0, state + 4 * i))),
      ...r.map((limb, i) => set(limb, i64.load32_u(0, state + R + 4 * i))),
      ...q.map((limb, i) => set(limb, i64.mul(i64.shr_u(r[i], 2n), 5n))),
      set(r0mod4, i64.and(r[0], 3n)),
    ),
    store: sequence(
      set(carry, i64.value(0n)),
      ...h.map((limb, i) =>
        sequence(set(carry, i64.add(i64.shr_u(carry, 32n), limb)), i64.store32(0, state + 4 * i, carry)),
      ),
    ),
    absorb: (address, offset, bit128) => [
      ...s.map((sum, i) =>
        set(sum, i64.add(h[i], i < 4 ? i64.load32_u(address, offset + 4 * i) : i64.extend_i32_u(bit128))),
      ),
      // The highest column first: all others wait for what it carries around.
      set(x[3], column([s[0], r[3]], [s[1], r[2]], [s[2], r[1]], [s[3], r[0]], [s[4], q[3]])),
      set(x[0], column([s[0], r[0]], [s[1], q[3]], [s[2], q[2]], [s[3], q[1]], [s[4], q[0]])),
      set(x[1], column([s[0], r[1]], [s[1], r[0]], [s[2], q[3]], [s[3], q[2]], [s[4], q[1]])),
      set(x[2], column([s[0], r[2]], [s[1], r[1]], [s[2], r[0]], [s[3], q[3]], [s[4], q[2]])),
      // r0 is no multiple of four: what q0 leaves out of s4·r0 belongs to the fifth limb.
      set(top, i64.add(i64.mul(s[4], r0mod4), i64.shr_u(x[3], 32n))),
      set(h[4], i64.and(top, 3n)),
      // Bits 130 and up come back times 5: 5·floor(t / 4) = (t - t mod 4) + floor(t / 4).
      set(h[0], i64.add(i64.add(i64.and(x[0], LOW32), i64.and(top, -4n)), i64.shr_u(top, 2n))),
      ...[1, 2, 3].map((i) => set(h[i], i64.add(i64.and(x[i], LOW32), i64.shr_u(x[i - 1], 32n)))),
    ],
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

/** The functions of Poly1305 that other functions of a module call. */
export interface Poly1305 {
  /** Takes the one-time key from an address, clamps r and clears h. */
  readonly start: (key: number) => Statement;
  /** Absorbs `count` whole blocks, possibly none. */
  readonly absorb: Callable<['i32', 'i32'], undefined>;
  /** The same with a choice of bit 128, which only the last block of a message that is no multiple of 16 lacks. */
  readonly absorbWith: Callable<['i32', 'i32', 'i32'], undefined>;
  /** Writes the tag to any address. */
  readonly finish: Callable<['i32'], undefined>;
}

/** What the AEAD of RFC 8439 needs besides. */
export interface PaddedPoly1305 extends Poly1305 {
  /** Absorbs `length` bytes padded with zeros, RFC 8439 §2.8; writes the padding. */
  readonly absorbPadded: Callable<['i32', 'i32'], undefined>;
}

/** Absorbs `length` bytes, the last of a message: a short block gets its extra bit right behind its bytes. RFC 8439 §2.5 */
export function absorbLast(mac: Poly1305, address: Operand<'i32'>, length: Local<'i32'>): Statement[] {
  const left = i32.and(length, BLOCK - 1);
  const end = i32.add(address, length);
  return [
    mac.absorb(address, i32.shr_u(length, 4)),
    when(
      left,
      sequence(
        i32.store8(end, 0, 1),
        fill(i32.add(end, 1), 0, i32.sub(BLOCK - 1, left)),
        mac.absorbWith(i32.add(address, i32.and(length, -BLOCK)), 1, 0),
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
            sequence(...accumulator.absorb(address, 0, top), set(address, i32.add(address, BLOCK))),
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
      const over = i32.and(length, BLOCK - 1);
      return [
        when(over, fill(i32.add(address, length), 0, i32.sub(BLOCK, over))),
        absorb(address, i32.shr_u(i32.add(length, BLOCK - 1), 4)),
      ];
    });
  // A module without the AEAD does not have the function.
  const absorbPadded = padded ? defineAbsorbPadded() : undefined;

  const finish = module.define(undefined, ['i32'], undefined, (frame, to) => arithmetic.finish(frame, state, to));

  return { start, absorb, absorbWith, finish, ...(absorbPadded && { absorbPadded }) };
}
