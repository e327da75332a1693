// Runs kernels that contain Poly1305 with polynomials for its numbers: the words of the cipher, of keys and of messages
// are terms as in other runs, and Poly1305 computes polynomials over these words.
import { bits64 } from '../../execute/bits64.ts';
import { Machine, type Ranges } from '../../execute/machine.ts';
import { JavaScriptMachine } from '../../javascript/runner.ts';
import { parse } from '../../javascript/parse.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { PolynomialDoubles } from '../../polynomials/doubles.ts';
import { IntegerDomain, repeated, type Integer } from '../../polynomials/integers.ts';
import type { Ring } from '../../polynomials/ring.ts';
import { numberOf, variablesOf, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { Failure, require } from '../../claims/claim.ts';
import { reductionInputs } from './reduction.ts';
import type { Instead, Runnable } from '../../claims/runnable.ts';

/** The computation of the four words of a tag. */
export interface Reduction {
  /** The five words of the accumulator that they were computed from, … */
  readonly h: readonly Term[];
  /** … and the four words computed from `reductionInputs` in place of the accumulator and s. */
  readonly words: readonly Term[];
}

export interface PolynomialRun {
  readonly run: Runnable;
  readonly ring: Ring;
  /** Where the results of the polynomials' operations lie, in order, if asked for. */
  readonly trace: readonly string[];
  /**
   * The words are those of a tag, under an s of these words; `untouched` is the accumulator if the run did not change
   * it.
   */
  reductionOf(tag: readonly Term[], s: readonly Term[], untouched: readonly Term[] | undefined): Reduction;
}

export interface PolynomialKernel {
  readonly name: string;
  start(ranges?: Ranges, options?: { readonly traced?: boolean; readonly instead?: Instead }): PolynomialRun;
}

const ACCUMULATOR_WORDS = 5;

/**
 * The reduction in 64-bit integers: the instructions that computed the tag are repeated on bit-vectors, from the loaded
 * words.
 */
function integerReduction(domain: IntegerDomain, tag: readonly Term[], s: readonly Term[]): Reduction {
  const inputs = reductionInputs();
  const h: Term[] = [];
  const leaf = (word: Term): Term => {
    // An s of zeros leaves nothing of itself.
    if (numberOf(word) !== undefined) return word;
    const key = s.indexOf(word);
    if (key >= 0) return inputs.s[key];
    require(h.length < ACCUMULATOR_WORDS, () => 'the tag is computed from more than an accumulator and s');
    return inputs.h[h.push(word) - 1];
  };
  const repeat = repeated(bits64, leaf);
  const words = tag.map((word) => {
    const integer = domain.wrapped(word);
    require(integer !== undefined, () => 'a word of the tag does not come from a number of 64 bits');
    return bits64.wrap(repeat(integer));
  });
  require(h.length === ACCUMULATOR_WORDS, () => `the tag is computed from ${h.length} words beside s`);
  return { h, words };
}

/** The properties of a kernel that claims about Poly1305 need. */
export type ProvedKernel = Pick<Kernel, 'name' | 'bytes' | 'mostSteps' | 'coverage'>;

/** A module on the executor. */
export function onIntegers({ name, bytes, mostSteps, coverage }: ProvedKernel): PolynomialKernel {
  let module: ReturnType<typeof decode> | undefined;
  return {
    name,
    start(ranges = {}, { traced = false, instead = {} } = {}) {
      const domain = new IntegerDomain({ traced });
      const options = { integers64: domain, ranges, instead, mostSteps, coverage };
      const run = new Machine<Integer>((module ??= decode(bytes)), options);
      return {
        run: run as Runnable,
        ring: domain.ring,
        trace: domain.trace ?? [],
        reductionOf: (tag, s) => integerReduction(domain, tag, s),
      };
    },
  };
}

/** The addresses in the kernel of Poly1305 alone, and its function that only makes the tag. */
export interface Reducer {
  readonly text: KernelText;
  readonly accumulator: number;
  readonly s: number;
  readonly tag: number;
  readonly run: (run: Runnable) => void;
}

/**
 * The `js` engine's text. There the last step is in words, not in doubles: another text's last step, run on the same
 * words and then on `reductionInputs`, must give the same terms.
 */
export function onDoubles({ name, text, memoryBytes, coverage }: KernelText, reducer: Reducer): PolynomialKernel {
  let program: ReturnType<typeof parse> | undefined;
  let reducing: ReturnType<typeof parse> | undefined;
  const reduced = (h: readonly Term[], s: readonly Term[]): Term[] => {
    reducing ??= parse(reducer.text.text);
    const run = new JavaScriptMachine(reducing, { memoryBytes: reducer.text.memoryBytes });
    run.write(reducer.accumulator, h);
    run.write(reducer.s, s);
    reducer.run(run);
    return run.readWords(reducer.tag, 4);
  };
  return {
    name,
    start(ranges = {}, { traced = false, instead = {} } = {}) {
      const doubles = new PolynomialDoubles({ traced });
      const options = { memoryBytes, ranges, instead, doubles, coverage };
      const run = new JavaScriptMachine((program ??= parse(text)), options);
      return {
        run,
        ring: doubles.ring,
        trace: doubles.trace ?? [],
        reductionOf(tag, s, untouched) {
          // The variables that stand for words of the accumulator, in the order in which they were stored.
          const stored = variablesOf(...tag).filter((word) => doubles.ring.isCut(word));
          const h = untouched ?? stored.sort((x, y) => x.id - y.id);
          if (h.length !== ACCUMULATOR_WORDS) throw new Failure(`the tag is computed from ${h.length} words beside s`);
          const again = reduced(h, s);
          require(again.every((word, i) => word === tag[i]), () =>
            `the last step of ${name} is not that of ${reducer.text.name}`);
          const inputs = reductionInputs();
          return { h, words: reduced(inputs.h, inputs.s) };
        },
      };
    },
  };
}
