/** Checks of arguments. The grammar of messages is that of `lanewise`: `"name" expected …, got …`. */

import type { Pool } from 'lanewise/pool.js';
import { agePayload } from 'lanewise/stream.js';
import { isBytes } from 'lanewise/utils.js';

/** The type of a value, for people. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return Object.prototype.toString.call(value).slice(8, -1);
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

/**
 * Checks a text that is to be UTF-8. Half of a surrogate pair that stands alone has none: the encoder would write U+FFFD for each, so
 * that two passphrases would be one.
 *
 * @throws TypeError if it isn't a string, RangeError if it has such a half.
 */
export function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw wrong(name, 'string', value);
  for (const character of value)
    if (character.length === 1 && (character.charCodeAt(0) & 0xf800) === 0xd800)
      throw new RangeError(`"${name}" expected text, got a lone surrogate`);
  return value;
}

/** The kind of an array, whatever properties it has of its own. */
const own = /* @__PURE__ */ Object.getOwnPropertyDescriptors(Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array);
const bufferOf = (bytes: Uint8Array): ArrayBuffer => own.buffer.get!.call(bytes) as ArrayBuffer;
const offsetOf = (bytes: Uint8Array): number => own.byteOffset.get!.call(bytes);
const lengthOf = (bytes: Uint8Array): number => own.byteLength.get!.call(bytes);

/**
 * The bytes of an argument: a view that is as long as it is now. If its buffer is transferred later, or shrinks, the view has length 0,
 * which {@link present} refuses; bytes that its buffer grows by are not in it.
 *
 * @throws TypeError if it isn't a Uint8Array, or its bytes are gone already.
 */
export function bytesOf(value: unknown, name: string): Uint8Array {
  if (!isBytes(value)) throw wrong(name, 'Uint8Array', value);
  present(value, name);
  return new Uint8Array(bufferOf(value), offsetOf(value), lengthOf(value));
}

/**
 * Bytes that {@link bytesOf} gave some turns before.
 *
 * @throws TypeError if they are gone since.
 */
export function present(bytes: Uint8Array, name: string): Uint8Array {
  if (lengthOf(bytes) > 0) return bytes;
  try {
    // This fills no bytes, even if there are some by now because another thread has made shared memory grow.
    own.fill.value!.call(bytes, 0, 0, 0);
  } catch (error) {
    // Anything else, such as an overflow of the stack, says nothing about the buffer.
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`"${name}" expected Uint8Array, got one whose buffer is detached or too short`, {
      cause: error,
    });
  }
  return bytes;
}

export function refuseExtra(extra: readonly unknown[], most: number): void {
  const surplus = extra.find((value) => value !== undefined);
  if (surplus !== undefined)
    throw new TypeError(`"arguments" expected at most ${most}, got another of type=${typeOf(surplus)}`);
}

/**
 * Checks that options are a plain object, or undefined, with no other names than these.
 *
 * @param hints - Why other names are none of this call.
 * @returns The options, each read once, in an object without a prototype: others may have polluted Object.prototype. Each value is still
 * to be checked.
 */
export function optionsOf<Name extends string>(
  options: unknown,
  names: readonly Name[],
  hints: Readonly<Record<string, string>> = {},
): { [N in Name]?: unknown } {
  const own = Object.create(null) as { [N in Name]?: unknown };
  if (options === undefined) return own;
  const prototype: unknown =
    typeof options === 'object' && options !== null ? Object.getPrototypeOf(options) : undefined;
  const expected = `"options" expected plain object { ${names.join(', ')} }`;
  if (prototype === undefined || (prototype !== null && !Object.hasOwn(prototype, 'isPrototypeOf')))
    throw new TypeError(`${expected}, got type=${typeOf(options)}`);
  Object.assign(own, options);
  for (const name of Object.keys(own))
    if (!(names as readonly string[]).includes(name))
      throw new TypeError(`${expected}, got { ${name} }${Object.hasOwn(hints, name) ? `: ${hints[name]}` : ''}`);
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
  if (value === undefined) return undefined;
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>;
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
    throw wrong('signal', 'AbortSignal', value);
  return value as AbortSignal;
}

/** Checks an option that is a pool. */
function poolOf(value: unknown): Pool | undefined {
  // The library knows its pools; this stream is not read.
  if (value !== undefined) agePayload(new Uint8Array(32)).encrypt([], { pool: value as Pool });
  return value as Pool | undefined;
}

/** Shared by all calls that derive keys: a signal ends them, and passphrases go to a worker of a pool if there is one. */
export interface Work {
  readonly signal: AbortSignal | undefined;
  readonly pool: Pool | undefined;
}

/** The options of calls that only derive keys. */
export interface KeyOptions {
  /** Stops the work with the signal's reason, when it aborts. */
  readonly signal?: AbortSignal;
  /** A pool of `lanewise/pool.js`, in whose threads keys of passphrases are derived. */
  readonly pool?: Pool;
}

export const KEY_OPTIONS = ['signal', 'pool'] as const;

/** Checks the options of calls that derive keys. */
export const workOf = ({ signal, pool }: { readonly signal?: unknown; readonly pool?: unknown }): Work => ({
  signal: signalOf(signal),
  pool: poolOf(pool),
});

/** The options that the library's streams take, as far as they are given. */
export interface StreamOptions extends KeyOptions {
  readonly onProgress?: (done: number, total?: number) => void;
  readonly size?: number;
}

export const STREAM_OPTIONS = [...KEY_OPTIONS, 'onProgress', 'size'] as const;

/** Checks the options of streams, and leaves out those that are not given. */
export function streamOptionsOf(given: { readonly [Name in keyof StreamOptions]?: unknown }): StreamOptions {
  const { signal, pool } = workOf(given);
  const { onProgress, size } = given;
  if (onProgress !== undefined && typeof onProgress !== 'function') throw wrong('onProgress', 'function', onProgress);
  if (size !== undefined && (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0))
    throw typeof size === 'number'
      ? new RangeError(`"size" expected integer from 0 up, got ${size}`)
      : wrong('size', 'number', size);
  const all = { signal, pool, onProgress, size };
  return Object.assign(
    Object.create(null) as StreamOptions,
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
  );
}
