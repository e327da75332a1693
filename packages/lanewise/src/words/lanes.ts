/** Sets of four blocks, one block in each lane of the vectors, and the loops over them. */
import type { Quad } from './machine.ts';
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Local, Operand, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';

/** The words of a vector. */
export const LANES = 4;

type Word = Local<'i32'>;

/** A loop over the sets in use: `base` is the offset of the current set, `end` that of the first set not in use. */
export const eachSet = (base: Word, end: Word, setBytes: number, ...body: readonly Statement[]): Statement =>
  sequence(set(base, i32.value(0)), loop(sequence(...body), i32.lt_u(tee(base, i32.add(base, setBytes)), end)));

/**
 * Four quarter rounds of a set, whose words are in memory, two side by side: while one waits for a result, the other
 * computes, and the words of both fit the registers. `steps` gives the steps of quarter round `number` on one of two
 * sets of variables.
 */
export const quarterRounds = (
  pair: readonly (readonly Local<'v128'>[])[],
  quads: readonly Quad[],
  base: Operand<'i32'>,
  offset: number,
  steps: (side: number, number: number) => readonly Statement[],
): Statement[] =>
  [0, 2].flatMap((first) => {
    const [one, other] = pair.map((rows, side) => {
      const quad = quads[first + side];
      // The words are loaded in the order of their first use.
      const load = [0, 1, 3, 2].map((row) => set(rows[row], v128.load(base, offset + 16 * quad[row])));
      const store = quad.map((w, row) => v128.store(base, offset + 16 * w, rows[row]));
      return [...load, ...steps(side, first + side), ...store];
    });
    return one.flatMap((step, i) => [step, other[i]]);
  });
