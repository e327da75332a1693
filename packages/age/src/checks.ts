/** Checks of arguments. The grammar of messages is that of `lanewise`: `"name" expected …, got …`. */

import type { Pool } from 'lanewise/pool.js';
import { agePayload } from 'lanewise/stream.js';
import { isBytes } from 'lanewise/utils.js';

/** The type of a value, for people. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return name === 'Object' ? 'object' : name;
}

/** A hint how to convert values that are often passed in place of bytes. */
function remedyFor(type: string): string {
  if (type === 'Promise') return '; did you forget await?';
  if (type === 'ArrayBuffer') return '; use new Uint8Array(buffer)';
  return '';
}

/** The error for a value of another type. Values are not shown: they may be secret. */
export const wrong = (name: string, expected: string, got: unknown): TypeError =>
  new TypeError(`"${name}" expected ${expected}, got type=${typeOf(got)}${remedyFor(typeOf(got))}`);

export function bytesOf(value: unknown, name: string): Uint8Array {
  if (!isBytes(value)) throw wrong(name, 'Uint8Array', value);
  return value;
}

export function refuseExtra(extra: readonly unknown[], most: number): void {
  const surplus = extra.find((value) => value !== undefined);
  if (surplus !== undefined)
    throw new TypeError(`"arguments" expected at most ${most}, got another of type=${typeOf(surplus)}`);
}

/**
 * Checks that options are a plain object, or undefined, with no other names than these.
 *
 * @returns The options; each value is still to be checked.
 */
export function optionsOf<Name extends string>(options: unknown, names: readonly Name[]): { [N in Name]?: unknown } {
  if (options === undefined) return {};
  const prototype: unknown =
    typeof options === 'object' && options !== null ? Object.getPrototypeOf(options) : undefined;
  const expected = `"options" expected plain object { ${names.join(', ')} }`;
  if (prototype === undefined || (prototype !== null && !Object.hasOwn(prototype, 'isPrototypeOf')))
    throw new TypeError(`${expected}, got type=${typeOf(options)}`);
  const own = { ...(options as object) };
  for (const name of Object.keys(own))
    if (!(names as readonly string[]).includes(name)) throw new TypeError(`${expected}, got { ${name} }`);
  return own;
}

/** Checks an option that is a flag. */
export function flagOf(value: unknown, name: string): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw wrong(name, 'boolean', value);
  return value;
}

/** Checks an option that is an AbortSignal. */
export function signalOf(value: unknown): AbortSignal | undefined {
  const signal = value as Partial<AbortSignal> | null | undefined;
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') throw wrong('signal', 'AbortSignal', value);
  return signal as AbortSignal | undefined;
}

/** The options that the library's streams take, as far as they are given; it checks their values. */
interface StreamOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total?: number) => void;
  size?: number;
  pool?: Pool;
}

/** Checks the options of streams, and leaves out those that are not given. */
export function streamOptionsOf(
  signal: AbortSignal | undefined,
  onProgress: unknown,
  size: unknown,
  pool: unknown,
): StreamOptions {
  if (onProgress !== undefined && typeof onProgress !== 'function') throw wrong('onProgress', 'function', onProgress);
  if (size !== undefined && (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0))
    throw typeof size === 'number'
      ? new RangeError(`"size" expected integer from 0 up, got ${size}`)
      : wrong('size', 'number', size);
  // The library knows its pools; this stream is not read.
  if (pool !== undefined) agePayload.encrypt([], new Uint8Array(32), { pool: pool as Pool });
  return {
    ...(signal && { signal }),
    ...(onProgress !== undefined && { onProgress: onProgress as NonNullable<StreamOptions['onProgress']> }),
    ...(size !== undefined && { size }),
    ...(pool !== undefined && { pool: pool as Pool }),
  };
}
