/**
 * Slices in words of 32 bits: two blocks. Column c of block b is value 2c + b when they come, so in a slice the row is the
 * byte, and bit 2c + b of it the column and the block.
 */
import { sequence, set } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable, Module } from '../wasm/module.ts';
import type { SliceCode } from './kernel.ts';
import { BLOCK } from './rounds.ts';

const BLOCKS = 2;
const BYTE = 8;

/**
 * (x): one slice. Rows 2 and 3 turn by two columns, which is half a byte, then rows 1 and 3 by one, to the right or, for
 * the inverse, to the left.
 */
const defineTurn = (module: Module, right: boolean): Callable<['i32'], 'i32'> =>
  module.define(undefined, ['i32'], 'i32', (frame, x) => {
    const t = frame.local('i32');
    const odd = (mask: number): number => (mask * 0x01000100) | 0;
    const cut = right ? BLOCKS : BYTE - BLOCKS;
    const down = i32.shr_u(i32.and(x, odd(0xff & -(1 << cut))), cut);
    const up = i32.shl(i32.and(x, odd((1 << cut) - 1)), BYTE - cut);
    return [
      set(t, i32.and(i32.xor(x, i32.shr_u(x, BYTE / 2)), 0x0f0f0000)),
      set(x, i32.xor(x, i32.xor(t, i32.shl(t, BYTE / 2)))),
      i32.or(i32.and(x, 0x00ff00ff), i32.or(down, up)),
    ];
  });

export function wordSlices(module: Module): () => SliceCode<'i32'> {
  const shiftRows = defineTurn(module, true);
  const unshiftRows = defineTurn(module, false);
  return () => ({
    type: 'i32',
    bytes: 4,
    blocks: BLOCKS,
    prologue: sequence(),
    xor: i32.xor,
    and: i32.and,
    shl: i32.shl,
    shr: i32.shr_u,
    splat: (byte) => i32.value(Math.imul(byte, 0x01010101)),
    load: i32.load,
    store: i32.store,
    blockOffset: (i) => BLOCK * (i % BLOCKS) + 4 * (i >> 1),
    keySlice: (address, i) => i32.load(address, 4 * (i >> 1)),
    keysChangePlaces: true,
    rotateRows: (x, count) => i32.rotr(x, BYTE * count),
    shiftRows,
    unshiftRows,
  });
}
