import type { Core } from './core.ts';
import { sequence, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Module } from '../wasm/module.ts';
import type { Expression, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { defineStart, NONCE_REST, type Extend, type Start, type Xor } from './kernel.ts';
import { MASKS, word } from './map.ts';
import { defineSetsXor } from './lanes.ts';
import { masksOf } from '../words/locals.ts';

/** Defines the function that computes exactly `count` blocks within themselves, their rows in vectors. */
export type RowsOf = (module: Module, relaxed: boolean, count: number) => Xor;

/** Defines HChaCha or HSalsa20 in the same way. */
export type ExtendOf = (module: Module, relaxed: boolean) => Extend;

/** A core for vectors. */
export interface VectorCore {
  readonly core: Core;
  readonly defineRows: RowsOf;
  readonly defineExtend: ExtendOf;
}

/** The subkey to where the key was; and the rest of the nonce moves up, with the counter that goes with it. */
export function storeSubkey({ counter, nonce }: Core, low: Expression<'v128'>, high: Expression<'v128'>): Statement {
  const rest = v128.load(0, NONCE_REST);
  return sequence(
    v128.store(0, word(4), low),
    v128.store(0, word(8), high),
    v128.store(0, word(12), counter < nonce ? v128.shuffle32(rest, rest, 2, 3, 0, 1) : rest),
  );
}

/** Both functions that keys and blocks go through, in vectors. */
export const defineVectors = (
  module: Module,
  vectorCore: VectorCore,
  relaxed: boolean,
  short: boolean,
): { readonly xor: Xor; readonly start: Start } => {
  const xor = defineVectorXor(module, vectorCore, relaxed, short);
  const constants = (words: readonly number[]): Statement =>
    v128.store(0, word(0), v128.i32x4(...(words as [number, number, number, number])));
  return { xor, start: defineStart(module, vectorCore.defineExtend(module, relaxed), constants) };
};

/** Up to three blocks within themselves, more in sets; `short` has no more than two. */
function defineVectorXor(module: Module, { core, defineRows }: VectorCore, relaxed: boolean, short: boolean): Xor {
  if (core.byteRotations.length) module.data(MASKS, masksOf(core.byteRotations, core.multiplied));
  const few = [1, 2, ...(short ? [] : [3])].map((count) => ({ count, xor: defineRows(module, relaxed, count) }));
  const many = short ? undefined : defineSetsXor(module, core, relaxed);
  return module.define(undefined, ['i32', 'i32', 'i32'], undefined, (_, doubleRounds, address, blocks) => [
    few.reduce(
      (otherwise, { count, xor }) => when(i32.eq(blocks, count), xor(doubleRounds, address, blocks), otherwise),
      many?.(doubleRounds, address, blocks) ?? sequence(),
    ),
  ]);
}
