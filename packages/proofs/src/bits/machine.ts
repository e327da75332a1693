/**
 * Runs exported functions on bits: words are 32 of them, the lowest first, vectors four words, memory bytes. Addresses
 * and conditions are known. The machine has only the instructions of bit-sliced kernels; any other instruction is a
 * Failure.
 */
import { Failure } from '../claims/claim.ts';
import type { Coverage } from '../execute/coverage.ts';
import {
  exported,
  type DecodedFunction,
  type DecodedModule,
  type Instruction,
  type InstructionWith,
} from '../wasm/types.ts';
import type { Bits } from './domain.ts';

/** 32 bits, or 128. */
type Value<B> = readonly B[];

const WORD = 32;
const BYTE = 8;
const PAGE_BYTES = 65536;

export interface BitMachineOptions {
  /** Stand-ins for functions of these names, which are proved to do the same. */
  readonly instead?: Readonly<Record<string, () => void>>;
  /** The record in which executed code is marked. */
  readonly coverage?: Coverage | undefined;
}

export class BitMachine<B> {
  readonly #module: DecodedModule;
  readonly #bits: Bits<B>;
  readonly #memory: (readonly B[] | undefined)[];
  readonly #written = new Set<number>();
  #stack: Value<B>[] = [];
  readonly #instead: ReadonlyMap<string, () => void>;
  readonly #coverage: Coverage | undefined;

  constructor(module: DecodedModule, bits: Bits<B>, { instead = {}, coverage }: BitMachineOptions = {}) {
    this.#module = module;
    this.#bits = bits;
    this.#instead = new Map(Object.entries(instead));
    this.#coverage = coverage;
    this.#memory = new Array<readonly B[] | undefined>((module.memory?.minimum ?? 0) * PAGE_BYTES);
    for (const { offset, bytes } of module.data)
      bytes.forEach((byte, i) => (this.#memory[offset + i] = this.#constant(byte, BYTE)));
  }

  #constant(value: number, count: number): B[] {
    const { zero, one } = this.#bits;
    return Array.from({ length: count }, (_, i) => ((value >>> i) & 1 ? one : zero));
  }

  /** Writes bytes of eight bits. */
  write(address: number, bytes: readonly (readonly B[])[]): void {
    bytes.forEach((byte, i) => (this.#memory[address + i] = byte));
  }

  read(address: number, length: number): (readonly B[])[] {
    return Array.from({ length }, (_, i) => this.#byte(address + i));
  }

  /** The addresses that functions have written to, ascending. */
  written(): number[] {
    return [...this.#written].sort((x, y) => x - y);
  }

  call(name: string, ...parameters: readonly number[]): void {
    this.#stack = parameters.map((x) => this.#constant(x, WORD));
    this.#execute(exported(this.#module, name));
  }

  #byte(address: number): readonly B[] {
    const byte = this.#memory[address];
    if (!byte) throw new Failure(`a byte is read to which nothing was written, at ${address}`);
    return byte;
  }

  #pop(): Value<B> {
    return this.#stack.pop()!;
  }

  /** The number given by 32 bits, which must be constant. */
  #known(value: Value<B>): number {
    let number = 0;
    value.forEach((bit, i) => {
      const known = this.#bits.constantOf(bit);
      if (known === undefined) throw new Failure('an address, a condition or a count that is not known');
      number |= known << i;
    });
    return number;
  }

  #execute({ code, locals, name, type }: DecodedFunction): void {
    const instead = name === undefined ? undefined : this.#instead.get(name);
    if (instead) {
      instead();
      return;
    }
    const parameters = this.#stack.splice(this.#stack.length - type.parameters.length);
    const frame = locals.map((local, i) => parameters[i] ?? this.#constant(0, local === 'v128' ? 4 * WORD : WORD));
    for (let at = 0; at < code.length; at++) {
      const instruction = code[at];
      this.#coverage?.run(instruction.at);
      switch (instruction.op) {
        case 'local.get':
          this.#stack.push(frame[instruction.local]);
          break;
        case 'local.set':
          frame[instruction.local] = this.#pop();
          break;
        case 'local.tee':
          frame[instruction.local] = this.#stack[this.#stack.length - 1];
          break;
        case 'if':
          if (!this.#decides(instruction)) at = instruction.otherwise;
          break;
        case 'else':
          at = instruction.end;
          break;
        case 'br_if':
          if (!this.#decides(instruction)) break;
          if (instruction.opens < 0 || code[instruction.opens].op !== 'loop')
            throw new Failure('a branch that does not repeat a loop');
          at = instruction.opens;
          break;
        case 'loop':
        case 'end':
          break;
        case 'call':
          this.#execute(this.#module.functions[instruction.callee]);
          break;
        default:
          this.#operate(instruction);
      }
    }
  }

  #decides({ at }: Instruction): boolean {
    const condition = this.#known(this.#pop()) !== 0;
    this.#coverage?.went(at, condition);
    return condition;
  }

  #load(instruction: Instruction, bytes: number): void {
    const address = this.#known(this.#pop()) + (instruction as InstructionWith<'memory'>).offset;
    this.#stack.push(Array.from({ length: bytes }, (_, i) => this.#byte(address + i)).flat());
  }

  #store(instruction: Instruction): void {
    const value = this.#pop();
    const address = this.#known(this.#pop()) + (instruction as InstructionWith<'memory'>).offset;
    for (let i = 0; i < value.length / BYTE; i++) {
      this.#memory[address + i] = value.slice(BYTE * i, BYTE * (i + 1));
      this.#written.add(address + i);
    }
  }

  #each(combine: (x: B, y: B) => B): void {
    const y = this.#pop();
    this.#stack.push(this.#pop().map((x, i) => combine(x, y[i])));
  }

  /**
   * Bit i of each word becomes its bit i + count; if it `turns`, bits that are shifted out come in at the other end.
   */
  #moved(count: number, turns: boolean): void {
    const { zero } = this.#bits;
    const x = this.#pop();
    this.#stack.push(
      x.map((_, i) => {
        const from = (i % WORD) - count;
        const inside = from >= 0 && from < WORD;
        return inside || turns ? x[i - (i % WORD) + (from & (WORD - 1))] : zero;
      }),
    );
  }

  #numbers(combine: (x: number, y: number) => number): void {
    const y = this.#known(this.#pop());
    this.#stack.push(this.#constant(combine(this.#known(this.#pop()), y), WORD));
  }

  /**
   * x - y of words, where x is y times 2^8 and y has only the lowest bit of each byte: 255 times that, or each of these bits
   * in all bits of its byte.
   */
  #spread(): void {
    const y = this.#pop();
    const x = this.#pop();
    const { zero } = this.#bits;
    const fits = y.every(
      (bit, i) => (i % BYTE === 0 || bit === zero) && x[i] === (i % WORD < BYTE ? zero : y[i - BYTE]),
    );
    if (!fits) throw new Failure('a difference that is not 2^8 - 1 times lowest bits');
    this.#stack.push(y.map((_, i) => y[i - (i % BYTE)]));
  }

  #swizzled(): void {
    const indexes = this.#pop();
    const x = this.#pop();
    const { zero } = this.#bits;
    const result: B[] = [];
    for (let i = 0; i < indexes.length; i += BYTE) {
      const from = this.#known(indexes.slice(i, i + BYTE));
      if (from > 15) throw new Failure('an index that is no byte of the vector');
      for (let bit = 0; bit < BYTE; bit++) result.push(x[BYTE * from + bit] ?? zero);
    }
    this.#stack.push(result);
  }

  #operate(instruction: Instruction): void {
    const bits = this.#bits;
    const counted = (rotate: (count: number) => void): void => rotate(this.#known(this.#pop()) & (WORD - 1));
    switch (instruction.op) {
      case 'i32.const':
        this.#stack.push(this.#constant(instruction.value, WORD));
        return;
      case 'v128.const':
        this.#stack.push([...instruction.bytes].flatMap((b) => this.#constant(b, BYTE)));
        return;
      case 'i32.load':
        this.#load(instruction, 4);
        return;
      case 'v128.load':
        this.#load(instruction, 16);
        return;
      case 'i32.store':
      case 'v128.store':
        this.#store(instruction);
        return;
      case 'i32.xor':
      case 'v128.xor':
        this.#each((x, y) => bits.xor(x, y));
        return;
      case 'i32.and':
      case 'v128.and':
        this.#each((x, y) => bits.and(x, y));
        return;
      case 'i32.or':
        // The OR of two vectors that have no bit in common.
        this.#each((x, y) => this.#either(x, y));
        return;
      case 'i32.shl':
      case 'i32x4.shl':
        counted((count) => {
          this.#moved(count, false);
        });
        return;
      case 'i32.shr_u':
      case 'i32x4.shr_u':
        counted((count) => {
          this.#moved(-count, false);
        });
        return;
      case 'i32.rotl':
      case 'i32.rotr':
        counted((count) => {
          this.#moved(instruction.op === 'i32.rotl' ? count : -count, true);
        });
        return;
      case 'i8x16.swizzle':
      case 'i8x16.relaxed_swizzle':
        this.#swizzled();
        return;
      case 'i32x4.sub':
        this.#spread();
        return;
      case 'i32.add':
        this.#numbers((x, y) => (x + y) | 0);
        return;
      case 'i32.sub':
        this.#numbers((x, y) => (x - y) | 0);
        return;
      case 'i32.ne':
        this.#numbers((x, y) => Number(x !== y));
        return;
      case 'i32.le_u':
        this.#numbers((x, y) => Number(x >>> 0 <= y >>> 0));
        return;
      case 'i32.lt_u':
        this.#numbers((x, y) => Number(x >>> 0 < y >>> 0));
        return;
      default:
        throw new Failure(`${instruction.op} is nothing that bit slices need`);
    }
  }

  #either(x: B, y: B): B {
    const [a, b] = [this.#bits.constantOf(x), this.#bits.constantOf(y)];
    if (a === 0) return y;
    if (b === 0) return x;
    if (a === 1 || b === 1) return this.#bits.one;
    throw new Failure('| of bits of which none is known');
  }
}
