import type { Core } from './core.ts';
import { sequence, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Module } from '../wasm/module.ts';
import { type Xor } from './kernel.ts';
import { MASKS } from './map.ts';
import { defineSetsXor } from './lanes.ts';
import { masksOf } from '../words/locals.ts';

/** A core for vectors: `defineRows` computes exactly `count` blocks, each spread over the lanes. */
export interface VectorCore {
  readonly core: Core;
  readonly defineRows: (module: Module, relaxed: boolean, count: number) => Xor;
}

/** Up to three blocks within themselves, more in sets; `short` has no more than two. */
export function defineVectorXor(
  module: Module,
  { core, defineRows }: VectorCore,
  relaxed: boolean,
  short: boolean,
): Xor {
  if (core.byteRotations.length) module.data(MASKS, masksOf(core.byteRotations));
  const few = [1, 2, ...(short ? [] : [3])].map((count) => ({ count, xor: defineRows(module, relaxed, count) }));
  const many = short ? undefined : defineSetsXor(module, core, relaxed);
  return module.define(undefined, ['i32', 'i32', 'i32'], undefined, (_, doubleRounds, address, blocks) => [
    few.reduce(
      (otherwise, { count, xor }) => when(i32.eq(blocks, count), xor(doubleRounds, address, blocks), otherwise),
      many?.(doubleRounds, address, blocks) ?? sequence(),
    ),
  ]);
}
