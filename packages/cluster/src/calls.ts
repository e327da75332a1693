/** Checks of callers' arguments. */
import { typeOf } from './jobs/check.ts';

/** Refuses arguments that no parameter takes. */
export function refuseExtra(extra: readonly unknown[], most: number): void {
  if (extra.length > 0) throw new TypeError(`expected at most ${most} arguments, got ${most + extra.length}`);
}

/**
 * The options that a caller gives, each read once, in an object without a prototype: what others have added to Object.prototype is no
 * option.
 *
 * @throws TypeError if they aren't an object, or have another name than these: a misspelled one must not be without effect.
 */
export function optionsOf<Options extends object>(
  options: Options,
  known: readonly string[] | undefined,
  name = 'options',
): Options {
  if (typeof options !== 'object' || (options as unknown) === null || Array.isArray(options))
    throw new TypeError(`"${name}" expected object, got ${typeOf(options)}`);
  const own = Object.assign(Object.create(null) as Options, options);
  const strange = known && Object.keys(own).find((key) => !known.includes(key));
  if (strange !== undefined)
    throw new TypeError(`"${name}" expected no option ${strange}; known are ${known!.join(', ')}`);
  return own;
}

/** Checks the options by which a caller follows a work. */
export function checkRun(signal: unknown, onProgress: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError(`"signal" expected AbortSignal, got ${typeOf(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`"onProgress" expected function, got ${typeOf(onProgress)}`);
}
