/**
 * Slices in vectors: eight blocks. At first value i is block i, so byte j of a slice holds one bit of byte j of each
 * block.
 */
import { BITS, BLOCK, BLOCK_WORDS } from './rounds.ts';
import { tee } from '../wasm/control.ts';
import { permutations } from '../wasm/permutations.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Expression } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import type { SliceCode } from './kernel.ts';

type From = (row: number, column: number) => readonly [row: number, column: number];

/** A permutation: `from` gives the row and the column whose byte becomes byte 4c + r of the result. */
const permutation = (from: From): number[] =>
  Array.from({ length: BLOCK }, (_, i) => {
    const [row, column] = from(i & 3, i >> 2);
    return BLOCK_WORDS * (column & 3) + (row & 3);
  });

const PERMUTATIONS = /* @__PURE__ */ (
  [
    (row, column) => [row, column + row],
    (row, column) => [row, column - row],
    (row, column) => [row + 1, column],
    (row, column) => [row + 2, column],
  ] satisfies readonly From[]
).map(permutation);
const SHIFT = 0;
const UNSHIFT = 1;
const ROTATE = 2;

/** The permutations in memory: wasm/permutations.ts. */
export const writePermutations = (module: Module, rows: number): void => module.data(rows, PERMUTATIONS.flat());

const splat = (byte: number): Expression<'v128'> => v128.i8x16(...Array.from({ length: BLOCK }, () => byte));

/** `rows` is the address of the permutations. */
export const laneSlices =
  (relaxed: boolean, rows: number) =>
  (frame: Frame): SliceCode<'v128'> => {
    const { prologue, permuted } = permutations(frame, { relaxed, address: rows, masks: PERMUTATIONS });
    const bit = frame.local('v128');
    return {
      type: 'v128',
      bytes: BLOCK,
      blocks: BITS,
      prologue,
      xor: v128.xor,
      and: v128.and,
      shl: v128.i32x4_shl,
      shr: v128.i32x4_shr_u,
      splat,
      load: v128.load,
      store: v128.store,
      blockOffset: (i) => BLOCK * i,
      rotateRows: (x, count) => permuted(x, ROTATE + count - 1),
      shiftRows: (x) => permuted(x, SHIFT),
      unshiftRows: (x) => permuted(x, UNSHIFT),
      // Bit i of each byte, and from there into all of its bits: as the difference of 256 times and once 0 or 1.
      keySlice(address, i) {
        const bits = v128.and(i ? v128.i32x4_shr_u(v128.load(address), i) : v128.load(address), splat(1));
        return v128.i32x4_sub(v128.i32x4_shl(tee(bit, bits), BITS), bit);
      },
      keysChangePlaces: false,
    };
  };
