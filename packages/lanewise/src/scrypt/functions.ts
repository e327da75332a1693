/** The public functions of scrypt. */
import { refuseSurplus } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import { optionsOf } from '../calls/options.ts';
import { allSteps, lendInSlices, wipeInSlices } from '../work/slices.ts';
import { Bytes } from '../engine/intrinsics.ts';
import { ownInstance } from './binding.ts';
import { derive } from './derive.ts';
import { SCHEDULE } from './map.ts';
import {
  callOf,
  counted,
  parametersOf,
  SYNC,
  type Call,
  type ScryptOptions,
  type ScryptSyncOptions,
} from './parameters.ts';

/**
 * Derives a key from a password, synchronously: with the default parameters it blocks the thread for some 0.25 s and uses
 * 128 MiB of memory, which it wipes and releases afterwards. RFC 7914.
 *
 * @param password - Any number of bytes, also none; a text is encoded by `new TextEncoder().encode(text.normalize('NFKC'))`.
 * @param salt - Any number of bytes: 16 random ones, stored with the parameters.
 * @param options - {@link ScryptSyncOptions}: `N` or `logN`, `r`, `p`, `dkLen`, `maxmem`.
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws TypeError or RangeError if an argument isn't of that form, if the parameters require more than `maxmem`, or if the
 * host lacks the memory; Error if both `N` and `logN` are given. Then nothing was derived.
 * @example
 * ```ts
 * import { scryptSync, randomBytes } from 'lanewise/scrypt.js';
 * const password = new TextEncoder().encode('correct horse battery staple');
 * const salt = randomBytes(16);
 * const key = scryptSync(password, salt, { N: 2 ** 14, r: 8, p: 1 }); // 32 bytes
 * ```
 */
export function scryptSync(
  password: Uint8Array,
  salt: Uint8Array,
  options?: ScryptSyncOptions,
): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 3);
  const parameters = parametersOf(optionsOf(options, SYNC));
  const its = counted(password, 'password');
  const itsSalt = counted(salt, 'salt');
  const key = new Bytes(parameters.dkLen);
  const kernel = ownInstance(parameters.memory);
  lend(kernel, SCHEDULE, parameters.memory, (lent) => allSteps(derive(lent, parameters, its, itsSalt, key)));
  return key;
}

/**
 * Derives a key from a password, in slices of 8 ms between turns of the event loop, so that pages stay responsive and servers
 * go on serving. RFC 7914.
 *
 * The call reads password and salt before it returns. It wipes and releases its memory, 128 MiB with the defaults, before the
 * promise settles, also after an error or an abort.
 *
 * @param password - Any number of bytes, also none; a text is encoded by `new TextEncoder().encode(text.normalize('NFKC'))`.
 * @param salt - Any number of bytes: 16 random ones, stored with the parameters.
 * @param options - {@link ScryptOptions}: `N` or `logN`, `r`, `p`, `dkLen`, `maxmem`, `signal`, `onProgress`.
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws As {@link scryptSync}. The promise rejects with the signal's reason if it is aborted, with an error of `onProgress`,
 * and with RangeError if the host lacks the memory.
 * @example
 * ```ts
 * import { scrypt, randomBytes } from 'lanewise/scrypt.js';
 * const password = new TextEncoder().encode('correct horse battery staple');
 * const salt = randomBytes(16);
 * const key = await scrypt(password, salt, {
 *   logN: 14, // N = 16384; 2^17 unless given
 *   signal: AbortSignal.timeout(60_000),
 *   onProgress: (progress) => console.log(`${Math.round(100 * progress)} %`),
 * });
 * ```
 */
export function scrypt(
  password: Uint8Array,
  salt: Uint8Array,
  options?: ScryptOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 3);
  return inSlices(callOf(password, salt, options));
}

/** The first slice runs before this returns. */
export async function inSlices({ password, salt, parameters, slices }: Call): Promise<Uint8Array<ArrayBuffer>> {
  const { signal } = slices;
  if (signal?.aborted) throw signal.reason;
  const key = new Bytes(parameters.dkLen);
  const kernel = ownInstance(parameters.memory);
  try {
    await lendInSlices(kernel, SCHEDULE, parameters.memory, derive(kernel, parameters, password, salt, key), slices);
  } catch (error) {
    await wipeInSlices(key, 0, parameters.dkLen);
    throw error;
  }
  return key;
}
