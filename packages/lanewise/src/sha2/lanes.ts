/**
 * Messages of SHA-256 side by side: a block of each of four in the lanes of vectors; without vectors, one block after the other.
 * Two words of 64 bits in a vector gain 6 % only, because a rotation takes three instructions there, so SHA-512 has no lanes.
 */
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Local, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { transposed } from '../words/locals.ts';
import { compressBlock } from './kernel.ts';
import { BLOCK_WORDS, laneWords, reversed, words32 } from './machine-kernel.ts';
import { LANE_BYTES, LANES, LANES_DIGESTS, LANES_INITIAL, LANES_STAGE, LANES_STATE, SCHEDULE } from './map.ts';
import { sha256Rounds } from './rounds.ts';
import { allRounds, each, STATE_WORDS, variablesOf } from './rounds-kernel.ts';

const WORD = 4;
const VECTOR = 16;
const DIGEST = WORD * STATE_WORDS;

/** Hashes a block of each lane in vectors. `address` is the block of the first lane, and `at` an offset in the schedule. */
function vectorBlock(frame: Frame, address: Local<'i32'>, at: Local<'i32'>): Statement {
  const w = laneWords(frame, 32);
  const variables = variablesOf(w);
  const rows = frame.locals('v128', LANES);
  const { prologue, columns } = transposed(frame, rows);
  const from = i32.add(address, i32.shr_u(at, 2));
  const words = sequence(
    ...rows.map((row, lane) => set(row, reversed(v128.load(from, LANE_BYTES * lane), WORD))),
    prologue,
    ...columns.map((column, i) => v128.store(at, SCHEDULE + VECTOR * i, column)),
  );
  const state = (i: number): number => LANES_STATE + VECTOR * i;
  variables.forEach((variable, i) => w.set(variable, v128.load(0, state(i))));
  const begin = w.taken();
  const rounds = allRounds(w, sha256Rounds, 8, variables, at);
  variables.forEach((variable, i) => w.store(0, state(i), w.add(v128.load(0, state(i)), variable)));
  return sequence(each(at, VECTOR * LANES, VECTOR * BLOCK_WORDS, words), begin, rounds, w.taken());
}

/** Hashes a block of each lane, one after the other. */
function scalarBlocks(frame: Frame, address: Local<'i32'>, at: Local<'i32'>): Statement {
  const w = words32(frame);
  const [lane, block] = frame.locals('i32', 2);
  const state = { base: lane, offset: LANES_STATE, stride: VECTOR };
  const body = compressBlock(w, { rounds: sha256Rounds, unrolled: 1 }, block, at, state);
  return sequence(
    set(block, address),
    each(lane, WORD, VECTOR, sequence(body, set(block, i32.add(block, LANE_BYTES)))),
  );
}

export function defineLanes(module: Module, vectors: boolean): void {
  module.define('begin', ['i32'], undefined, (frame, lane) => {
    const w = words32(frame);
    const column = i32.shl(lane, 2);
    for (let i = 0; i < STATE_WORDS; i++)
      w.store(column, LANES_STATE + VECTOR * i, w.load(0, LANES_INITIAL + WORD * i));
    return [w.taken()];
  });

  module.define('compress', ['i32'], undefined, (frame, blocks) => {
    const [address, at] = frame.locals('i32', 2);
    const body = vectors ? vectorBlock(frame, address, at) : scalarBlocks(frame, address, at);
    return [
      set(address, i32.value(LANES_STAGE)),
      loop(sequence(body, set(address, i32.add(address, WORD * BLOCK_WORDS))), tee(blocks, i32.sub(blocks, 1))),
    ];
  });

  module.define('digests', [], undefined, (frame) => {
    const w = words32(frame);
    for (let lane = 0; lane < LANES; lane++)
      for (let i = 0; i < STATE_WORDS; i++)
        w.storeBigEndian(
          0,
          LANES_DIGESTS + DIGEST * lane + WORD * i,
          w.load(0, LANES_STATE + VECTOR * i + WORD * lane),
        );
    return [w.taken()];
  });
}
