/** The public functions of scrypt. */
import { refuseExtra } from '../calls/checks.ts';
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
 * Derives a key from a password, at once: with the defaults of the parameters the thread is blocked for some 0.25 s, and takes
 * 128 MiB of memory, which are wiped and dropped afterwards. RFC 7914.
 *
 * @param password - Any number of bytes, also none; a text is encoded by `new TextEncoder().encode(text.normalize('NFKC'))`.
 * @param salt - Any number of bytes: 16 random ones, stored with the parameters.
 * @param options - {@link ScryptSyncOptions}: `N` or `logN`, `r`, `p`, `dkLen`, `maxmem`.
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws TypeError or RangeError if an argument is not of that form, if the parameters demand more than `maxmem`, or if the
 * host has not as much memory; Error if both `N` and `logN` are given. Then nothing was derived.
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
): Uint8Array<ArrayBuffer>;
export function scryptSync(
  password: Uint8Array,
  salt: Uint8Array,
  options?: ScryptSyncOptions,
  extra?: unknown,
): Uint8Array<ArrayBuffer> {
  refuseExtra(extra, 3);
  const parameters = parametersOf(optionsOf(options, SYNC));
  const its = counted(password, 'password');
  const itsSalt = counted(salt, 'salt');
  const key = new Bytes(parameters.dkLen);
  const kernel = ownInstance(parameters.memory);
  lend(kernel, SCHEDULE, parameters.memory, (lent) => allSteps(derive(lent, parameters, its, itsSalt, key)));
  return key;
}

/**
 * Derives a key from a password, in slices of 8 ms between which the event loop turns, so that pages stay responsive and servers
 * go on serving. RFC 7914.
 *
 * Password and salt are read before the call returns. The memory, 128 MiB with the defaults, is wiped and dropped before the
 * promise is settled, also after an error or when the signal is aborted.
 *
 * @param password - Any number of bytes, also none; a text is encoded by `new TextEncoder().encode(text.normalize('NFKC'))`.
 * @param salt - Any number of bytes: 16 random ones, stored with the parameters.
 * @param options - {@link ScryptOptions}: `N` or `logN`, `r`, `p`, `dkLen`, `maxmem`, `signal`, `onProgress`.
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws As {@link scryptSync}. The promise rejects with the signal's reason if it is aborted, with an error of `onProgress`,
 * and with RangeError if the host has not as much memory.
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
): Promise<Uint8Array<ArrayBuffer>>;
export function scrypt(
  password: Uint8Array,
  salt: Uint8Array,
  options?: ScryptOptions,
  extra?: unknown,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseExtra(extra, 3);
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
