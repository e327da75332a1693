/**
 * Arguments are checked before any work, with one grammar: `"nonce" expected Uint8Array of length 12, got length=8`.
 * Wrong types are TypeErrors, wrong sizes and ranges RangeErrors. Values never appear in a message, they may be secret.
 */
import {
  bufferOf,
  byteLengthOf,
  byteOffsetOf,
  Bytes,
  codeAt,
  floor,
  isShared,
  moveBytes,
  part,
  sliceOf,
  tagOf,
  toNumber,
  typeName,
  utf8Of,
} from '../engine/intrinsics.ts';

/** The type of a value; for an object, its class: Promise, ArrayBuffer, Object. */
const typeNameOf = (value: unknown): string =>
  typeof value !== 'object' ? typeof value : value ? (typeName(value) ?? sliceOf(tagOf(value), 8, -1)) : 'null';

/** The type of a wrong value, for the end of a message. */
export function typeOf(value: unknown): string {
  const type = typeNameOf(value);
  return `type=${type}${type === 'Promise' ? '; did you forget await?' : ''}`;
}

/** The error for a value of a wrong type, with a hint how to convert it; `expected` describes the right one. */
export function wrongType(value: unknown, expected: string): TypeError {
  const type = typeNameOf(value);
  const hint =
    type === 'string'
      ? '; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password'
      : sliceOf(type, -11) === 'ArrayBuffer'
        ? '; use new Uint8Array(buffer)'
        : '';
  return new TypeError(`${expected}, got ${typeOf(value)}${hint}`);
}

/**
 * Refuses arguments after the first `most`, because the caller may expect them to have an effect. An argument that is
 * undefined counts as not given, so that a function that passes on its own arguments keeps working. Each public call gives its
 * `arguments`: a parameter for others would be in its type and its `length`.
 */
export function refuseSurplus(given: ArrayLike<unknown>, most: number): void {
  for (let i = most; i < given.length; i++)
    if (given[i] !== undefined)
      throw new TypeError(`"arguments" expected at most ${most}, got another of ${typeOf(given[i])}`);
}

/** Refuses a second message under one key and nonce, counter or IV, which would give both away. */
export function refuseSecond(encrypted: boolean, nonce: 'nonce' | 'counter' | 'IV'): void {
  if (encrypted)
    throw new Error(`cannot encrypt() twice with same key + ${nonce}: make another object with a fresh ${nonce}`);
}

/**
 * Whether a value is a Uint8Array, of any realm, a Buffer or another subclass of it.
 *
 * @param value - Anything.
 * @returns Whether it is one. No property of the value is read, and no code of its own runs.
 * @throws Nothing.
 * @example
 * ```ts
 * import { isBytes } from 'lanewise/utils.js';
 * isBytes(new Uint8Array(1)); // true
 * ```
 */
export const isBytes = (value: unknown): value is Uint8Array => typeName(value) === 'Uint8Array';

/**
 * The true length of an argument that must be bytes; if `expected` is given, that many. Only what calls for good arguments
 * need is in this function, so that engines can inline it everywhere.
 */
export function lengthOf(value: unknown, name: string, expected?: number): number {
  const length = isBytes(value) ? byteLengthOf(value) : 0;
  if (length === 0 || (expected !== undefined && length !== expected)) checkUnusual(value, name, expected, length);
  return length;
}

/**
 * A view of an argument that must be bytes, as long as it is now: if the buffer is transferred later, or shrinks, the view has length 0,
 * which {@link lengthOf} refuses.
 */
export const fixed = (value: unknown, name: string): Uint8Array => part(value as Uint8Array, 0, lengthOf(value, name));

/** Refuses bytes that were transferred, or have shrunk, since the call. Those that have grown are used as far as they reached. */
export function checkKept(bytes: Uint8Array, name: string, length: number): void {
  if (byteLengthOf(bytes) < length) lengthOf(bytes, name, length);
}

/** Bytes that a call was given some turns before, unless they were transferred since. */
export function present(bytes: Uint8Array, name: string): Uint8Array {
  lengthOf(bytes, name);
  return bytes;
}

/** Refuses a value that is not bytes, or not `expected` bytes, or no longer attached; a length of 0 may be right. */
function checkUnusual(value: unknown, name: string, expected: number | undefined, length: number): void {
  const wanted = `"${name}" expected Uint8Array${expected === undefined ? '' : ` of length ${expected}`}`;
  if (!isBytes(value)) throw wrongType(value, wanted);
  if (length === 0) checkAttached(value, name);
  if (expected !== undefined && length !== expected) throw new RangeError(`${wanted}, got length=${length}`);
}

/** A view whose buffer is detached, or has shrunk below it, has length 0 but isn't an empty message. */
export function checkAttached(view: ArrayBufferView, name: string, kind = 'Uint8Array'): void {
  try {
    // This moves no bytes, whatever their kind, and even if the view has some by now because another thread has made shared memory grow.
    moveBytes(view as Uint8Array, 0, 0, 0);
  } catch (error) {
    // Anything else, such as an overflow of the stack, says nothing about the buffer.
    if (!(error instanceof TypeError)) throw error;
    const message = `"${name}" expected ${kind}, got one whose buffer is detached or too short`;
    throw new TypeError(message, { cause: error });
  }
}

/**
 * The bytes of an argument that is bytes, or a text where the host has TextEncoder. Half of a surrogate pair that stands alone has no
 * UTF-8: the encoder would write U+FFFD for each, so that two passwords, places or contexts would be one.
 */
export function bytesOrText(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'string' || !utf8Of) {
    if (isBytes(value)) return value;
    throw wrongType(value, `"${name}" expected ${utf8Of ? 'string or ' : ''}Uint8Array`);
  }
  for (let i = 0, high = false; i <= value.length; i++) {
    const kind = codeAt(value, i) >> 10; // 54 for the first half, 55 for the second, 0 after the end
    if (high !== (kind === 55)) throw new RangeError(`"${name}" expected text, got a lone surrogate`);
    high = kind === 54;
  }
  return utf8Of(value);
}

/**
 * The bytes for a result: `out` if the caller passed it, else fresh ones.
 * @inline
 */
export type Result<Out extends Uint8Array | undefined> = Out extends Uint8Array ? Out : Uint8Array<ArrayBuffer>;

/** The bytes for a result: the caller's, if given, which must have the result's size; else fresh ones. */
export function outputOf(out: Uint8Array | undefined, length: number): Uint8Array {
  if (out === undefined) return new Bytes(length);
  lengthOf(out, 'out', length);
  return out;
}

/** An integer from `least` up. */
export function sizeOf(value: unknown, name: string, least = 0): number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" expected integer, got ${typeOf(value)}`);
  if (!(value >= least && value < 2 ** 53) || floor(value) !== value)
    throw new RangeError(`"${name}" expected integer from ${least} up, got ${value}`);
  return value + 0; // -0 becomes 0
}

/** An integer from 0 to 2^bits - 1, as its low 32 bits and the others. */
export function integerOf(value: number | bigint, name: string, bits: 32 | 64 | 71): { low: number; high: number } {
  if (typeof value === 'number') {
    if (value >= 0 && value < 2 ** (bits > 32 ? 53 : 32) && floor(value) === value)
      return { low: value >>> 0, high: floor(value / 2 ** 32) };
  } else if (typeof value === 'bigint') {
    if (value >= 0n && value < 2 ** bits) return { low: toNumber(value & 0xffffffffn), high: toNumber(value >> 32n) };
  } else throw new TypeError(`"${name}" expected integer, got ${typeOf(value)}`);
  const hint = bits > 32 && typeof value === 'number' ? ' (above 2^53 - 1 a bigint)' : '';
  throw new RangeError(`"${name}" expected integer from 0 to 2^${bits} - 1${hint}, got ${value}`);
}

/**
 * Whether writing to `out` from its start on may change bytes of `input` that are not yet read: parts are read and
 * written in turn, so it may if `out` starts after `input` and before its end. Two buffers may be the same shared
 * memory.
 */
export function runsIntoItself(input: Uint8Array, out: Uint8Array): boolean {
  if (bufferOf(input) !== bufferOf(out)) return isShared(input) && isShared(out);
  const ahead = byteOffsetOf(out) - byteOffsetOf(input);
  return ahead > 0 && ahead < byteLengthOf(input);
}

/** Whether two areas have bytes in common. Two buffers may be the same shared memory. */
export function overlap(a: Uint8Array, b: Uint8Array): boolean {
  if (bufferOf(a) !== bufferOf(b)) return isShared(a) && isShared(b);
  const ahead = byteOffsetOf(b) - byteOffsetOf(a);
  return ahead < byteLengthOf(a) && -ahead < byteLengthOf(b);
}

/** Words: a Uint32Array of `length`. */
export function checkWords(value: unknown, name: string, length: number): void {
  if (typeName(value) !== 'Uint32Array')
    throw new TypeError(`"${name}" expected Uint32Array of length ${length}, got ${typeOf(value)}`);
  const got = byteLengthOf(value) / 4;
  if (got !== length) throw new RangeError(`"${name}" expected Uint32Array of length ${length}, got length=${got}`);
}
