/** Checks of callers' arguments, in the words of `lanewise`. */
import { typeOf } from './jobs/check.ts';

/** Refuses arguments that no parameter takes. One that is undefined counts as not given. */
export function refuseExtra(extra: readonly unknown[], most: number): void {
  const surplus = extra.find((value) => value !== undefined);
  if (surplus !== undefined)
    throw new TypeError(`"arguments" expected at most ${most}, got another of ${typeOf(surplus)}`);
}

/**
 * The options that a caller gives, each read once, in an object without a prototype: a property that others have added to Object.prototype isn't an
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
    throw new TypeError(`"${name}" expected plain object { ${known!.join(', ')} }, got { ${strange} }`);
  return own;
}

/** Checks the options by which a caller follows a task. */
export function checkRun(signal: unknown, onProgress: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError(`"signal" expected AbortSignal, got ${typeOf(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`"onProgress" expected function, got ${typeOf(onProgress)}`);
}
