/** The parts of Serpent's modes: the cipher, and blocks as rows of sixteen bytes, added in words or in vectors. */
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Module } from '../wasm/module.ts';
import type { Expression, Local, Operand, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { type Blocks } from './kernel.ts';
import { BLOCK, WORK_BYTES } from './map.ts';

/** A row: an address, and an offset from it. */
export type Row = readonly [address: Operand<'i32'>, offset: number];

/** The sum of rows goes to a row, which may be among them. */
export type Sum = (to: Row, ...rows: readonly Row[]) => Statement;

export const scalarSum: Sum = ([to, toOffset], ...rows) =>
  sequence(
    ...[0, 4, 8, 12].map((at) =>
      i32.store(
        to,
        toOffset + at,
        rows.map(([address, offset]) => i32.load(address, offset + at)).reduce((sum, word) => i32.xor(sum, word)),
      ),
    ),
  );

export const laneSum: Sum = ([to, toOffset], ...rows) =>
  v128.store(
    to,
    toOffset,
    rows.map(([address, offset]) => v128.load(address, offset)).reduce((sum, row) => v128.xor(sum, row)),
  );

/** The cipher and its rows, in lanes or one block at a time. */
export interface Cipher {
  readonly module: Module;
  readonly encrypt: Blocks;
  readonly decrypt: Blocks;
  readonly sum: Sum;
}

/** How many blocks WORK has room for. */
export const GROUP = WORK_BYTES / BLOCK;

/** A loop over `count` rows, one or more; `offset` goes from 0 up. */
export const eachRow = (
  offset: Local<'i32'>,
  end: Local<'i32'>,
  count: Local<'i32'>,
  ...body: Statement[]
): Statement =>
  sequence(
    set(offset, i32.value(0)),
    set(end, i32.shl(count, 4)),
    loop(sequence(...body), i32.lt_u(tee(offset, i32.add(offset, BLOCK)), end)),
  );

/** The bytes of a word in reverse. */
export const reversed = (x: Local<'i32'>): Expression<'i32'> =>
  i32.or(i32.and(i32.rotl(x, 8), 0x00ff00ff), i32.and(i32.rotr(x, 8), 0xff00ff00 | 0));
