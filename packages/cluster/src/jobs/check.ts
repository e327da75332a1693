/**
 * Checks of job data. An attacker who can write to the queue can write anything, so no field is used before it was checked here, and
 * unknown fields are refused.
 */
import type { ObjectVersion } from '../objects/object.ts';

/** The type of a wrong value, in the words of `lanewise`; a value itself is named only if it is a number. */
export function typeOf(value: unknown): string {
  if (value === null) return 'type=null';
  return `type=${typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value}`;
}

/** An object with all of some fields, perhaps some others, and no more. */
export function fieldsOf(
  value: unknown,
  name: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`"${name}" expected object, got ${typeOf(value)}`);
  const known = new Set([...required, ...optional]);
  // The name of an unknown field is the writer's, and is not repeated.
  if (Object.keys(value).some((key) => !known.has(key)))
    throw new TypeError(`"${name}" expected no fields but ${[...known].join(', ')}`);
  const missing = required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) throw new TypeError(`"${name}" expected a field ${missing}`);
  // Of its own: a polluted prototype has no field that is left out.
  return Object.assign(Object.create(null) as Record<string, unknown>, value);
}

/** A string of one character up to a number of characters. */
export function stringOf(value: unknown, name: string, most = 1024): string {
  if (typeof value !== 'string') throw new TypeError(`"${name}" expected string, got ${typeOf(value)}`);
  if (value.length === 0 || value.length > most)
    throw new RangeError(`"${name}" expected length from 1 to ${most}, got length=${value.length}`);
  // It has no UTF-8: the encoder would write U+FFFD.
  if (!value.isWellFormed()) throw new RangeError(`"${name}" expected text, got a lone surrogate`);
  // NUL ends names of files.
  if (value.includes('\0')) throw new RangeError(`"${name}" expected text without NUL, got one with it`);
  return value;
}

/** An integer in a range. */
export function integerOf(value: unknown, name: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" expected number, got ${typeOf(value)}`);
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new RangeError(`"${name}" expected integer from ${least} to ${most}, got ${value}`);
  return value;
}

/** One of some words. */
export function oneOf<Word extends string>(value: unknown, name: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found === undefined)
    throw new RangeError(
      `"${name}" expected ${words.map((word) => `'${word}'`).join(' or ')}, got another of ${typeOf(value)}`,
    );
  return found;
}

/** Bytes in hexadecimal, of one length. */
export function bytesOf(value: unknown, name: string, length: number): Uint8Array<ArrayBuffer> {
  const text = stringOf(value, name, 2 * length);
  if (text.length !== 2 * length || !/^[0-9a-f]*$/.test(text))
    throw new RangeError(`"${name}" expected ${2 * length} hexadecimal digits`);
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

/** The most bytes of an object: S3's limit, 48.8 TiB, fits. */
export const MOST_BYTES = 2 ** 50;

/** The version of an object. */
export function versionOf(value: unknown, name: string): ObjectVersion {
  const { url, size, etag, version } = fieldsOf(value, name, ['url', 'size', 'etag'], ['version']);
  return {
    url: stringOf(url, `${name}.url`, 8192),
    size: integerOf(size, `${name}.size`, 0, MOST_BYTES),
    etag: stringOf(etag, `${name}.etag`),
    ...(version === undefined ? {} : { version: stringOf(version, `${name}.version`) }),
  };
}
