// The ArrayBuffer of a run, and the typed arrays over it with their exact meaning (ECMA-262 §10.4.5 and §23.2.3).
// Accesses that JavaScript silently clamps or ignores are events here. A subclass decides the representation of a byte.
import type { Range, Ranges } from '../execute/machine.ts';
import type { View } from './syntax.ts';
import type { Value } from './values.ts';

/** The callback that records forbidden reads and writes. */
export type Report = (kind: 'over-read' | 'stray-write', what: string) => void;

const NOWHERE: Range = { from: 0, to: 0 };

export abstract class Memory<Byte> {
  #ranges: Ranges = {};
  /** The range that the last write was in: neighbouring bytes are mostly in the same one. */
  #lastWrite: Range = NOWHERE;
  readonly length: number;
  readonly #bytes: (Byte | undefined)[];
  /** 1 for each byte that the text has written. */
  readonly #written: Uint8Array;

  constructor(length: number) {
    this.length = length;
    this.#bytes = new Array<Byte | undefined>(length);
    this.#written = new Uint8Array(length);
  }

  get ranges(): Ranges {
    return this.#ranges;
  }

  set ranges(ranges: Ranges) {
    this.#ranges = ranges;
    this.#lastWrite = NOWHERE;
  }

  #mayRead(address: number): boolean {
    const { reads } = this.#ranges;
    return !reads || reads.some(({ from, to }) => from <= address && address < to);
  }

  #mayWrite(address: number): boolean {
    const { writes } = this.#ranges;
    if (!writes || (this.#lastWrite.from <= address && address < this.#lastWrite.to)) return true;
    const range = writes.find(({ from, to }) => from <= address && address < to);
    this.#lastWrite = range ?? NOWHERE;
    return range !== undefined;
  }

  /** The byte at an address that was not written yet. */
  protected abstract before(address: number): Byte;
  /**
   * The number whose bytes these are, the least significant first: one byte of a Uint8Array or four of an Int32Array.
   */
  protected abstract numberOf(bytes: readonly Byte[]): Value;
  /** The bytes of a value that is assigned to an element of a Uint8Array or Int32Array: ToUint8 or ToInt32. */
  protected abstract bytesOf(value: Value, elementBytes: View['elementBytes']): Byte[];

  /** The representation of a byte after it is copied to a second place. */
  protected copyOf(byte: Byte): Byte {
    return byte;
  }

  /** The byte at an address, whatever the ranges. */
  byte(address: number): Byte {
    this.#check(address);
    return (this.#bytes[address] ??= this.before(address));
  }

  bytes(address: number, length: number): Byte[] {
    return Array.from({ length }, (_, i) => this.byte(address + i));
  }

  /** Writes bytes from outside of the text, whatever the ranges. */
  set(address: number, bytes: readonly Byte[]): void {
    for (const [i, byte] of bytes.entries()) {
      this.#check(address + i);
      this.#bytes[address + i] = byte;
    }
  }

  #check(address: number): void {
    if (!(address >= 0 && address < this.length)) throw new RangeError(`there is no byte ${address} of memory`);
  }

  /** The addresses that the text has written to, ascending. */
  written(): number[] {
    const found: number[] = [];
    this.#written.forEach((is, address) => {
      if (is) found.push(address);
    });
    return found;
  }

  /** The addresses of bytes for which a test holds, among those that were read or written, ascending. */
  where(test: (byte: Byte) => boolean): number[] {
    const found: number[] = [];
    this.#bytes.forEach((byte, address) => {
      if (byte !== undefined && test(byte)) found.push(address);
    });
    return found;
  }

  #load(from: number, count: number, report: Report): Byte[] {
    const bytes: Byte[] = [];
    for (let address = from; address < from + count; address++) {
      if (this.#bytes[address] === undefined && !this.#mayRead(address))
        report('over-read', `reads byte ${address}, to which nothing was written`);
      bytes.push(this.byte(address));
    }
    return bytes;
  }

  #store(to: number, bytes: readonly Byte[], report: Report): void {
    for (let i = 0; i < bytes.length; i++) {
      if (!this.#mayWrite(to + i)) report('stray-write', `writes byte ${to + i}`);
      this.#bytes[to + i] = bytes[i];
      this.#written[to + i] = 1;
    }
  }

  /** Whether a view has an element of this index; only integers are indices. */
  #has(view: View, index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.length / view.elementBytes;
  }

  /** Reads an element of a view; `undefined`, as in JavaScript, if it does not exist. */
  element(view: View, index: number, report: Report): Value | undefined {
    if (this.#has(view, index)) return this.numberOf(this.#load(index * view.elementBytes, view.elementBytes, report));
    report('over-read', `reads element ${index} of ${view.name}, which has none`);
    return undefined;
  }

  /**
   * Assigns to an element of a view; as in JavaScript, an assignment to an element that does not exist has no effect.
   */
  setElement(view: View, index: number, value: Value, report: Report): void {
    if (this.#has(view, index)) this.#store(index * view.elementBytes, this.bytesOf(value, view.elementBytes), report);
    else report('stray-write', `writes element ${index} of ${view.name}, which has none`);
  }

  /** A relative index of `fill` and `copyWithin`: negative ones count from the end, and all are clamped to the view. */
  #position(at: number, report: Report): number {
    if (!Number.isInteger(at) || at < 0 || at > this.length) report('stray-write', `there is no byte before ${at}`);
    const index = Math.trunc(at);
    return index < 0 ? Math.max(this.length + index, 0) : Math.min(index, this.length);
  }

  /** Uint8Array.prototype.fill */
  fill(value: Value, start: number, end: number, report: Report): void {
    const from = this.#position(start, report);
    const count = Math.max(this.#position(end, report) - from, 0);
    const [byte] = this.bytesOf(value, 1);
    this.#store(from, new Array<Byte>(count).fill(byte), report);
  }

  /** Uint8Array.prototype.copyWithin: copies as if through an intermediate buffer, and stops at the end of the view. */
  copyWithin(target: number, start: number, end: number, report: Report): void {
    const [to, from, until] = [target, start, end].map((at) => this.#position(at, report));
    const room = this.length - to;
    if (until - from > room) report('stray-write', `there is no byte before ${to + until - from}`);
    const bytes = this.#load(from, Math.max(Math.min(until - from, room), 0), report);
    this.#store(
      to,
      bytes.map((byte) => this.copyOf(byte)),
      report,
    );
  }
}
