// Follows secrets without computing their values: a run in which a value is a known number, or unknown and public, or
// secret. This run is less precise than terms (a secret XORed with itself stays secret), but a hundred times faster: it
// follows the longest messages that fit the memory.
import type { Range, Ranges } from '../execute/machine.ts';
import { exported, type DecodedModule, type Instruction } from '../wasm/types.ts';
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import { counted } from './amounts.ts';
import { Failure } from './claim.ts';
import { functionsOf, type FlowMemory } from './flow-code.ts';
import type { FlowRunnable } from './runnable.ts';

// The marks of a byte of memory.
const SECRET = 1;
/** The byte was written by the caller, by the module's data, or by an instruction. */
const WRITTEN = 2;
/** The caller has read the byte since it was written. */
const TAKEN = 4;
/** A mark times this is the mark in each of the four bytes of a word. */
const EACH = 0x01010101;
const SECRETS = SECRET * EACH;
const WRITTENS = WRITTEN * EACH;

export class FlowMachine implements FlowRunnable, FlowMemory {
  steps = 0;
  readonly #module: DecodedModule;
  readonly #bytes: Uint8Array;
  /** The same memory, four bytes at a time. */
  readonly #words: Int32Array;
  readonly #reads: readonly Range[] | undefined;
  readonly #writes: readonly Range[] | undefined;
  /** The writable range of the last store. */
  #lastWrite: Range = { from: 0, to: 0 };

  /**
   * The bounds are those of the Machine: the bytes that may be read before they are written, and those that may be
   * written.
   */
  constructor(module: DecodedModule, memoryBytes: number, { reads, writes }: Ranges = {}) {
    this.#module = module;
    this.#bytes = new Uint8Array(memoryBytes);
    this.#words = new Int32Array(this.#bytes.buffer);
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
    const words = this.#words;
    for (let i = 0; i < words.length; i++) {
      if ((words[i] & SECRETS) === 0) continue;
      for (let at = 4 * i; at < 4 * i + 4; at++) if (bytes[at] & SECRET && !(taken && bytes[at] & TAKEN)) left.push(at);
    }
    return left;
  }

  call(name: string, ...parameters: readonly number[]): void {
    if (this.#reads ?? this.#writes) counted('bounded calls', 1);
    this.steps = 0;
    functionsOf(this.#module)[exported(this.#module, name).index](this, ...parameters);
  }

  load(from: number, to: number, instruction: Instruction): boolean {
    // Bytes that were all written may be read in any range; bytes beyond the end of memory were never written.
    if (to > this.#bytes.length) this.#checkRead(from, to, instruction);
    let written = WRITTENS;
    let any = 0;
    if (((from | to) & 3) === 0)
      for (let i = from >>> 2; i < to >>> 2; i++) {
        written &= this.#words[i];
        any |= this.#words[i];
      }
    else
      for (let at = from; at < to; at++) {
        if (!(this.#bytes[at] & WRITTEN)) written = 0;
        any |= this.#bytes[at];
      }
    if (written !== WRITTENS) this.#checkRead(from, to, instruction);
    return (any & SECRETS) !== 0;
  }

  #checkRead(from: number, to: number, instruction: Instruction): void {
    for (let at = from; at < to; at++)
      if (!(this.#bytes[at] & WRITTEN) && !allows(this.#reads, at)) throw refusal('over-read', at, instruction);
    if (to > this.#bytes.length) throw refusal('over-read', to - 1, instruction);
  }

  store(from: number, to: number, secret: boolean, instruction: Instruction): void {
    this.#checkWrites(from, to, instruction);
    const byte = secret ? WRITTEN | SECRET : WRITTEN;
    if (((from | to) & 3) === 0 && to - from <= 16)
      for (let i = from >>> 2; i < to >>> 2; i++) this.#words[i] = byte * EACH;
    else this.#bytes.fill(byte, from, to);
  }

  /** Checks writes; the last range is tried first, because neighbouring bytes are mostly in the same range. */
  #checkWrites(from: number, to: number, instruction: Instruction): void {
    if (this.#writes)
      for (let at = from; at < to; at = Math.min(to, this.#lastWrite.to)) {
        if (at >= this.#lastWrite.from && at < this.#lastWrite.to) continue;
        const range = this.#writes.find((one) => at >= one.from && at < one.to);
        if (!range) throw refusal('stray-write', at, instruction);
        this.#lastWrite = range;
      }
    if (to > this.#bytes.length) throw refusal('stray-write', to - 1, instruction);
  }

  /** Copies as if through an intermediate buffer; the caller has not read the copies. */
  copy(to: number, from: number, length: number, instruction: Instruction): void {
    this.load(from, from + length, instruction);
    this.#checkWrites(to, to + length, instruction);
    this.#bytes.copyWithin(to, from, from + length);
    for (let at = to; at < to + length; at++) this.#bytes[at] &= ~TAKEN;
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
