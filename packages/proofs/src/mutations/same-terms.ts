/**
 * Whether two functions that differ in one instruction compute the same from any state: the statement that has the instruction is run
 * on terms, with a variable for each local and each load, and must leave the same terms and make the same stores.
 */
import { Bases } from '../execute/bases.ts';
import { bits64 } from '../execute/bits64.ts';
import { laneOperations } from '../execute/lanes.ts';
import { longOperations } from '../execute/longs.ts';
import { Run, Stopped, type Operation, type Value } from '../execute/run.ts';
import { Vector } from '../execute/vector.ts';
import { wordOperations } from '../execute/words.ts';
import { constant, variable, type Term } from '../terms/term.ts';
import type { DecodedFunction, Instruction, Opcode, ValueType } from '../wasm/types.ts';

const OPERATIONS = new Map(
  Object.entries({ ...wordOperations, ...longOperations, ...laneOperations }) as [Opcode, Operation][],
);
const isStore = ({ op }: Instruction): boolean => op.includes('.store');
const isLoad = ({ op }: Instruction): boolean => op.includes('.load');
/** Instructions after which a statement begins. */
const endsStatement = (step: Instruction): boolean => step.op === 'local.set' || isStore(step) || isOther(step);
/** All but computations, loads, and locals: a statement ends before them, too. */
const isOther = (step: Instruction): boolean =>
  !OPERATIONS.has(step.op) && !isLoad(step) && !isStore(step) && !/^(?:local\.|i\d+\.const)/.test(step.op);

/** Any value, by a name that both runs use. */
function anything(name: string, type: ValueType): Value<Term> {
  const word = (i: number): Term => variable(32, `same ${name} ${i}`, true);
  if (type === 'v128') return new Vector([0, 1, 2, 3].map(word));
  return type === 'i64' ? variable(64, `same ${name} of 64 bits`, true) : word(0);
}

const typeOfLoad = ({ op }: Instruction): ValueType => op.slice(0, op.indexOf('.')) as ValueType;

/** A statement's effect: the values of locals and of the stack after it, and its stores. */
type Effect = readonly unknown[];

function effectOf({ locals, code }: DecodedFunction, from: number, to: number): Effect {
  const run = new Run<Term>({
    integers64: bits64,
    follow: undefined,
    memoryBytes: 0,
    memorySecret: true,
    bases: new Bases(),
    assume: undefined,
  });
  const now = locals.map((type, i) => anything(`local ${i}`, type));
  const stores: unknown[] = [];
  for (const step of code.slice(from, to)) {
    run.instruction = step;
    if (step.op === 'i32.const') run.push(constant(32, step.value));
    else if (step.op === 'i64.const') run.push(constant(64, step.value));
    else if (step.op === 'local.get') run.push(now[step.local]);
    else if (step.op === 'local.set') now[step.local] = run.stack.pop()!;
    else if (step.op === 'local.tee') now[step.local] = run.stack.at(-1)!;
    else if (isLoad(step)) {
      const { at: _, ...immediates } = step;
      run.push(anything(`${JSON.stringify(immediates)} ${run.word().id} after ${stores.length}`, typeOfLoad(step)));
    } else if (isStore(step)) {
      const { at: _, ...immediates } = step;
      stores.push(JSON.stringify(immediates), run.stack.pop(), run.stack.pop());
    } else OPERATIONS.get(step.op)!(run, step);
  }
  const flat = (value: unknown): unknown => (value instanceof Vector ? value.words : value);
  return [...now, ...run.stack, run.stack.length, ...stores].map(flat).flat();
}

/** `index` is that of the one instruction that differs. */
export function sameTerms(f: DecodedFunction, g: DecodedFunction, index: number): boolean {
  if ([f, g].some(({ code }) => isOther(code[index]) || isStore(code[index]))) return false;
  const from = f.code.findLastIndex((step, i) => i < index && endsStatement(step)) + 1;
  const end = f.code.findIndex((step, i) => i > index && endsStatement(step));
  const to = isOther(f.code[end]) ? end : end + 1;
  try {
    const [before, after] = [f, g].map((each) => effectOf(each, from, to));
    return before.length === after.length && before.every((value, i) => value === after[i]);
  } catch (error) {
    // A value that must be known, or an operand from before the statement.
    if (error instanceof Stopped || error instanceof TypeError) return false;
    throw error;
  }
}
