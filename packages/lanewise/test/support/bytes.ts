import { expect } from 'vitest';

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** This is strict: `Buffer.from` would stop at the first wrong digit without an error. */
export function unhex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error(`not lower-case hex: ${text.slice(0, 40)}`);
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/** Reproducible bytes without a pattern that a block, a lane or a set could repeat. */
export function sample(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4));
  let counter = Math.imul(seed, 0x85ebca6b);
  for (let i = 0; i < words.length; i++) {
    counter = (counter + 0x9e3779b9) | 0;
    const x = Math.imul(counter ^ (counter >>> 16), 0x85ebca6b);
    words[i] = x ^ Math.imul(x >>> 13, 0xc2b2ae35);
  }
  return new Uint8Array(words.buffer, 0, length);
}

/** Little-endian words of bytes, on hosts of either order. */
export function wordsOf(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

/** The bytes of words, the inverse of the function above. */
export function bytesOf(words: Uint32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  return new Uint8Array(view.buffer);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** Like `toEqual` of bytes, in a thousandth of the time, and in words when they differ. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  if (Buffer.compare(actual, expected) === 0) return;
  const at = expected.findIndex((byte, i) => byte !== actual[i]);
  expect.fail(
    `${what}: ${actual.length} bytes instead of ${expected.length}, first difference at ${at}: ` +
      `${hex(actual.subarray(at, at + 16))} instead of ${hex(expected.subarray(at, at + 16))}`,
  );
}

/** A copy at an offset of its buffer. */
export function atOffset(offset: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const room = new Uint8Array(offset + bytes.length + 5);
  room.set(bytes, offset);
  return room.subarray(offset, offset + bytes.length);
}

const GUARD = 0xa5;

/** Room for a result, between bytes that no call may write to. */
export function guarded(
  length: number,
  offset = 0,
): { readonly out: Uint8Array<ArrayBuffer>; readonly check: (what: string) => void } {
  const front = 32 + offset;
  const room = new Uint8Array(front + length + 256).fill(GUARD);
  return {
    out: room.subarray(front, front + length),
    check(what) {
      const touched = (byte: number): boolean => byte !== GUARD;
      if (room.subarray(0, front).some(touched)) expect.fail(`${what}: wrote in front of out`);
      if (room.subarray(front + length).some(touched)) expect.fail(`${what}: wrote behind out`);
    },
  };
}

export const untouched = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(GUARD);

/** The error that a call throws, as `RangeError: message`. */
export function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  return 'nothing was refused';
}

/** A Uint8Array whose properties are all false. */
export class Liar extends Uint8Array {
  static get [Symbol.species](): Uint8ArrayConstructor {
    throw new Error('species was asked');
  }
  override get length(): number {
    return 32;
  }
  override get byteLength(): number {
    return 32;
  }
  override get byteOffset(): number {
    return 1;
  }
  override get buffer(): ArrayBuffer {
    return new ArrayBuffer(4096);
  }
  override subarray(): never {
    throw new Error('subarray was called');
  }
  override slice(): never {
    throw new Error('slice was called');
  }
  override set(): never {
    throw new Error('set was called');
  }
  override fill(): never {
    throw new Error('fill was called');
  }
  override [Symbol.iterator](): never {
    throw new Error('the iterator was asked');
  }
}

export function liar(bytes: Uint8Array): Liar {
  const it = new Liar(bytes.length);
  Uint8Array.prototype.set.call(it, bytes);
  return it;
}

/** The bytes that a liar really has. */
export const truth = (bytes: Uint8Array): Uint8Array => Uint8Array.from(Object.values<number>(bytes));

/** A view of a detached buffer. */
export function detached(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}
