/**
 * ChaCha20 of four blocks with two kinds of registers, for study: three blocks by rows in vectors, and the fourth in sixteen
 * integers, whose instructions are woven in between. This is how OpenSSL's code for SSSE3 and NEON fills processors that
 * execute both kinds at once. The memory map is that of chacha-study.ts.
 */
import { loop, sequence, set, tee } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import { Module } from '../../../lanewise/src/wasm/module.ts';
import type { Expression, Statement } from '../../../lanewise/src/wasm/types.ts';
import * as v128 from '../../../lanewise/src/wasm/v128.ts';
import { weave } from '../../../lanewise/src/words/weave.ts';
import { rowSteps, turnSteps } from './chacha-rows-study.ts';
import { COLUMNS, DATA, DIAGONALS, STATE, STEPS } from './chacha-study.ts';
import { masks, MASKS, rotationsIn, type Rotations } from './rotations.ts';

const COUNTER = STATE + 48;
const PAGES = 3;
const BLOCK = 64;
const IN_VECTORS = 3;
const BLOCKS = IN_VECTORS + 1;

/** Exports `memory` and StudyFunctions; the number of blocks must be a multiple of four. */
export function mixedModule(rotations: Rotations): Module {
  const module = new Module(PAGES);
  module.data(MASKS, masks);
  module.define('xor', ['i32'], undefined, (frame, blocks) => {
    const rotation = rotationsIn(frame, rotations);
    const rounds = frame.local('i32');
    const address = frame.local('i32');
    const each = Array.from({ length: IN_VECTORS }, () => frame.locals('v128', 4));
    const x = frame.locals('i32', 16);

    /** RFC 8439 §2.3; block n of a group adds n to the counter. */
    const row = (block: number, r: number): Expression<'v128'> => {
      const loaded = v128.load(0, STATE + 16 * r);
      return r === 3 && block > 0 ? v128.i32x4_add(loaded, v128.i32x4(block, 0, 0, 0)) : loaded;
    };
    const word = (w: number): Expression<'i32'> => {
      const loaded = i32.load(0, STATE + 4 * w);
      return w === 12 ? i32.add(loaded, IN_VECTORS) : loaded;
    };

    /** The same step of four quarter rounds before the next step. */
    const inIntegers = (quads: typeof COLUMNS | typeof DIAGONALS): Statement[] =>
      STEPS.flatMap(([to, from, mixed, count]) =>
        quads.flatMap((quad) => [
          set(x[quad[to]], i32.add(x[quad[to]], x[quad[from]])),
          set(x[quad[mixed]], i32.rotl(i32.xor(x[quad[mixed]], x[quad[to]]), count)),
        ]),
      );
    const halfRound = (quads: typeof COLUMNS | typeof DIAGONALS, back: boolean): Statement =>
      weave(
        [...rowSteps(rotation).flatMap((step) => each.map(step)), ...turnSteps(back).flatMap((turn) => each.map(turn))],
        inIntegers(quads),
      );

    return [
      rotation.load,
      set(address, i32.value(DATA)),
      loop(
        sequence(
          ...each.flatMap((rows, block) => rows.map((local, r) => set(local, row(block, r)))),
          ...x.map((local, w) => set(local, word(w))),
          set(rounds, i32.value(10)),
          loop(sequence(halfRound(COLUMNS, false), halfRound(DIAGONALS, true)), tee(rounds, i32.sub(rounds, 1))),
          ...each.flatMap((rows, block) =>
            rows.map((local, r) => {
              const at = BLOCK * block + 16 * r;
              return v128.store(address, at, v128.xor(v128.load(address, at), v128.i32x4_add(local, row(block, r))));
            }),
          ),
          ...x.map((local, w) => {
            const at = BLOCK * IN_VECTORS + 4 * w;
            return i32.store(address, at, i32.xor(i32.load(address, at), i32.add(local, word(w))));
          }),
          i32.store(0, COUNTER, i32.add(i32.load(0, COUNTER), BLOCKS)),
          set(address, i32.add(address, BLOCK * BLOCKS)),
        ),
        tee(blocks, i32.sub(blocks, BLOCKS)),
      ),
    ];
  });
  return module;
}
