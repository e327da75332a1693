import { sequence, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Module } from '../wasm/module.ts';
import { MASKS, type Xor } from './chacha.ts';
import { defineSetsXor } from './chacha-lanes.ts';
import { defineRowsXor } from './chacha-rows.ts';
import { rotationMasks } from './words.ts';

/** Up to three blocks within themselves, more in sets; `short` has no more than two. */
export function defineVectorXor(module: Module, relaxed: boolean, short: boolean): Xor {
  module.data(MASKS, rotationMasks);
  const few = [1, 2, ...(short ? [] : [3])].map((count) => ({ count, xor: defineRowsXor(module, relaxed, count) }));
  const many = short ? undefined : defineSetsXor(module, relaxed);
  return module.define(undefined, ['i32', 'i32', 'i32'], undefined, (_, doubleRounds, address, blocks) => [
    few.reduce(
      (otherwise, { count, xor }) => when(i32.eq(blocks, count), xor(doubleRounds, address, blocks), otherwise),
      many?.(doubleRounds, address, blocks) ?? sequence(),
    ),
  ]);
}
