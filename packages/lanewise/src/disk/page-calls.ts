/** Calls for many pages, as a pool makes them: the cipher checks the arguments as its own calls do, and the pool does the work. */
import type { Tweaks } from './heads.ts';
import type { Back, Keys, manyPages } from './stage.ts';
import type { PagesOptions, tweakOf } from './tweak.ts';
import type { Grammar } from '../calls/options.ts';

/** Does the work of a call whose arguments are checked. */
export type PageWork = (
  keys: Keys,
  back: Back,
  buffer: Uint8Array,
  size: number,
  count: number,
  tweaks: Tweaks,
  out: Uint8Array,
  /** The function that does it on the caller's thread: given, so that bundles without a cipher of pages do not have it. */
  here: typeof manyPages,
  tweak: ReturnType<typeof tweakOf>,
  first: number | bigint,
) => void;

/**
 * Checks the arguments of a call, then calls `work`. False if the object isn't a cipher.
 *
 * @param buffer - The pages, or how many bytes of them there are if they are in a file. Then the work gets an empty buffer.
 */
export type PageCall = (
  cipher: object,
  back: Back,
  buffer: Uint8Array | number,
  options: PagesOptions,
  work: PageWork,
  grammar: Grammar,
) => boolean;

let ofCiphers: PageCall | undefined;

/** Makes the calls of all ciphers known to the library. A map from ciphers to their calls would double the time for a new key. */
export const keepPageCall = (call: PageCall): void => void (ofCiphers = call);

/** Calls a cipher that `adiantum` or `hpolyc` made; false for anything else. */
export const callPages: PageCall = (cipher, ...values) =>
  typeof cipher === 'object' && (cipher as object | null) !== null && !!ofCiphers?.(cipher, ...values);
