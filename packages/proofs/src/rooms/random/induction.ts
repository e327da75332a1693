/**
 * ChaCha8Rand by induction, as in rooms/keystream/induction.ts: an iteration from any key, at any place, with any number of
 * iterations before and after it.
 */
import { SIGMA } from '../../../../lanewise/src/keystream/core.ts';
import { BLOCKS_BYTES, KEY, KEY_BYTES, OUTPUT_BYTES, STAGE, STATE } from '../../../../lanewise/src/random/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine, type Cut } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { add, less, sub, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { NOTHING, outerLoop, unknown, inductionClaim, word } from '../keystream/induction.ts';
import { iteration } from './specification.ts';

const SET_BYTES = 256;
/** Where the run has the bytes whose addresses count from the iteration's place. */
const HOME = 8192;

function proveIteration(kernel: Kernel): void {
  const what = 'an iteration';
  const module = decode(kernel.bytes);
  const { index } = exported(module, 'generate');
  const base: Base = { name: 'output', home: HOME, length: STAGE + BLOCKS_BYTES };
  const [address, left] = [baseTerm(base), unknown('iterations')];
  const rest = sub(left, word(1));
  let at = -1;
  const cut: Cut<Term> = {
    at: outerLoop(module, index),
    enter(locals, changed) {
      require(locals[0] === left, () => `${what}: the loop starts with another number`);
      at = placeOf(kernel, index);
      require(locals[at] === word(0), () => `${what}: the loop starts at another place`);
      for (const local of changed) if (local !== 0) locals[local] = NOTHING;
      locals[at] = address;
    },
    again(condition, locals) {
      const next = locals[0] === rest && locals[at] === add(address, word(OUTPUT_BYTES));
      require(condition === rest && next, () => `${what}: the next one is another one`);
      return false;
    },
  };
  // Sums of addresses in a memory of 64 KiB do not wrap around: the first three sets are before the end, the fourth is the last.
  const end = add(address, word(BLOCKS_BYTES));
  const assume = new Map([1, 2, 3].map((set): [Term, number] => [less(add(address, word(SET_BYTES * set)), end), 1]));
  const output = range(HOME + STAGE, BLOCKS_BYTES);
  const ranges = { reads: [range(KEY, KEY_BYTES)], writes: [range(STATE, 64), output] };
  const run = new Machine<Term>(module, { ranges, bases: [base], cut, assume, mostSteps: kernel.mostSteps });
  const key = secrets('key', KEY_BYTES);
  run.write(KEY, key);
  run.call('generate', left);
  counted('iterations', 1);
  expectNoEvents(run, what);
  const made = iteration(symbols, wordsOf(symbols, key));
  const next = bytesOf(symbols, made.next);
  expectBytes(run, output.from, [...made.output, ...next], `${what}: output`);
  const rows = (words: readonly number[]): Term[] =>
    bytesOf(
      symbols,
      words.map((one) => symbols.word(one)),
    );
  expectBytes(run, STATE, [...rows(SIGMA), ...next, ...rows([0, 0, 0, 0])], `${what}: the next state`);
}

/** The local that is set to zero just before the loop. */
function placeOf(kernel: Kernel, index: number): number {
  const { code } = decode(kernel.bytes).functions[index];
  const before = code[code.findIndex(({ op }) => op === 'loop') - 1];
  require(before.op === 'local.set', () => 'no variable is set before the loop');
  return before.op === 'local.set' ? before.local : -1;
}

export const randomInduction = (kernel: Kernel): Claim[] => [
  inductionClaim(kernel, 'generate, any number of iterations, every key', () => {
    proveIteration(kernel);
  }),
];
