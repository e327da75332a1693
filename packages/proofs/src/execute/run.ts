/**
 * The state that instructions work on: the stack, memory with its bounds, the domain of i64, and the record of forbidden
 * actions. Instructions are functions of a run; machine.ts makes it and moves through the code.
 */
import { evaluate, numberOf, Term, type Assignment } from '../terms/term.ts';
import type { Instruction } from '../wasm/types.ts';
import { isInside, type Bases } from './bases.ts';
import type { Integers64 } from './domain.ts';
import { Memory } from './memory.ts';
import { Vector } from './vector.ts';

/** The addresses from `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The bounds of reads and writes; without `reads` or `writes`, all of memory is allowed. */
export interface Ranges {
  /** Where bytes may be read that neither `write`, nor the module's data, nor an instruction has written. */
  readonly reads?: readonly Range[];
  /** Where instructions may write. */
  readonly writes?: readonly Range[];
}

export interface Event {
  readonly kind: 'leak' | 'over-read' | 'stray-write';
  /** The kind of leak, or the address: for messages. */
  readonly what: string;
  /** The name of the instruction, and its byte offset in the module. */
  readonly op: string;
  readonly at: number;
  /** The index of the function. */
  readonly function: number;
}

/**
 * Thrown when the run cannot go on: it traps, leaks, or meets a value or instruction that the machine cannot handle.
 */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly reason: 'trap' | 'leak' | 'unknown' | 'unsupported' | 'limit';
  readonly at: number;

  constructor(reason: Stopped['reason'], what: string, { op, at }: { readonly op: string; readonly at: number }) {
    super(`${what}, in ${op} at offset ${at}`);
    this.reason = reason;
    this.at = at;
  }
}

/** The uses of a value that require it to be a constant. */
export type Decision =
  'branch' | 'address' | 'length' | 'select' | 'division' | 'swizzle index' | 'shift count' | 'size of memory';

export type Value<V> = Term | Vector | V;

export interface RunOptions<V> {
  readonly integers64: Integers64<V>;
  readonly follow: Assignment | undefined;
  readonly memoryBytes: number;
  readonly memorySecret: boolean;
  readonly bases: Bases;
  /** The values of conditions, by assumption. */
  readonly assume: ReadonlyMap<Term, number> | undefined;
}

export class Run<V> {
  readonly stack: Value<V>[] = [];
  readonly memory: Memory;
  readonly integers64: Integers64<V>;
  readonly events: Event[] = [];
  /** The instruction being run, and its function. */
  instruction: Instruction = { op: 'end', at: 0, opens: -1 };
  function = -1;
  readonly #follow: Assignment | undefined;
  readonly #bases: Bases;
  readonly #assume: ReadonlyMap<Term, number> | undefined;
  /** 1 at each address that instructions wrote to. */
  readonly #written: Uint8Array;
  /** 1 at each address that may be read, or written; `undefined` if all may. */
  #reads: Uint8Array | undefined;
  #writes: Uint8Array | undefined;

  constructor({ integers64, follow, memoryBytes, memorySecret, bases, assume }: RunOptions<V>) {
    this.#assume = assume;
    this.integers64 = integers64;
    this.#follow = follow;
    this.#bases = bases;
    this.memory = new Memory(memoryBytes, memorySecret);
    this.#written = new Uint8Array(memoryBytes);
  }

  bound({ reads, writes }: Ranges): void {
    const marked = (ranges: readonly Range[] | undefined): Uint8Array | undefined => {
      if (!ranges) return undefined;
      const marks = new Uint8Array(this.memory.size);
      for (const { from, to } of ranges) marks.fill(1, from, to);
      return marks;
    };
    this.#reads = marked(reads);
    this.#writes = marked(writes);
  }

  push(value: Value<V>): void {
    this.stack.push(value);
  }

  word(): Term {
    const value = this.stack.pop();
    if (value instanceof Term && value.width === 32) return value;
    throw this.stopped('unsupported', 'an operand that is no i32');
  }

  vector(): Vector {
    const value = this.stack.pop();
    if (value instanceof Vector) return value;
    throw this.stopped('unsupported', 'an operand that is no v128');
  }

  /** Pops an i64. Validation has made sure of the type; the values of a domain do not carry it. */
  long(): V {
    return this.stack.pop() as V;
  }

  stopped(reason: Stopped['reason'], what: string): Stopped {
    return new Stopped(reason, what, this.instruction);
  }

  record(kind: Event['kind'], what: string): void {
    const { op, at } = this.instruction;
    this.events.push({ kind, what, op, at, function: this.function });
  }

  /** The number that a decision depends on. It must be a constant, or there must be an assignment to follow. */
  decide(term: Term, decision: Decision): number {
    const number = numberOf(term);
    if (number !== undefined) return number;
    const assumed = this.#assume?.get(term);
    if (assumed !== undefined && !term.secret) return assumed;
    if (term.secret) this.record('leak', decision);
    if (this.#follow) return Number(evaluate(term, this.#follow));
    throw term.secret
      ? this.stopped('leak', `a ${decision} that depends on a secret`)
      : this.stopped('unknown', `a ${decision} that is not constant`);
  }

  /** Checks the count of a shift, which may be any term that does not depend on a secret. */
  shiftCount(secret: boolean): void {
    if (secret) this.record('leak', 'shift count' satisfies Decision);
  }

  /** The address of an access to `length` bytes; all of them are checked to be in memory. */
  address(base: Term, offset: number, length: number): number {
    const place = numberOf(base) === undefined ? this.#bases.placeOf(base) : undefined;
    if (place) {
      const { address, base: own } = place;
      const at = { address: address + offset, base: own };
      if (isInside(at, length)) return at.address;
      throw this.stopped(
        'trap',
        `${length} bytes at ${at.address - own.home} from ${own.name} on, which has ${own.length}`,
      );
    }
    const address = this.#inside(this.decide(base, 'address') + offset, length);
    if (this.#bases.meets(address, length)) throw this.stopped('trap', `${address} is where something else may lie`);
    return address;
  }

  #inside(address: number, length: number): number {
    if (address + length > this.memory.size)
      throw this.stopped('trap', `${length} bytes at ${address} are not in memory`);
    return address;
  }

  /** Checks a read of `length` bytes against the bounds. */
  reading(address: number, length: number): void {
    this.#inside(address, length);
    if (!this.#reads) return;
    for (let i = address; i < address + length; i++) {
      if (this.#reads[i] !== 0 || this.memory.holds(i)) continue;
      this.record('over-read', `address ${i}`);
      return;
    }
  }

  /** Checks a write of `length` bytes against the bounds. */
  writing(address: number, length: number): void {
    this.#inside(address, length);
    this.#written.fill(1, address, address + length);
    const stray = this.#writes?.subarray(address, address + length).indexOf(0) ?? -1;
    if (stray >= 0) this.record('stray-write', `address ${address + stray}`);
  }

  written(): number[] {
    return [...this.#written.keys()].filter((address) => this.#written[address] === 1);
  }
}

/** The effect of an instruction on a run. */
export type Operation = <V>(run: Run<V>, instruction: Instruction) => void;
