/** Calls that ours and an original's functions share: which arguments ours take, and the shapes of the originals. */
import { isMessage } from '../../drop-ins/src/message.ts';

/** Any function of the original. Its arguments may be anything: programs without types call it, too. */
export type Call = (...values: unknown[]) => unknown;

/** A version's own way from a text to UTF-8; undefined where texts are refused. */
export type Encode = ((text: string) => Uint8Array) | undefined;

/**
 * The result of ours over the bytes of all values; undefined if one of them isn't bytes. With `encode` a string is its UTF-8, which is
 * wiped after the call: our functions that return promises read bytes before they return.
 */
export function answered<Result>(
  values: readonly unknown[],
  encode: Encode,
  ours: (...bytes: Uint8Array[]) => Result | undefined,
): Result | undefined {
  const encoded: Uint8Array[] = [];
  try {
    const bytes = [];
    for (const value of values) {
      if (isMessage(value)) bytes.push(value);
      else if (encode && typeof value === 'string') {
        const text = encode(value);
        encoded.push(text);
        bytes.push(text);
      } else return undefined;
    }
    return ours(...bytes);
  } finally {
    for (const text of encoded) text.fill(0);
  }
}

/** The properties of a plain object, read once; undefined for anything else, whose treatment differs between versions. */
export function plainOf(options: unknown): Readonly<Record<string, unknown>> | undefined {
  if (options === null || typeof options !== 'object') return undefined;
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  if (Object.hasOwn(options, '__proto__')) return undefined;
  return Object.assign(Object.create(null), options) as Record<string, unknown>;
}

export const isInteger = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

/** Our functions work in slices of 8 ms; calls that ask for shorter ones are the original's. */
export const isTick = (value: unknown): boolean => isInteger(value, 8, Number.MAX_SAFE_INTEGER);

/** A function in the place of the original's: it has its properties and number of arguments, and is frozen if that is. */
export function dressed<Original extends object>(ours: Call, theirs: Original): Original {
  Object.assign(ours, theirs);
  Object.defineProperty(ours, 'length', { value: (theirs as unknown as Call).length });
  return (Object.isFrozen(theirs) ? Object.freeze(ours) : ours) as unknown as Original;
}
