/** HChaCha of four pages in four lanes: subkeys of one key and four nonces. draft-irtf-cfrg-xchacha-03 §2.2 */
import { chacha } from '../chacha/rounds.ts';
import { SIGMA } from '../keystream/core.ts';
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Module } from '../wasm/module.ts';
import type { Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { BLOCK, KEY, MIDDLE, SETS, SUBKEY_BYTES, SUBKEYS } from './map.ts';
import type { Subkeys } from './subkeys-kernel.ts';
import { setOfBlocks } from '../keystream/lanes.ts';
import { eachSet, LANES } from '../words/lanes.ts';
import { transposed } from '../words/locals.ts';

const SET_BYTES = LANES * 64;
const KEY_WORDS = 8;

export const defineLaneSubkeys = (module: Module, relaxed: boolean): Subkeys =>
  module.define(undefined, ['i32', 'i32'], undefined, (frame, doubleRounds, pages) => {
    const { prologue, rounds } = setOfBlocks(frame, chacha, relaxed);
    const rows = frame.locals('v128', LANES);
    const { prologue: transpose, columns } = transposed(frame, rows);
    const base = frame.local('i32');
    const end = frame.local('i32');
    const middle = frame.local('i32');
    const subkeys = frame.local('i32');
    const word = (w: number): number => SETS + 16 * w;

    const each = (...body: readonly Statement[]): Statement => eachSet(base, end, SET_BYTES, ...body);
    /** Four words in a row of the four pages, each to its subkey. */
    const toSubkeys = (from: number, to: number): Statement[] => [
      ...rows.map((row, i) => set(row, v128.load(base, word(from + i)))),
      transpose,
      ...columns.map((column, page) => v128.store(subkeys, SUBKEYS + SUBKEY_BYTES * page + to, column)),
    ];
    return [
      prologue,
      set(end, i32.shl(i32.shr_u(i32.add(pages, LANES - 1), 2), 8)),
      set(middle, i32.value(0)),
      each(
        ...SIGMA.map((constant, w) => v128.store(base, word(w), v128.i32x4(constant, constant, constant, constant))),
        ...Array.from({ length: KEY_WORDS }, (_, w) =>
          v128.store(base, word(4 + w), v128.load32_splat(0, KEY + 4 * w)),
        ),
        ...rows.map((row, page) => set(row, v128.load(middle, MIDDLE + BLOCK * page))),
        transpose,
        ...columns.map((column, w) => v128.store(base, word(12 + w), column)),
        set(middle, i32.add(middle, LANES * BLOCK)),
      ),
      loop(
        sequence(
          ...chacha.doubleRound.map((quads) => each(...rounds(quads, { base, offset: SETS, data: 0, dataOffset: 0 }))),
        ),
        tee(doubleRounds, i32.sub(doubleRounds, 1)),
      ),
      set(subkeys, i32.value(0)),
      each(...toSubkeys(0, 0), ...toSubkeys(12, 16), set(subkeys, i32.add(subkeys, LANES * SUBKEY_BYTES))),
    ];
  });
