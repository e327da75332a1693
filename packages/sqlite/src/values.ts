/** Texts and values for SQLite, checked and copied when a call is made: SQLite's build would store NULL for values that it doesn't know. */
import { isBytes } from 'lanewise/utils.js';
import { copyOf } from './bytes.ts';

/** A value that SQLite stores. */
export type Value = number | bigint | string | Uint8Array | null;

/** A value that a statement takes for a `?`: true and false are 1 and 0, as in SQL. */
export type Parameter = Value | boolean;

/** The type of a wrong value, for the end of a message. */
export const typeOf = (value: unknown): string =>
  `type=${value === null ? 'null' : typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value}`;

/** Refuses arguments after those that a function has, in the words of the library. */
export function refuseSurplus(given: ArrayLike<unknown>, most: number): void {
  for (let i = most; i < given.length; i++)
    if (given[i] !== undefined)
      throw new TypeError(`"arguments" expected at most ${most}, got another of ${typeOf(given[i])}`);
}

/**
 * A text that is to be UTF-8. Half of a surrogate pair that stands alone has none: the encoder would write U+FFFD for each, so that a text
 * would be changed, and two passphrases would be one.
 */
export function wellFormed(text: string, name: string): string {
  if (!text.isWellFormed()) throw new RangeError(`"${name}" expected text, got a lone surrogate`);
  return text;
}

/** SQLite reads a text as far as its first NUL (sqlite.org/nulinstr.html): the rest would be lost. */
export function checkText(text: string, name: string): string {
  if (text.includes('\0'))
    throw new RangeError(`"${name}" expected a text without NUL, got one at ${text.indexOf('\0')}`);
  return wellFormed(text, name);
}

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];
const isSmall = (value: number): boolean => value === (value | 0);

function parameterOf(value: unknown, name: string): Value {
  switch (typeof value) {
    case 'number':
      // NaN would be stored as NULL (sqlite.org/floatingpoint.html), and a whole number of more than 32 bits as 1099511627776.0.
      if (Number.isNaN(value)) throw new RangeError(`"${name}" expected a number that SQLite has, got NaN`);
      return Number.isSafeInteger(value) && !isSmall(value) ? BigInt(value) : value;
    case 'bigint':
      if (value < LEAST || value > MOST)
        throw new RangeError(`"${name}" expected an integer of 64 bits with a sign, got a greater one`);
      return value;
    case 'string':
      return checkText(value, name);
    case 'boolean':
      return value ? 1 : 0;
    default:
      if (value === null) return null;
      if (isBytes(value)) return copyOf(value);
      throw new TypeError(
        `"${name}" expected number, bigint, string, boolean, Uint8Array or null, got ${typeOf(value)}`,
      );
  }
}

/** Copies of the parameters: a call before this one may still be under way. */
export function parametersOf(parameters: unknown): readonly Value[] {
  if (!Array.isArray(parameters)) throw new TypeError(`"parameters" expected array, got ${typeOf(parameters)}`);
  // Not `map`, which leaves holes.
  return Array.from(parameters, (value, i) => parameterOf(value, `parameters[${i}]`));
}
