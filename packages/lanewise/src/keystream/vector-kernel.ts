/** Blocks and keys of the forms with vectors: the choice between sets, rows and words by the number of blocks. */
import type { Core } from './core.ts';
import { sequence, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Module } from '../wasm/module.ts';
import type { Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { defineExtend, defineOneBlock, defineStart, type Start, type Xor } from './kernel.ts';
import { MASKS, word } from './map.ts';
import { defineSetsXor } from './lanes.ts';
import { LANES } from '../words/lanes.ts';
import { masksOf } from '../words/locals.ts';

/** Defines the function that computes exactly `count` blocks within themselves, their rows in vectors. */
export type RowsOf = (module: Module, relaxed: boolean, count: number) => Xor;

/** A core for vectors. */
export interface VectorCore {
  readonly core: Core;
  readonly defineRows: RowsOf;
}

/**
 * Both functions that keys and blocks go through, in vectors. A single block waits for one result after the other, and
 * in vectors every result takes two cycles on many processors; so it is computed in words, and so are HChaCha and
 * HSalsa20: 89 ns instead of 154 on an AMD Zen 5. There is room for a block at `scratch`.
 */
export const defineVectors = (
  module: Module,
  vectorCore: VectorCore,
  relaxed: boolean,
  short: boolean,
  scratch: number,
): { readonly xor: Xor; readonly start: Start } => {
  const { core } = vectorCore;
  const one = defineOneBlock(module, core);
  const xor = defineVectorXor(module, vectorCore, relaxed, short, one);
  const constants = (words: readonly number[]): Statement =>
    v128.store(0, word(0), v128.i32x4(...(words as [number, number, number, number])));
  return { xor, start: defineStart(module, defineExtend(module, core, one, scratch), constants) };
};

/** Up to three blocks within themselves, more in sets; `short` has no more than two. */
function defineVectorXor(
  module: Module,
  { core, defineRows }: VectorCore,
  relaxed: boolean,
  short: boolean,
  one: Xor,
): Xor {
  if (core.byteRotations.length) module.data(MASKS, masksOf(core.byteRotations, core.multiplied));
  const few = [2, ...(short ? [] : [3])].map((count) => ({ count, xor: defineRows(module, relaxed, count) }));
  const many = short ? undefined : defineSetsXor(module, core, relaxed);
  return module.define(undefined, ['i32', 'i32', 'i32'], undefined, (_, doubleRounds, address, blocks) => {
    /** A last block that is alone in its set costs less in words, unless there is only one set before it. */
    const inSets = (sets: Xor): Statement => {
      const whole = i32.sub(blocks, 1);
      const all = sets(doubleRounds, address, blocks);
      return when(
        i32.and(whole, LANES - 1),
        all,
        when(
          i32.lt_u(1, i32.shr_u(whole, 2)),
          sequence(sets(doubleRounds, address, whole), one(doubleRounds, i32.add(address, i32.shl(whole, 6)), 1)),
          all,
        ),
      );
    };
    const known = [{ count: 1, xor: one }, ...few];
    return [
      known.reduce(
        (otherwise, { count, xor }) => when(i32.eq(blocks, count), xor(doubleRounds, address, blocks), otherwise),
        many ? inSets(many) : sequence(),
      ),
    ];
  });
}
