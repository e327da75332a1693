// Follows secrets without computing their values: a run in which a value is a known number, or unknown and public, or
// secret. This run is less precise than terms (a secret XORed with itself stays secret), but a hundred times faster: it
// follows the longest messages that fit the memory.
import type { Range, Ranges } from '../execute/machine.ts';
import { exported, type DecodedFunction, type DecodedModule, type Instruction } from '../wasm/types.ts';
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import { counted } from './amounts.ts';
import { Failure } from './claim.ts';
import { Kind, stepsOf, type Step } from './flow-steps.ts';
import type { FlowRunnable } from './runnable.ts';

/** A number is known (as i32); `true` is secret; `false` is public and unknown. */
type Value = number | boolean;

/** Five times the steps of the longest message: a damaged kernel that runs longer may never end. */
const MOST_STEPS = 20e6;

// The marks of a byte of memory.
const SECRET = 1;
/** The mark SECRET in each of four bytes. */
const SECRETS = 0x01010101;
/** The byte was written by the caller, by the module's data, or by an instruction. */
const WRITTEN = 2;
/** The caller has read the byte since it was written. */
const TAKEN = 4;

export class FlowMachine implements FlowRunnable {
  readonly #module: DecodedModule;
  readonly #bytes: Uint8Array;
  readonly #reads: readonly Range[] | undefined;
  readonly #writes: readonly Range[] | undefined;
  /** The writable range of the last store. */
  #lastWrite: Range = { from: 0, to: 0 };
  #steps = 0;

  /**
   * The bounds are those of the Machine: the bytes that may be read before they are written, and those that may be
   * written.
   */
  constructor(module: DecodedModule, memoryBytes: number, { reads, writes }: Ranges = {}) {
    this.#module = module;
    this.#bytes = new Uint8Array(memoryBytes);
    this.#reads = reads;
    this.#writes = writes;
    for (const { offset, bytes } of module.data) this.#bytes.fill(WRITTEN, offset, offset + bytes.length);
  }

  write(address: number, length: number, secret: boolean): void {
    this.#bytes.fill(secret ? WRITTEN | SECRET : WRITTEN, address, address + length);
  }

  /** Marks bytes as read by the caller. */
  read(address: number, length: number): void {
    for (let at = address; at < address + length; at++) this.#bytes[at] |= TAKEN;
  }

  /** The addresses of secret bytes; with `taken`, those that the caller has read are left out. */
  secretBytes({ taken }: { readonly taken: boolean }): number[] {
    const bytes = this.#bytes;
    const left: number[] = [];
    // Few bytes are secret, so four are tested at a time.
    const words = new Int32Array(bytes.buffer);
    for (let i = 0; i < words.length; i++) {
      if ((words[i] & SECRETS) === 0) continue;
      for (let at = 4 * i; at < 4 * i + 4; at++) if (bytes[at] & SECRET && !(taken && bytes[at] & TAKEN)) left.push(at);
    }
    return left;
  }

  call(name: string, ...parameters: readonly number[]): void {
    if (this.#reads ?? this.#writes) counted('bounded calls', 1);
    this.#steps = 0;
    this.#run(exported(this.#module, name), parameters);
  }

  #run(definition: DecodedFunction, parameters: readonly Value[]): Value[] {
    const code = stepsOf(definition);
    const locals: Value[] = definition.locals.map((type, i) => parameters[i] ?? (type === 'i32' ? 0 : false));
    const stack: Value[] = [];
    /** The height of the stack at the start of each block. */
    const heights: number[] = [];
    for (let i = 0; i < code.length; i++) {
      const step = code[i];
      if (++this.#steps > MOST_STEPS) throw new Failure(`more than ${MOST_STEPS} steps`);
      switch (step.kind) {
        case Kind.End:
          break;
        case Kind.Open:
          heights[i] = stack.length;
          break;
        case Kind.If: {
          const taken = known(stack.pop()!, step.instruction);
          heights[i] = stack.length;
          if (!taken) i = step.to;
          break;
        }
        case Kind.BranchIf:
          if (known(stack.pop()!, step.instruction)) {
            stack.length = heights[step.number] ?? 0;
            i = step.to;
          }
          break;
        case Kind.Jump:
          i = step.to;
          break;
        case Kind.Call: {
          const callee = this.#module.functions[step.number];
          const count = callee.type.parameters.length;
          stack.push(...this.#run(callee, count ? stack.splice(-count) : []));
          break;
        }
        case Kind.Get:
          stack.push(locals[step.number]);
          break;
        case Kind.Set:
          locals[step.number] = stack.pop()!;
          break;
        case Kind.Tee:
          locals[step.number] = stack[stack.length - 1];
          break;
        case Kind.Constant:
          stack.push(step.number);
          break;
        case Kind.Move:
          this.#move(step.instruction, stack.splice(-3));
          break;
        case Kind.Plain:
          this.#compute(step, stack);
      }
    }
    return stack.slice(stack.length - definition.type.results.length);
  }

  /** Loads, stores, and all instructions without effects except their results. */
  #compute({ instruction, takes, leaves, compute, number: offset, reach }: Step, stack: Value[]): void {
    const y = takes > 1 ? stack.pop()! : false;
    const x = takes > 0 ? stack.pop()! : false;
    if (reach) {
      const from = (known(x, instruction) >>> 0) + offset;
      if (leaves) stack.push(this.#load(from, from + reach, instruction));
      else this.#store(from, from + reach, y === true, instruction);
    } else if (compute && typeof x === 'number' && (takes === 1 || typeof y === 'number'))
      stack.push(compute(x, y as number));
    else if (leaves) stack.push(x === true || y === true);
  }

  #load(from: number, to: number, instruction: Instruction): boolean {
    const bytes = this.#bytes;
    let all = WRITTEN;
    let any = 0;
    for (let at = from; at < to; at++) {
      all &= bytes[at];
      any |= bytes[at];
    }
    // Bytes that were all written may be read in any range; bytes beyond the end of memory were never written.
    if (all === 0) this.#checkRead(from, to, instruction);
    return (any & SECRET) !== 0;
  }

  #checkRead(from: number, to: number, instruction: Instruction): void {
    for (let at = from; at < to; at++)
      if (!(this.#bytes[at] & WRITTEN) && !allows(this.#reads, at)) throw refusal('over-read', at, instruction);
    if (to > this.#bytes.length) throw refusal('over-read', to - 1, instruction);
  }

  #store(from: number, to: number, secret: boolean, instruction: Instruction): void {
    if (this.#writes) for (let at = from; at < to; at++) this.#checkWrite(at, instruction);
    if (to > this.#bytes.length) throw refusal('stray-write', to - 1, instruction);
    const byte = secret ? WRITTEN | SECRET : WRITTEN;
    const bytes = this.#bytes;
    for (let at = from; at < to; at++) bytes[at] = byte;
  }

  /** Checks a write; the last range is tried first, because neighbouring bytes are mostly in the same range. */
  #checkWrite(at: number, instruction: Instruction): void {
    const { from, to } = this.#lastWrite;
    if (at >= from && at < to) return;
    const range = this.#writes!.find((one) => at >= one.from && at < one.to);
    if (!range) throw refusal('stray-write', at, instruction);
    this.#lastWrite = range;
  }

  /** memory.fill and memory.copy: to; value or from; length. */
  #move(instruction: Instruction, [to, what, count]: readonly Value[]): void {
    const length = known(count, instruction) >>> 0;
    const at = known(to, instruction) >>> 0;
    if (instruction.op === 'memory.fill') {
      this.#store(at, at + length, what === true, instruction);
      return;
    }
    const from = known(what, instruction) >>> 0;
    this.#load(from, from + length, instruction);
    const copied = this.#bytes.slice(from, from + length).map((byte) => byte & ~TAKEN);
    this.#store(at, at + length, false, instruction);
    this.#bytes.set(copied, at);
  }
}

/** A kernel whose flow can be followed, each time from an unknown memory. */
export interface FlowKernel {
  readonly name: string;
  readonly memoryBytes: number;
  start(ranges?: Ranges): FlowRunnable;
}

export function flowOf({ name, bytes, memoryBytes }: Kernel): FlowKernel {
  let module: DecodedModule | undefined;
  return { name, memoryBytes, start: (ranges) => new FlowMachine((module ??= decode(bytes)), memoryBytes, ranges) };
}

/** Whether the ranges allow an address; without ranges, all addresses are allowed. */
function allows(ranges: readonly Range[] | undefined, address: number): boolean {
  if (!ranges) return true;
  for (const { from, to } of ranges) if (address >= from && address < to) return true;
  return false;
}

const refusal = (kind: string, address: number, { op, at }: Instruction): Failure =>
  new Failure(`${kind}: ${op} at offset ${at} of the module, address ${address}`);

function known(value: Value, { op, at }: Instruction): number {
  if (typeof value === 'number') return value;
  throw new Failure(`leak: ${op} at offset ${at} of the module depends on ${value ? 'a secret' : 'memory'}`);
}
