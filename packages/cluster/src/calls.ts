/** Checks of callers' arguments. */
import { typeOf } from './jobs/check.ts';

/** Refuses arguments that no parameter takes. */
export function refuseExtra(extra: readonly unknown[], most: number): void {
  if (extra.length > 0) throw new TypeError(`expected at most ${most} arguments, got ${most + extra.length}`);
}

/** Checks the names of options: a misspelled one must not be without effect. */
export function checkNames(options: unknown, known: readonly string[], name = 'options'): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`"${name}" expected object, got ${typeOf(options)}`);
  const strange = Object.keys(options).find((key) => !known.includes(key));
  if (strange !== undefined)
    throw new TypeError(`"${name}" expected no option ${strange}; known are ${known.join(', ')}`);
}

/** Checks the options by which a caller follows a work. */
export function checkRun(signal: unknown, onProgress: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError(`"signal" expected AbortSignal, got ${typeOf(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`"onProgress" expected function, got ${typeOf(onProgress)}`);
}
