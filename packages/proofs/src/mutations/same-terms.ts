/**
 * Whether two functions that differ in one instruction compute the same from any state: the statement that has the instruction is run
 * on terms, with a variable for each local and each load, and must leave the same terms, but where none is read any more, and make the
 * same stores. Where that isn't so, the statements after it are run as well. Memory has the module's data where it is: nothing writes there
 * (SOUNDNESS.md C3).
 */
import { Bases } from '../execute/bases.ts';
import { bits64 } from '../execute/bits64.ts';
import { laneOperations } from '../execute/lanes.ts';
import { longOperations } from '../execute/longs.ts';
import { Run, Stopped, type Operation, type Value } from '../execute/run.ts';
import { Vector } from '../execute/vector.ts';
import { wordOperations } from '../execute/words.ts';
import { constant, numberOf, variable, type Term } from '../terms/term.ts';
import { dataAt } from '../wasm/data.ts';
import type { DecodedFunction, DecodedModule, Instruction, InstructionWith, Opcode, ValueType } from '../wasm/types.ts';
import { liveLocals } from './live-locals.ts';

const OPERATIONS = new Map(
  Object.entries({ ...wordOperations, ...longOperations, ...laneOperations }) as [Opcode, Operation][],
);
const isStore = ({ op }: Instruction): boolean => op.includes('.store');
const isLoad = (step: Instruction): step is InstructionWith<'memory'> => step.op.includes('.load');
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

/** §4.4.10 (invocation of functions): locals are zero at first, but for parameters. */
function zero(type: ValueType): Value<Term> {
  const word = constant(32, 0);
  if (type === 'v128') return new Vector([word, word, word, word]);
  return type === 'i64' ? constant(64, 0n) : word;
}

/** The effect of some code. */
interface Effect {
  readonly locals: readonly Value<Term>[];
  readonly stack: readonly Value<Term>[];
  readonly stores: readonly unknown[];
}

/** The value that a load gives. `state` is the number of stores before it. */
function loaded(module: DecodedModule, step: InstructionWith<'memory'>, address: Term, state: number): Value<Term> {
  const known = numberOf(address);
  const data = step.op === 'v128.load' && known !== undefined && dataAt(module, known + step.offset, 16);
  if (data) return Vector.ofBytes(data);
  const { at: _, ...immediates } = step;
  return anything(`${JSON.stringify(immediates)} ${address.id} after ${state}`, typeOfLoad(step));
}

function effectOf(module: DecodedModule, { type, locals, code }: DecodedFunction, from: number, to: number): Effect {
  const run = new Run<Term>({
    integers64: bits64,
    follow: undefined,
    memoryBytes: 0,
    memorySecret: true,
    bases: new Bases(),
    assume: undefined,
  });
  const isNew = (i: number): boolean => from === 0 && i >= type.parameters.length;
  const now = locals.map((each, i) => (isNew(i) ? zero(each) : anything(`local ${i}`, each)));
  const stores: unknown[] = [];
  for (const step of code.slice(from, to)) {
    run.instruction = step;
    if (step.op === 'i32.const') run.push(constant(32, step.value));
    else if (step.op === 'i64.const') run.push(constant(64, step.value));
    else if (step.op === 'local.get') run.push(now[step.local]);
    else if (step.op === 'local.set') now[step.local] = run.stack.pop()!;
    else if (step.op === 'local.tee') now[step.local] = run.stack.at(-1)!;
    else if (isLoad(step)) run.push(loaded(module, step, run.word(), stores.length));
    else if (isStore(step)) {
      const { at: _, ...immediates } = step;
      stores.push(JSON.stringify(immediates), run.stack.pop(), run.stack.pop());
    } else OPERATIONS.get(step.op)!(run, step);
  }
  return { locals: now, stack: run.stack, stores };
}

const readsOf = (code: readonly Instruction[]): number[] =>
  code.flatMap((step) => (step.op === 'local.get' ? step.local : []));

/** The places of the stack, from the top, whose values a call never reads. */
function unreadArguments(step: Instruction, { functions }: DecodedModule): ReadonlySet<number> {
  if (step.op !== 'call') return new Set();
  const { type, code } = functions[step.callee];
  const read = new Set(readsOf(code));
  return new Set(type.parameters.flatMap((_, i) => (read.has(i) ? [] : type.parameters.length - 1 - i)));
}

const words = (value: unknown): readonly unknown[] => (value instanceof Vector ? value.words : [value]);
const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean => {
  const [x, y] = [a.flatMap(words), b.flatMap(words)];
  return x.length === y.length && x.every((value, i) => value === y[i]);
};

const isComputation = ({ op }: Instruction): boolean => OPERATIONS.has(op) || /^i\d+\.const$/.test(op);
const isHarmless = (step: Instruction): boolean => isComputation(step) || step.op.startsWith('local.');
const setsLocal = (step: Instruction): step is InstructionWith<'local'> =>
  step.op === 'local.set' || step.op === 'local.tee';

/** Whether both functions, which have the same code elsewhere, do the same if they have executed the instructions of a window. */
function agree(module: DecodedModule, f: DecodedFunction, g: DecodedFunction, from: number, to: number): boolean {
  const [a, b] = [f, g].map((each) => effectOf(module, each, from, to));
  if (a.stack.length !== b.stack.length || !areSame(a.stores, b.stores)) return false;
  const all = [f, g].flatMap(({ code }) => code.slice(from, to));
  const liveIf = (reads: readonly number[]): ReadonlySet<number> =>
    liveLocals(f.code, { from, to, reads: new Set(reads) }, isComputation)[to];
  // The locals that a window reads are live, unless it only sets locals that aren't: then its reads don't matter.
  const idle = liveIf([]);
  const isIdle =
    a.stack.length === 0 && all.every((step) => isHarmless(step) && !(setsLocal(step) && idle.has(step.local)));
  const live = isIdle ? idle : liveIf(readsOf(all));
  const unread = unreadArguments(f.code[to], module);
  const isRead = (_: unknown, i: number): boolean => !unread.has(a.stack.length - 1 - i);
  const isLive = (_: unknown, i: number): boolean => live.has(i);
  return (
    areSame(a.stack.filter(isRead), b.stack.filter(isRead)) && areSame(a.locals.filter(isLive), b.locals.filter(isLive))
  );
}

/** So many instructions of the statements that follow are run at most. */
const MOST_MORE = 48;

/** `index` is that of the one instruction that differs; the module is that of `f`. */
export function sameTerms(module: DecodedModule, f: DecodedFunction, g: DecodedFunction, index: number): boolean {
  const [step] = f.code.slice(index);
  if ([step, g.code[index]].some((each) => isOther(each) || isStore(each))) return false;
  const from = f.code.findLastIndex((each, i) => i < index && endsStatement(each)) + 1;
  const end = f.code.findIndex((each, i) => i > index && endsStatement(each));
  const control = f.code.findIndex((each, i) => i > index && isOther(each));
  const to = end === control ? end : end + 1;
  // A `local.set` ends its statement.
  const last = step.op === 'local.set' ? index + 1 : to;
  const isSame = (start: number, stop: number): boolean => {
    try {
      return agree(module, f, g, start, stop);
    } catch (error) {
      // A value that must be known, or an operand from before the statement.
      if (error instanceof Stopped || error instanceof TypeError) return false;
      throw error;
    }
  };
  if (isSame(from, last) || isSame(from, Math.min(control, last + MOST_MORE))) return true;
  // Locals are zero where the function begins, and some still are.
  return last <= MOST_MORE && !f.code.slice(0, index).some(isOther) && isSame(0, last);
}
