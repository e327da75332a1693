/**
 * Runs a decoded module on terms: every value is a term, memory is bytes of terms, control flow and addresses are
 * constants. Every forbidden action of a kernel is recorded as an event.
 *
 *     const machine = new Machine(decode(bytes), { ranges: { reads: [{ from: 64, to: 128 }], writes: [...] } });
 *     machine.write(1000, bytes);            // terms of 8 or 32 bits, one after the other
 *     machine.call('xor', 1, 10, 2880, 4);   // numbers, bigints (i64) or terms
 *     machine.read(2880, 256);               // terms of 8 bits; readWords gives terms of 32
 *     machine.events
 *
 * A byte that was not written yet is a variable of its own, `memory[address]`: the earlier, arbitrary content. The
 * module's data are there from the start.
 *
 * A branch, address, length, select, division or index of a swizzle that is not constant is a leak if it depends on a
 * secret, and in any case the run cannot go on: `call` throws a Stopped. With `follow`, an assignment of values to the
 * variables, the run takes the way of these values and records the leaks. A shift count that depends on a secret is a
 * leak, but the run goes on.
 */
import type { Instead, Runnable } from '../claims/runnable.ts';
import * as terms from '../terms/term.ts';
import type { Assignment, Term } from '../terms/term.ts';
import { exported, type DecodedFunction, type DecodedModule, type Instruction, type Opcode } from '../wasm/types.ts';
import { accessOperations } from './accesses.ts';
import { Bases, type Base } from './bases.ts';
import { bits64 } from './bits64.ts';
import type { Coverage } from './coverage.ts';
import type { Integers64 } from './domain.ts';
import { laneOperations } from './lanes.ts';
import { longOperations } from './longs.ts';
import { Run, type Event, type Operation, type Ranges, type Value } from './run.ts';
import { Vector } from './vector.ts';
import { wordOperations } from './words.ts';

export { Stopped, type Event, type Range, type Ranges } from './run.ts';

const PAGE_BYTES = 65536;

/**
 * A loop that is run once, for an induction: `enter` gets the locals when the loop is reached, and may give those that the loop
 * changes other values; `again` gets them where the loop would be repeated, and says whether it is. After it the run goes on.
 */
export interface Cut<V> {
  /** The offset of the instruction `loop`. */
  readonly at: number;
  enter(locals: Value<V>[], changed: readonly number[]): void;
  again(condition: Term, locals: readonly Value<V>[]): boolean;
}

export interface MachineOptions<V> {
  readonly cut?: Cut<V> | readonly Cut<V>[] | undefined;
  /** The values of conditions, by the case that a claim is about. */
  readonly assume?: ReadonlyMap<Term, number> | undefined;
  /** The domain of i64; terms of 64 bits unless given. */
  readonly integers64?: Integers64<V>;
  readonly ranges?: Ranges;
  readonly instead?: Instead;
  /** Stand-ins for calls, by functions' indexes. They get the parameters as they are, and those of `instead` get numbers. */
  readonly calls?: ReadonlyMap<number, (parameters: readonly Value<V>[]) => void>;
  readonly follow?: Assignment;
  /** Whether the earlier content of memory is labelled secret; public unless given. */
  readonly memorySecret?: boolean;
  /** Parameters that are unknown addresses: bases.ts. */
  readonly bases?: readonly Base[];
  /** The number of instructions after which a run is Stopped; 100 million unless given. */
  readonly mostSteps?: number;
  /** The record in which executed code is marked. */
  readonly coverage?: Coverage | undefined;
}

/** Set by runs that judge damaged kernels, whose terms may grow without end: whether a run has had all the time and memory that it gets. */
export const patience: { isOver?: () => boolean } = {};
/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 256;

/** Comparisons of two words, whose operands coverage records as unsigned. */
const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'ne', 'lt_u', 'gt_u', 'le_u', 'ge_u'].map((op) => `i32.${op}`));

/** Instructions that neither branch nor touch locals. */
const OPERATIONS: ReadonlyMap<Opcode, Operation> = new Map(
  Object.entries({
    ...wordOperations,
    ...longOperations,
    ...laneOperations,
    ...accessOperations,
  }) as [Opcode, Operation][],
);

type Locals<V> = Value<V>[];

/** The locals that a loop changes. */
function changedIn(code: readonly Instruction[], loop: number): number[] {
  const changed = new Set<number>();
  for (let i = loop + 1; ; i++) {
    const step = code[i];
    if (step.op === 'end' && step.opens === loop) return [...changed].sort((x, y) => x - y);
    if (step.op === 'local.set' || step.op === 'local.tee') changed.add(step.local);
  }
}

export class Machine<V = Term> {
  readonly #module: DecodedModule;
  readonly #run: Run<V>;
  readonly #mostSteps: number;
  readonly #coverage: Coverage | undefined;
  /** By the offsets of their loops. */
  readonly #cuts: ReadonlyMap<number, Cut<V>>;
  #ranges: Ranges;
  readonly #instead: ReadonlyMap<string, Instead[string]>;
  readonly #calls: NonNullable<MachineOptions<V>['calls']>;
  #steps = 0;

  constructor(module: DecodedModule, options: MachineOptions<V> = {}) {
    this.#module = module;
    this.#mostSteps = options.mostSteps ?? 100e6;
    this.#coverage = options.coverage;
    this.#cuts = new Map([options.cut ?? []].flat().map((cut) => [cut.at, cut]));
    this.#run = new Run<V>({
      // If no domain is given, V is Term: the type parameter's default, and the only type that fits.
      integers64: options.integers64 ?? (bits64 as unknown as Integers64<V>),
      follow: options.follow,
      memoryBytes: (module.memory?.minimum ?? 0) * PAGE_BYTES,
      memorySecret: options.memorySecret ?? false,
      bases: new Bases(options.bases),
      assume: options.assume,
    });
    this.#ranges = options.ranges ?? {};
    this.#instead = new Map(Object.entries(options.instead ?? {}));
    this.#calls = options.calls ?? new Map();
    this.#run.bound(this.#ranges);
    for (const { offset, bytes } of module.data) this.#run.memory.setBytes(offset, bytes);
  }

  get events(): readonly Event[] {
    return this.#run.events;
  }

  /** The number of executed instructions. */
  get steps(): number {
    return this.#steps;
  }

  /** The bounds within which later calls may read and write. */
  get ranges(): Ranges {
    return this.#ranges;
  }

  set ranges(ranges: Ranges) {
    this.#ranges = ranges;
    this.#run.bound(ranges);
  }

  #require(address: number, length: number): void {
    const { size } = this.#run.memory;
    if (address < 0 || address + length > size)
      // A wrong address is the caller's mistake, unless a replacement for a function got the address from the module.
      throw this.#instead.size > 0
        ? this.#run.stopped('trap', `${length} bytes at ${address} are not in memory`)
        : new Error(`${length} bytes at ${address} are not in memory`);
  }

  /** Writes terms of 8 or 32 bits one after the other, whatever the ranges. */
  write(address: number, values: readonly Term[]): void {
    const { memory } = this.#run;
    let at = address;
    for (const value of values) {
      this.#require(at, value.width / 8);
      if (value.width === 8) memory.setByte(at, value);
      else if (value.width === 32) memory.setWord(at, value);
      else throw new Error('only terms of 8 and 32 bits can be written');
      at += value.width / 8;
    }
  }

  /** Reads bytes, as terms of 8 bits. */
  read(address: number, length: number): Term[] {
    this.#require(address, length);
    return Array.from({ length }, (_, i) => this.#run.memory.byte(address + i));
  }

  /** Reads words, as terms of 32 bits. */
  readWords(address: number, count: number): Term[] {
    this.#require(address, 4 * count);
    return Array.from({ length: count }, (_, i) => this.#run.memory.word(address + 4 * i));
  }

  /** The addresses that instructions have written to so far, ascending. */
  written(): number[] {
    return this.#run.written();
  }

  /** The addresses of bytes that now depend on a secret, ascending. */
  secretBytes(): number[] {
    return this.#run.memory.secretAddresses();
  }

  /** Runs an exported function and returns its result, if it has one: a term for i32, a value of the domain for i64. */
  call(name: string, ...parameters: readonly (number | bigint | Term | V)[]): Term | V | undefined {
    return this.callFunction(exported(this.#module, name), ...parameters);
  }

  /** Runs any function of the module. */
  callFunction(callee: DecodedFunction, ...parameters: readonly (number | bigint | Term | V)[]): Term | V | undefined {
    if (callee.type.parameters.length !== parameters.length) throw new Error(`${callee.name} has other parameters`);
    const { stack } = this.#run;
    stack.length = 0;
    for (const parameter of parameters) {
      if (typeof parameter === 'number') stack.push(terms.constant(32, parameter));
      else if (typeof parameter === 'bigint') stack.push(this.#run.integers64.constant(BigInt.asUintN(64, parameter)));
      else stack.push(parameter);
    }
    this.#execute(callee);
    const result = stack.pop();
    if (result instanceof Vector) throw new Error('a result of type v128 cannot be given back');
    return result;
  }

  /** Runs a function: takes its parameters from the stack and leaves its results there. */
  #execute(callee: DecodedFunction): void {
    const run = this.#run;
    const caller = run.function;
    run.function = callee.index;
    const first = run.stack.length - callee.type.parameters.length;
    const parameters = run.stack.splice(first);
    const instead = callee.name === undefined ? undefined : this.#instead.get(callee.name);
    if (instead) {
      instead(this as unknown as Runnable, ...parameters.map((x) => run.decide(x as Term, 'address')));
      run.function = caller;
      return;
    }
    const call = this.#calls.get(callee.index);
    if (call) {
      call(parameters);
      run.function = caller;
      return;
    }
    const locals = this.#locals(callee, parameters);
    // The height of the stack at the start of each open block.
    const heights: number[] = [];
    const { code } = callee;
    for (let at = 0; at < code.length; at++) {
      const instruction = code[at];
      run.instruction = instruction;
      if (this.#coverage) this.#mark(this.#coverage, instruction);
      if (++this.#steps > this.#mostSteps) throw run.stopped('limit', 'too many steps');
      if (patience.isOver && this.#steps % STEPS_PER_LOOK === 0 && patience.isOver())
        throw run.stopped('limit', 'too much time or memory');
      const operation = OPERATIONS.get(instruction.op);
      if (operation) operation(run, instruction);
      else at = this.#control(instruction, at, code, locals, heights);
    }
    const { results } = callee.type;
    run.stack.splice(first, run.stack.length - first - results.length);
    run.function = caller;
  }

  #locals({ locals }: DecodedFunction, parameters: readonly Value<V>[]): Locals<V> {
    const zero = terms.constant(32, 0);
    return locals.map((type, i) => {
      if (i < parameters.length) return parameters[i];
      if (type === 'i64') return this.#run.integers64.constant(0n);
      return type === 'v128' ? Vector.splat(zero) : zero;
    });
  }

  /** Structured control and locals. Returns the index before that of the next instruction. §4.6.8 */
  #control(
    instruction: Instruction,
    at: number,
    code: readonly Instruction[],
    locals: Locals<V>,
    heights: number[],
  ): number {
    const run = this.#run;
    const { stack } = run;
    switch (instruction.op) {
      case 'local.get':
        stack.push(locals[instruction.local]);
        return at;
      case 'local.set':
        locals[instruction.local] = stack.pop()!;
        return at;
      case 'local.tee':
        locals[instruction.local] = stack[stack.length - 1];
        return at;
      case 'i32.const':
        stack.push(terms.constant(32, instruction.value));
        return at;
      case 'i64.const':
        stack.push(run.integers64.constant(BigInt.asUintN(64, instruction.value)));
        return at;
      case 'loop':
        this.#cuts.get(instruction.at)?.enter(locals, changedIn(code, at));
        heights[at] = stack.length;
        return at;
      case 'block':
        heights[at] = stack.length;
        return at;
      case 'if': {
        const condition = this.#decides(instruction);
        heights[at] = stack.length;
        return condition ? at : instruction.otherwise;
      }
      case 'else':
        return instruction.end;
      case 'end':
        return at;
      case 'br_if': {
        const cut = this.#cutAt(code, instruction.opens);
        const again = cut ? cut.again(run.word(), locals) : this.#decides(instruction);
        return again ? this.#branch(instruction.opens, code, heights) : at;
      }
      case 'br':
        return this.#branch(instruction.opens, code, heights);
      case 'return':
        return code.length;
      case 'call':
        this.#execute(this.#module.functions[instruction.callee]);
        return at;
      case 'drop':
        stack.pop();
        return at;
      case 'select': {
        const condition = run.decide(run.word(), 'select');
        const otherwise = stack.pop()!;
        if (!condition) stack[stack.length - 1] = otherwise;
        return at;
      }
      case 'unreachable':
        throw run.stopped('trap', 'a place that must not be reached');
      default:
        throw run.stopped('unsupported', 'an instruction that the machine does not run');
    }
  }

  #cutAt(code: readonly Instruction[], opens: number): Cut<V> | undefined {
    return opens < 0 ? undefined : this.#cuts.get(code[opens].at);
  }

  #mark(coverage: Coverage, { op, at }: Instruction): void {
    coverage.run(at);
    if (!COMPARISONS.has(op)) return;
    const { stack } = this.#run;
    const [x, y] = [stack[stack.length - 2], stack[stack.length - 1]].map((term) => terms.numberOf(term as Term));
    if (x !== undefined && y !== undefined) coverage.compared(at, x, y);
  }

  #decides({ at }: Instruction): boolean {
    const condition = this.#run.decide(this.#run.word(), 'branch') !== 0;
    this.#coverage?.went(at, condition);
    return condition;
  }

  /**
   * Branches to a block's end, to a loop's start, or out of the function, and drops the values that the block left on
   * the stack.
   */
  #branch(opens: number, code: readonly Instruction[], heights: readonly number[]): number {
    if (opens < 0) return code.length;
    const target = code[opens];
    this.#run.stack.length = heights[opens];
    if (target.op === 'loop') return opens;
    return target.op === 'block' || target.op === 'if' ? target.end : code.length;
  }
}
