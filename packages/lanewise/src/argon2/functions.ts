/** The public functions of Argon2. */
import { refuseSurplus } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import { Bytes, fillBytes } from '../engine/intrinsics.ts';
import { allSteps, lendInSlices, wipeInSlices } from '../work/slices.ts';
import { giveBack, ownInstance } from './binding.ts';
import { derive, seedOf } from './derive.ts';
import { SCRATCH } from './map.ts';
import {
  ARGON2D,
  ARGON2I,
  ARGON2ID,
  callOf,
  type Argon2Options,
  type Argon2SyncOptions,
  type Call,
} from './parameters.ts';

function atOnce({ parameters, inputs }: Call): Uint8Array<ArrayBuffer> {
  const key = new Bytes(parameters.dkLen);
  const kernel = ownInstance(parameters.memory);
  const seed = seedOf(parameters, inputs);
  lend(kernel, SCRATCH, parameters.memory, (lent) => allSteps(derive(lent, parameters, seed, key)));
  giveBack(kernel);
  return key;
}

/** The inputs are read before this returns, and on one thread the first slice runs. */
export async function inSlices({ parameters, inputs, slices, lanes }: Call): Promise<Uint8Array<ArrayBuffer>> {
  const { signal } = slices;
  if (signal?.aborted) throw signal.reason;
  const own = lanes ? undefined : ownInstance(parameters.memory);
  const seed = seedOf(parameters, inputs);
  const key = new Bytes(parameters.dkLen);
  try {
    const found = lanes && (await lanes({ parameters, slices }, seed));
    if (found) return found;
    const kernel = own ?? ownInstance(parameters.memory);
    await lendInSlices(kernel, SCRATCH, parameters.memory, derive(kernel, parameters, seed, key), slices);
    giveBack(kernel);
    return key;
  } catch (error) {
    await wipeInSlices(key, 0, parameters.dkLen);
    throw error;
  } finally {
    fillBytes(seed, 0);
  }
}

/**
 * Argon2id of a password, RFC 9106, in slices of 8 ms between turns of the event loop, so that pages stay responsive and servers go on
 * serving. It is the one to choose: the first half of its first pass reads memory at places that don't depend on the password.
 *
 * The call reads password, salt, secret and associated data before it returns. It wipes its memory, `m` KiB and some, before the promise
 * settles, also after an error or an abort. Then the host may free that memory; until it does, the next call with the same `m` takes it again.
 *
 * @param password - Any number of bytes, also none; a text is encoded by `new TextEncoder().encode(text.normalize('NFKC'))`.
 * @param salt - 8 bytes or more: 16 random ones, stored with the parameters.
 * @param options - {@link Argon2Options}: `t`, `m`, `p`, `dkLen`, `secret`, `ad`, `version`, `maxmem`, `signal`, `onProgress`.
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws As {@link argon2idSync}. The promise rejects with the signal's reason if it is aborted, with an error of `onProgress`, and with
 * RangeError if the host lacks the memory.
 * @example
 * ```ts
 * import { argon2id, randomBytes } from 'lanewise/argon2.js';
 * const password = new TextEncoder().encode('correct horse battery staple');
 * const salt = randomBytes(16);
 * const key = await argon2id(password, salt, {
 *   m: 65536, // KiB: 64 MiB
 *   t: 3,
 *   signal: AbortSignal.timeout(60_000),
 *   onProgress: (progress) => console.log(`${Math.round(100 * progress)} %`),
 * });
 * ```
 */
export function argon2id(
  password: Uint8Array,
  salt: Uint8Array,
  options?: Argon2Options,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 3);
  return inSlices(callOf(ARGON2ID, password, salt, options, false));
}

/**
 * Argon2id of a password, RFC 9106, synchronously: it blocks the thread until it is done.
 *
 * @param password - Any number of bytes, also none; a text is encoded by `new TextEncoder().encode(text.normalize('NFKC'))`.
 * @param salt - 8 bytes or more: 16 random ones, stored with the parameters.
 * @param options - {@link Argon2SyncOptions}: `t`, `m`, `p`, `dkLen`, `secret`, `ad`, `version`, `maxmem`.
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws TypeError or RangeError if an argument isn't of that form, if the parameters require more than `maxmem`, or if the host lacks
 * the memory. Then nothing was derived.
 * @example
 * ```ts
 * import { argon2idSync, randomBytes } from 'lanewise/argon2.js';
 * const password = new TextEncoder().encode('correct horse battery staple');
 * const salt = randomBytes(16);
 * const key = argon2idSync(password, salt, { m: 19456, t: 2, p: 1 }); // 32 bytes
 * ```
 */
export function argon2idSync(
  password: Uint8Array,
  salt: Uint8Array,
  options?: Argon2SyncOptions,
): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 3);
  return atOnce(callOf(ARGON2ID, password, salt, options, true));
}

/**
 * Argon2i of a password, RFC 9106, in slices: all places that it reads memory at don't depend on the password, at the price of more
 * favourable trade-offs for attackers. Otherwise as {@link argon2id}.
 *
 * @param password - Any number of bytes, also none.
 * @param salt - 8 bytes or more.
 * @param options - {@link Argon2Options}
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws As {@link argon2id}.
 * @example
 * ```ts
 * import { argon2i, randomBytes } from 'lanewise/argon2.js';
 * const key = await argon2i(new TextEncoder().encode('correct horse'), randomBytes(16), { t: 3 });
 * ```
 */
export function argon2i(
  password: Uint8Array,
  salt: Uint8Array,
  options?: Argon2Options,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 3);
  return inSlices(callOf(ARGON2I, password, salt, options, false));
}

/**
 * Argon2i of a password, RFC 9106, synchronously.
 *
 * @param password - Any number of bytes, also none.
 * @param salt - 8 bytes or more.
 * @param options - {@link Argon2SyncOptions}
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws As {@link argon2idSync}.
 * @example
 * ```ts
 * import { argon2iSync, randomBytes } from 'lanewise/argon2.js';
 * const key = argon2iSync(new TextEncoder().encode('correct horse'), randomBytes(16), { t: 3 });
 * ```
 */
export function argon2iSync(
  password: Uint8Array,
  salt: Uint8Array,
  options?: Argon2SyncOptions,
): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 3);
  return atOnce(callOf(ARGON2I, password, salt, options, true));
}

/**
 * Argon2d of a password, RFC 9106, in slices: all places that it reads memory at depend on the password, so it is for proofs of work and
 * for files, not where others may observe the processor's caches. Otherwise as {@link argon2id}.
 *
 * @param password - Any number of bytes, also none.
 * @param salt - 8 bytes or more.
 * @param options - {@link Argon2Options}
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws As {@link argon2id}.
 * @example
 * ```ts
 * import { argon2d, randomBytes } from 'lanewise/argon2.js';
 * const key = await argon2d(new TextEncoder().encode('correct horse'), randomBytes(32), { m: 65536, t: 2 });
 * ```
 */
export function argon2d(
  password: Uint8Array,
  salt: Uint8Array,
  options?: Argon2Options,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 3);
  return inSlices(callOf(ARGON2D, password, salt, options, false));
}

/**
 * Argon2d of a password, RFC 9106, synchronously.
 *
 * @param password - Any number of bytes, also none.
 * @param salt - 8 bytes or more.
 * @param options - {@link Argon2SyncOptions}
 * @returns `dkLen` fresh bytes, 32 unless given.
 * @throws As {@link argon2idSync}.
 * @example
 * ```ts
 * import { argon2dSync, randomBytes } from 'lanewise/argon2.js';
 * const key = argon2dSync(new TextEncoder().encode('correct horse'), randomBytes(32), { m: 65536, t: 2 });
 * ```
 */
export function argon2dSync(
  password: Uint8Array,
  salt: Uint8Array,
  options?: Argon2SyncOptions,
): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 3);
  return atOnce(callOf(ARGON2D, password, salt, options, true));
}
