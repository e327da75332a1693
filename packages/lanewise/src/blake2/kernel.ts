/** The compression function of BLAKE2b and BLAKE2s over blocks in memory. RFC 7693 §3.2 */
import { loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Local, Statement } from '../wasm/types.ts';
import { H, V } from './map.ts';
import { columns, diagonals, mix, schedule, type Size } from './rounds.ts';
import type { Arithmetic } from './wide-kernel.ts';

type Word = Local<'i32'>;

const QUADS = [...columns, ...diagonals];
const WORDS = 16;

/** The work vector, and the parts of F that concern it. */
interface WorkVector {
  /** Step 1: the chaining value, and the initial value, with the counter and the flag XORed onto words 12 to 14. */
  readonly begin: Statement;
  /** Step 2: all rounds. */
  readonly rounds: Statement;
  /** Step 3: both halves are XORed onto the chaining value. */
  readonly end: Statement;
}

/** The parameters of a call: the block, the counter in two words, and the flag of the last block. */
interface Parameters {
  readonly address: Word;
  readonly low: Word;
  readonly high: Word;
  readonly last: Word;
}

/** Words 8 to 15 of the work vector, as words of 32 bits at V. */
function initial({ iv, wordBytes }: Size, { low, high, last }: Parameters): Statement {
  const onto = wordBytes === 8 ? { 8: low, 9: high, 12: last, 13: last } : { 4: low, 5: high, 6: last };
  return sequence(
    ...iv.map((word, i) => {
      const operand = (onto as Partial<Record<number, Word>>)[i];
      return i32.store(0, V + 8 * wordBytes + 4 * i, operand ? i32.xor(operand, word | 0) : i32.value(word | 0));
    }),
  );
}

/** In variables, all through a block. */
function inVariables<R>(frame: Frame, size: Size, arithmetic: Arithmetic<R>, its: Parameters): WorkVector {
  const words = arithmetic.variables(frame);
  const v = words.words(WORDS);
  const [x, y, before] = words.words(3);
  const { wordBytes } = size;
  return {
    begin: sequence(
      initial(size, its),
      ...v.map((word, i) => words.load(word, 0, i < 8 ? H + wordBytes * i : V + wordBytes * i)),
    ),
    rounds: sequence(
      ...schedule(size).flatMap((places) =>
        QUADS.flatMap(([a, b, c, d], g) => {
          mix(words, size, v[a], v[b], v[c], v[d], x, y);
          return [
            words.load(x, its.address, wordBytes * places[2 * g]),
            words.load(y, its.address, wordBytes * places[2 * g + 1]),
            ...words.taken(),
          ];
        }),
      ),
    ),
    end: sequence(
      ...v.slice(0, 8).flatMap((word, i) => {
        words.xor(word, v[i + 8]);
        words.xor(word, before);
        return [words.load(before, 0, H + wordBytes * i), ...words.taken(), words.store(0, H + wordBytes * i, word)];
      }),
    ),
  };
}

/** In memory, with a function for G. */
function inMemory<R>(module: Module, size: Size, arithmetic: Arithmetic<R>): (its: Parameters) => WorkVector {
  const { wordBytes } = size;
  const g = module.define(undefined, ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'], undefined, (frame, ...places) => {
    const words = arithmetic.variables(frame);
    const variables = words.words(6);
    const [a, b, c, d, x, y] = variables;
    mix(words, size, a, b, c, d, x, y);
    return [
      ...variables.map((variable, i) => words.load(variable, places[i], 0)),
      ...words.taken(),
      ...variables.slice(0, 4).map((variable, i) => words.store(places[i], 0, variable)),
    ];
  });
  return (its) => ({
    begin: sequence(
      initial(size, its),
      ...Array.from({ length: 2 * wordBytes }, (_, i) => i32.store(0, V + 4 * i, i32.load(0, H + 4 * i))),
    ),
    rounds: sequence(
      ...schedule(size).flatMap((places) =>
        QUADS.map(([a, b, c, d], number) => {
          const [x, y] = [0, 1].map((k) => i32.add(its.address, wordBytes * places[2 * number + k]));
          return g(V + wordBytes * a, V + wordBytes * b, V + wordBytes * c, V + wordBytes * d, x, y);
        }),
      ),
    ),
    end: sequence(
      ...Array.from({ length: 2 * wordBytes }, (_, i) =>
        i32.store(
          0,
          H + 4 * i,
          i32.xor(i32.load(0, H + 4 * i), i32.xor(i32.load(0, V + 4 * i), i32.load(0, V + 8 * wordBytes + 4 * i))),
        ),
      ),
    ),
  });
}

export function defineCompress<R>(module: Module, size: Size, arithmetic: Arithmetic<R>): void {
  const memory = arithmetic.inMemory ? inMemory(module, size, arithmetic) : undefined;
  const blockBytes = WORDS * size.wordBytes;
  module.define(
    'compress',
    ['i32', 'i32', 'i32', 'i32', 'i32'],
    undefined,
    (frame, address, blocks, low, high, last) => {
      const its = { address, low, high, last };
      const { begin, rounds, end } = memory?.(its) ?? inVariables(frame, size, arithmetic, its);
      return [
        loop(
          sequence(
            begin,
            rounds,
            end,
            set(address, i32.add(address, blockBytes)),
            set(low, i32.add(low, blockBytes)),
            when(i32.lt_u(low, blockBytes), set(high, i32.add(high, 1))),
          ),
          tee(blocks, i32.sub(blocks, 1)),
        ),
      ];
    },
  );
}
