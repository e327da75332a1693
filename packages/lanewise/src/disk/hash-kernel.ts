/**
 * The hash of HBSH, the construction of Adiantum and HPolyC ("Adiantum: length-preserving encryption for entry-level
 * processors", §2, §6): the tweak is hashed once for both passes over a page, the message in each pass.
 *
 * Adiantum:  Poly1305 under K_T of lengths and tweak + Poly1305 under K_L of NH of the message, modulo 2^128
 * HPolyC:    Poly1305 under one key of lengths and tweak, and after them the message
 *
 * So for the tweak, Adiantum keeps the number to add, and HPolyC the accumulator from which the message continues.
 * Poly1305 is without its s.
 */
import { fill, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Frame, Module } from '../wasm/module.ts';
import type { Operand, Statement } from '../wasm/types.ts';
import { BLOCK, HASH, NH, POLY, POLY_KEY } from './map.ts';
import type { Nh } from './nh-kernel.ts';
import { carried } from '../words/arithmetic.ts';
import { absorbLast, type Poly1305 } from '../poly1305/kernel.ts';
import { KEY as R, S } from '../poly1305/map.ts';

const WORDS = 4;
/** The words of the accumulator. */
const H_WORDS = 5;
const MESSAGE_KEY = POLY_KEY + BLOCK;

/** The place of 16 bytes. */
interface Place {
  readonly address: Operand<'i32'>;
  readonly offset?: number;
}

/** to = x + y, or x - y, modulo 2^128; at any addresses. */
export function sum128(frame: Frame): (to: Place, x: Place, y: Place, minus?: boolean) => Statement[] {
  const [a, b, sum, carry] = frame.locals('i32', 4);
  return (to, x, y, minus = false) => [
    // x - y is x + ~y + 1.
    set(carry, i32.value(minus ? 1 : 0)),
    ...Array.from({ length: WORDS }, (_, w) => w).flatMap((w) => {
      const other = i32.load_unaligned(y.address, (y.offset ?? 0) + 4 * w);
      return [
        set(a, i32.load_unaligned(x.address, (x.offset ?? 0) + 4 * w)),
        set(b, minus ? i32.xor(other, -1) : other),
        set(sum, i32.add(i32.add(a, b), carry)),
        i32.store_unaligned(to.address, (to.offset ?? 0) + 4 * w, sum),
        ...(w < WORDS - 1 ? [set(carry, carried(a, b, sum))] : []),
      ];
    }),
  ];
}

export interface Hash {
  /**
   * (nh, head, length, saved): lengths and tweak; `nh` is 1 for Adiantum. The result, number or accumulator, goes to
   * `saved`.
   */
  readonly tweak: Callable<['i32', 'i32', 'i32', 'i32'], undefined>;
  /** (nh, saved): a message begins … */
  readonly begin: Callable<['i32', 'i32'], undefined>;
  /** (nh, address, length): … of which all parts but the last are in whole pieces; up to 15 bytes after it change … */
  readonly absorb: Callable<['i32', 'i32', 'i32'], undefined>;
  /** (nh, saved): … and its hash goes to HASH. */
  readonly finish: Callable<['i32', 'i32'], undefined>;
}

/** Without s, with a clamped key at an address, the accumulator that of `h` or zero. */
const start = (key: number, h?: Operand<'i32'>): Statement =>
  sequence(
    ...Array.from({ length: WORDS }, (_, w) =>
      sequence(i32.store(0, POLY + R + 4 * w, i32.load(0, key + 4 * w)), i32.store(0, POLY + S + 4 * w, 0)),
    ),
    ...Array.from({ length: H_WORDS }, (_, w) => i32.store(0, POLY + 4 * w, h === undefined ? 0 : i32.load(h, 4 * w))),
  );

export function defineHash(module: Module, mac: Poly1305, nh: Nh): Hash {
  const tweak = module.define(undefined, ['i32', 'i32', 'i32', 'i32'], undefined, (_, kind, head, length, saved) => [
    start(POLY_KEY),
    ...absorbLast(mac, head, length),
    when(
      kind,
      mac.finish(saved),
      sequence(...Array.from({ length: H_WORDS }, (_, w) => i32.store(saved, 4 * w, i32.load(0, POLY + 4 * w)))),
    ),
  ]);
  const begin = module.define(undefined, ['i32', 'i32'], undefined, (_, kind, saved) => [
    when(kind, start(MESSAGE_KEY), start(POLY_KEY, saved)),
  ]);
  const absorb = module.define(undefined, ['i32', 'i32', 'i32'], undefined, (_, kind, address, length) => {
    const over = i32.and(length, BLOCK - 1);
    return [
      when(
        kind,
        sequence(
          when(over, fill(i32.add(address, length), 0, i32.sub(BLOCK, over))),
          set(length, i32.and(i32.add(length, BLOCK - 1), -BLOCK)),
          nh(address, length, NH),
          // Two blocks a piece of 1024 bytes, or the rest of one.
          mac.absorb(NH, i32.shl(i32.shr_u(i32.add(length, 1023), 10), 1)),
        ),
        sequence(...absorbLast(mac, address, length)),
      ),
    ];
  });
  const finish = module.define(undefined, ['i32', 'i32'], undefined, (frame, kind, saved) => {
    const add = sum128(frame);
    const hash = { address: 0, offset: HASH };
    return [mac.finish(HASH), when(kind, sequence(...add(hash, hash, { address: saved })))];
  });
  return { tweak, begin, absorb, finish };
}
