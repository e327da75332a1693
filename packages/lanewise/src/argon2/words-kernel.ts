/** The steps of Argon2's G on single words: P is eight calls of a function for GB, over memory. */
import { type Arithmetic } from '../blake2/wide-kernel.ts';
import { sequence } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import { columnsBy, rowsBy, type Blocks, type Steps } from './kernel.ts';
import { BLOCK_BYTES, columns, diagonals, mix, REGISTER_BYTES, ROW_BYTES } from './rounds.ts';

const WORD_BYTES = 8;

/** Where a word of P is after the first register. */
export const offsetOf = (word: number, stride: number): number => stride * (word >> 1) + WORD_BYTES * (word & 1);

export function wordSteps<R>(module: Module, arithmetic: Arithmetic<R>): (frame: Frame) => Steps {
  const gb = module.define(undefined, ['i32', 'i32', 'i32', 'i32'], undefined, (frame, ...places) => {
    const words = arithmetic.variables(frame);
    const variables = words.words(4);
    const [a, b, c, d] = variables;
    mix(words, a, b, c, d);
    return [
      ...variables.map((variable, i) => words.load(variable, places[i], 0)),
      ...words.taken(),
      ...variables.map((variable, i) => words.store(places[i], 0, variable)),
    ];
  });
  return (frame) => {
    const words = arithmetic.variables(frame);
    const [sum, other] = words.words(2);
    const xored = () => {
      words.xor(sum, other);
      return words.taken();
    };
    const permute =
      (stride: number) =>
      ({ z }: Blocks) =>
        sequence(
          ...[...columns, ...diagonals].map((quad) => {
            const [a, b, c, d] = quad.map((word) => i32.add(z, offsetOf(word, stride)));
            return gb(a, b, c, d);
          }),
        );
    return {
      bytes: WORD_BYTES,
      begin: ({ x, y, z, to }, onto) =>
        sequence(
          words.load(sum, x, 0),
          words.load(other, y, 0),
          ...xored(),
          words.store(z, 0, sum),
          ...(onto ? [words.load(other, to, 0), ...xored()] : []),
          words.store(to, 0, sum),
        ),
      loops: [
        rowsBy(1, permute(REGISTER_BYTES)),
        columnsBy(1, permute(ROW_BYTES)),
        {
          step: WORD_BYTES,
          most: BLOCK_BYTES,
          body: ({ z, to }) =>
            sequence(words.load(sum, to, 0), words.load(other, z, 0), ...xored(), words.store(to, 0, sum)),
        },
      ],
    };
  };
}
