/** Reads bytes in order, and the numbers that they encode. WebAssembly core specification §5.2 */
import { DecodeError } from './types.ts';

export class Reader {
  readonly bytes: Uint8Array;
  at: number;
  /** The offset after the last byte that may be read. */
  readonly end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  byte(): number {
    if (this.at >= this.end) throw new DecodeError('the bytes end too early', this.at);
    return this.bytes[this.at++];
  }

  take(count: number): Uint8Array {
    if (count > this.end - this.at) throw new DecodeError('the bytes end too early', this.end);
    return this.bytes.slice(this.at, (this.at += count));
  }

  /** A reader of the next `count` bytes; this reader skips them. */
  part(count: number): Reader {
    if (count > this.end - this.at) throw new DecodeError('a size is larger than what is there', this.at);
    const part = new Reader(this.bytes, this.at, this.at + count);
    this.at += count;
    return part;
  }

  /** Unsigned LEB128 of 32 bits: at most five bytes, and no bit above the 32nd. §5.2.2 */
  u32(): number {
    const start = this.at;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value >= 2 ** 32) break;
        return value;
      }
    }
    throw new DecodeError('no unsigned number of 32 bits', start);
  }

  /** Signed LEB128 of `bits` bits: at most ⌈bits / 7⌉ bytes, and all bits above the sign bit repeat it. §5.2.2 */
  signed(bits: 32 | 64): bigint {
    const start = this.at;
    let value = 0n;
    for (let shift = 0; shift < bits; shift += 7) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) {
        value = BigInt.asIntN(shift + 7, value);
        if (BigInt.asIntN(bits, value) !== value) break;
        return value;
      }
    }
    throw new DecodeError(`no signed number of ${bits} bits`, start);
  }

  /** §5.2.4 */
  name(): string {
    const start = this.at;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.take(this.u32()));
    } catch (error) {
      if (error instanceof DecodeError) throw error;
      throw new DecodeError('no UTF-8', start);
    }
  }

  /** A vector whose elements `item` reads. §5.1.3 */
  list<T>(item: (index: number) => T): T[] {
    const count = this.u32();
    const items: T[] = [];
    // Items are appended one by one: a wrong count then fails at the end of the bytes instead of allocating memory for
    // it.
    for (let i = 0; i < count; i++) items.push(item(i));
    return items;
  }

  finish(): void {
    if (this.at !== this.end) throw new DecodeError('more bytes than were announced', this.at);
  }
}
