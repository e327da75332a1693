/**
 * Follows the public numbers of a module: the lengths, counts and flags that callers pass, and the numbers computed
 * from them. They may be added, subtracted, shifted and masked by constants, and be addresses, lengths and conditions.
 * Every other operation on them is recorded as a use, which check.ts compares with a list.
 */
import type { Kernel } from '../kernels.ts';
import { Analysis } from '../static/analysis.ts';
import type { Lattice } from '../static/lattice.ts';
import { ENTRIES } from '../wasm/opcodes.ts';
import { decode } from '../wasm/decode.ts';
import type { DecodedFunction, Instruction, Opcode } from '../wasm/types.ts';
import {
  allSpreads,
  CONDITION,
  CONSTANT,
  DATA,
  joined,
  masked,
  numberFrom,
  shiftedDown,
  shiftedUp,
  spreadsOf,
  zerosOf,
  type Spreads,
  type Value,
} from './value.ts';

export type UseKind =
  /** A comparison. Its result is a condition. */
  | 'compare'
  /** The result of a comparison is an operand. */
  | 'select'
  /** The other operand comes from memory. */
  | 'mix'
  | 'store'
  | 'subtract'
  | 'multiply'
  /** Any other operation. */
  | 'operate'
  /** A period becomes longer than its limit. */
  | 'period'
  /** An exported function returns the number. */
  | 'result';

export interface Use {
  readonly kind: UseKind;
  readonly op: Opcode;
  /** The offset of the instruction in the module. */
  readonly at: number;
  /** The name of the function. */
  readonly function: string;
  /** The other operand if it is a constant, or its place in memory if that is known, such as `STATE+48`. */
  readonly other: string;
  /** The names of the parameters that the number comes from, and `loop` for a counter of loop iterations; sorted. */
  readonly of: readonly string[];
}

/** The properties that numbers may have. */
export interface Limits {
  /** The longest period, as an exponent of 2, by the name of a parameter; 0 unless given. */
  readonly periods: Readonly<Record<string, number>>;
  /** Numbers that exceed a period and become sources of their own: the new name of each, by the name of the use. */
  readonly renamed: Readonly<Record<string, string>>;
}

/** For example `compare i32.le_u 512`. */
export const nameOfUse = ({ kind, op, other }: Pick<Use, 'kind' | 'op' | 'other'>): string =>
  [kind, op, other].filter(Boolean).join(' ');

/** The largest power of two, as an exponent, that numbers are multiplied by: more might shift bits out at the top. */
const MOST_STEP = 16;

/** The names of each exported function's parameters, divided by spaces. */
export type Parameters = Readonly<Record<string, string | undefined>>;

export type Flowing = Pick<Kernel, 'name' | 'bytes' | 'family' | 'map'>;

interface Operands {
  /**
   * `constant` is the operand that is a constant, on either side; `count` is the second operand, if it is a constant.
   */
  readonly constant: number | undefined;
  readonly count: number | undefined;
  readonly bothNumbers: boolean;
}

class Flow implements Lattice<Value> {
  readonly zero: Value = { constant: 0 };
  readonly join = joined;
  uses: Use[] = [];
  readonly #kernel: Flowing;
  readonly #parameters: Parameters;
  readonly #limits: Limits;

  constructor(kernel: Flowing, parameters: Parameters, limits: Limits) {
    this.#kernel = kernel;
    this.#parameters = parameters;
    this.#limits = limits;
  }

  parameter({ name }: DecodedFunction, i: number): Value {
    const names = this.#parameters[name!]?.split(' ') ?? [];
    return numberFrom(names[i] ?? `parameter ${i} of ${name}`);
  }

  use(kind: UseKind, { op, at }: Pick<Instruction, 'op' | 'at'>, f: DecodedFunction, number: Spreads, other = ''): Use {
    const use = { kind, op, at, function: f.name ?? `function ${f.index}`, other, of: namesOf(number) };
    this.uses.push(use);
    return use;
  }

  /** The name of an address in the memory map. */
  #place(address: number): string {
    const range = this.#kernel.map.find(({ from, to }) => from <= address && address < to);
    return range ? `${range.name}+${address - range.from}` : String(address);
  }

  compute(instruction: Instruction, operands: readonly Value[], f: DecodedFunction): readonly Value[] {
    const { op } = instruction;
    const { leaves } = ENTRIES.get(op)!;
    if (op === 'i32.const') return [{ constant: instruction.value }];
    if (op === 'if' || op === 'br_if') return [];
    const conditions = operands.filter(({ condition }) => condition);
    if (conditions.length) this.use('select', instruction, f, spreadsOf(operands));
    if ('offset' in instruction || op === 'memory.fill' || op === 'memory.copy')
      return this.#access(instruction, operands, f, leaves.length > 0);
    if (leaves.length === 0) return [];
    return [this.#operation(instruction, operands, f)];
  }

  /** A load, store, fill or copy, whose addresses and lengths may be public numbers. */
  #access(instruction: Instruction, operands: readonly Value[], f: DecodedFunction, loads: boolean): Value[] {
    const [{ constant: base }, value] = operands;
    const address = base === undefined || !('offset' in instruction) ? undefined : base + instruction.offset;
    if (loads) return [address === undefined ? DATA : { ...DATA, word: address }];
    if (instruction.op !== 'memory.copy' && value.number)
      this.use('store', instruction, f, value.number, address === undefined ? '' : this.#place(address));
    return [];
  }

  #operation(instruction: Instruction, operands: readonly Value[], f: DecodedFunction): Value {
    const { op } = instruction;
    const number = spreadsOf(operands);
    const data = operands.find((operand) => operand.data);
    if (!operands.some((operand) => operand.number)) {
      if (data) return DATA;
      // A result chosen between two constants by a number is a number, and this instruction might make such a choice.
      return op.startsWith('i32.') && operands.length > 0 ? { number } : CONSTANT;
    }
    if (data) {
      this.use('mix', instruction, f, number, data.word === undefined ? '' : this.#place(data.word));
      return DATA;
    }
    const [x, y] = operands;
    const constant = y?.constant ?? x.constant;
    const name = op.slice(op.indexOf('.') + 1);
    if (/^(eqz|eq|ne|[lg][te]_u)$/.test(name)) {
      this.use('compare', instruction, f, number, name === 'eqz' ? '0' : shown(constant));
      return CONDITION;
    }
    const bothNumbers = operands.every((operand) => operand.number);
    const made = this.#made(name, instruction, f, number, { constant, count: y?.constant, bothNumbers });
    return { number: this.#within(made, instruction, f, shown(constant)) };
  }

  /** The result of an operation on two numbers, or on a number and a constant. */
  #made(
    name: string,
    instruction: Instruction,
    f: DecodedFunction,
    number: Spreads,
    { constant, count, bothNumbers }: Operands,
  ): Spreads {
    if (name === 'splat' || name === 'extend_i32_u') return number;
    const ofWords = instruction.op.startsWith('i32.');
    // Constants of 64 bits and of vectors are not tracked.
    if ((name === 'add' || name === 'sub') && (ofWords || bothNumbers)) {
      // An added constant is an address or a size; a subtracted constant might be a length in a comparison.
      const taken = name === 'sub' ? count : constant === undefined ? undefined : -constant;
      if (taken !== undefined && taken > 0) this.use('subtract', instruction, f, number, shown(taken));
      else if (name === 'sub' && constant !== undefined)
        this.use('subtract', instruction, f, number, `from ${constant}`);
      return number;
    }
    if (name === 'and' && constant !== undefined) return masked(number, constant);
    if (name === 'shl' && count !== undefined) return shiftedUp(number, count & 31);
    if (name === 'shr_u' && count !== undefined) return shiftedDown(number, count & 31);
    this.use(name === 'mul' ? 'multiply' : 'operate', instruction, f, number, shown(constant));
    return name === 'mul' && constant !== undefined ? shiftedUp(number, zerosOf(constant)) : number;
  }

  /** The number with its periods held to their limits; a number that exceeds a limit is recorded once. */
  #within(number: Spreads, instruction: Instruction, f: DecodedFunction, other: string): Spreads {
    const isFine = (source: string, { period, step }: { period: number; step: number }): boolean =>
      period <= (this.#limits.periods[nameOfSource(source)] ?? 0) && (step <= MOST_STEP || step === Infinity);
    const long = new Map([...number].filter(([source, spread]) => !isFine(source, spread)));
    if (long.size === 0) return number;
    const renamed = this.#limits.renamed[nameOfUse(this.use('period', instruction, f, long, other))];
    const fine = new Map([...number].filter(([source]) => !long.has(source)));
    return renamed === undefined ? fine : allSpreads(fine, numberFrom(renamed).number!);
  }
}

const shown = (constant: number | undefined): string => (constant === undefined ? '' : String(constant));
/** Each loop is a source of its own, but all loops share one name. */
const nameOfSource = (source: string): string => (source.startsWith('loop ') ? 'loop' : source);
const namesOf = (number: Spreads): string[] => [...new Set([...number.keys()].map(nameOfSource))].sort();

/** All uses of a module. */
export function usesOf(kernel: Flowing, parameters: Parameters, limits: Limits): Use[] {
  const module = decode(kernel.bytes);
  const flow = new Flow(kernel, parameters, limits);
  const { results } = new Analysis(module, flow).run(() => {
    flow.uses = [];
  });
  for (const f of module.functions) {
    const [result] = f.name === undefined ? [] : (results[f.index] ?? []);
    if (result && (result.number || result.condition))
      flow.use('result', { op: 'return', at: f.at }, f, result.number ?? new Map());
  }
  return flow.uses;
}
