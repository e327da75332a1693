/** PBKDF2 (RFC 8018 §5.2) with HMAC and SHA-2. */
import { lengthOf, refuseSurplus, sizeOf } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import { optionOf, optionOr, optionsOf, type Options } from '../calls/options.ts';
import type { Instance } from '../engine/instance.ts';
import { Bytes, copyOf, fillBytes, floor, min, moveBytes } from '../engine/intrinsics.ts';
import { signalOf } from '../work/abort.ts';
import { progressOf } from '../work/progress.ts';
import { allSteps, lendInSlices, type Steps } from '../work/slices.ts';
import type { Hash } from './hash.ts';
import { hashOf, type Sha2Function } from './hashes.ts';
import { finishMac, takeKey } from './keyed.ts';
import { DIGEST, INNER, SCHEDULE, SUM, SUM_END } from './map.ts';
import type { Functions } from './module.ts';
import { stage, wipedTo } from './stage.ts';

/** The options of {@link pbkdf2Sync}. */
export interface Pbkdf2SyncOptions {
  /** The number of iterations, from 1 to 2^32 - 1. OWASP recommends 600,000 with SHA-256, 210,000 with SHA-512. */
  readonly c: number;
  /** The length of the derived key in bytes, from 1 to (2^32 - 1) times that of a digest; that of a digest unless given. */
  readonly dkLen?: number | undefined;
}

/** The options of {@link pbkdf2}. */
export interface Pbkdf2Options extends Pbkdf2SyncOptions {
  /** An abort ends the derivation: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called between slices with the fraction that is done, and at the end with 1. */
  readonly onProgress?: ((progress: number) => void) | undefined;
}

const FOR_PROMISES = 'pbkdf2() takes it; pbkdf2Sync() returns when all is done';
const SYNC = {
  __proto__: null,
  c: 1,
  dkLen: 1,
  iterations: 'it is c here',
  signal: FOR_PROMISES,
  onProgress: FOR_PROMISES,
} as const;
const ASYNC = {
  __proto__: null,
  c: 1,
  dkLen: 1,
  signal: 1,
  onProgress: 1,
  iterations: 'it is c here',
  asyncTick: 'slices take 8 ms',
} as const;

/** The iterations in one step: with WebAssembly they take some 0.1 ms. */
const STEP = 256;

interface Derivation {
  readonly hash: Hash;
  readonly password: Uint8Array;
  readonly passwordLength: number;
  readonly salt: Uint8Array;
  readonly c: number;
  readonly out: Uint8Array<ArrayBuffer>;
}

function derivationOf(
  hash: unknown,
  password: Uint8Array,
  salt: Uint8Array,
  options: Options<typeof SYNC | typeof ASYNC>,
): Derivation {
  const its = hashOf(hash);
  const c = sizeOf(optionOf(options, 'c'), 'c', 1);
  if (c >= 2 ** 32) throw new RangeError(`"c" expected integer from 1 to 2^32 - 1, got ${c}`);
  const dkLen = sizeOf(optionOr(options, 'dkLen', its.outputLen), 'dkLen', 1);
  if (dkLen > (2 ** 32 - 1) * its.outputLen)
    throw new RangeError(`"dkLen" expected integer from 1 to (2^32 - 1) * ${its.outputLen}, got ${dkLen}`);
  const passwordLength = lengthOf(password, 'password');
  const itsSalt = copyOf(salt, lengthOf(salt, 'salt'));
  return { hash: its, password, passwordLength, salt: itsSalt, c, out: new Bytes(dkLen) };
}

/**
 * Derives a key in steps. The memory of the kernel belongs to each step alone; between steps `kept` has all from INNER to SUM. The first step
 * reads the password, and no later one does.
 */
function* derive({ hash, password, passwordLength, salt, c, out }: Derivation, kept: Uint8Array): Steps {
  const { instance, outputLen } = hash;
  const work = (length: number, run: (kernel: Instance<Functions>) => void): void =>
    lend(instance(), SCHEDULE, wipedTo(length), (kernel) => {
      kernel.write(INNER, kept.length, kept);
      run(kernel);
      kernel.read(INNER, kept.length, kept);
    });
  const total = c * (floor((out.length - 1) / outputLen) + 1);
  let done = 0;
  work(passwordLength, (kernel) => takeKey(kernel, hash, password, passwordLength));
  for (let at = 0, number = 1; at < out.length; at += outputLen, number++) {
    work(salt.length + 4, (kernel) => {
      const index = new Bytes([number >>> 24, number >>> 16, number >>> 8, number]);
      kernel.run.begin(INNER);
      const staged = stage(kernel, hash, stage(kernel, hash, 0, salt, salt.length), index, 4);
      finishMac(kernel, hash, staged, salt.length + 4);
      moveBytes(kernel.memory, SUM, DIGEST, DIGEST + outputLen);
    });
    done++;
    for (let left = c - 1; left > 0; left -= STEP) {
      const count = min(left, STEP);
      work(0, (kernel) => kernel.run.iterate(count, outputLen));
      yield (done += count) / total;
    }
    work(0, (kernel) => kernel.read(SUM, min(outputLen, out.length - at), out, at));
    yield done / total;
  }
}

/**
 * PBKDF2-HMAC (RFC 8018 §5.2), synchronously: for protocols that name it. For passwords of your own take `scrypt`, which costs an
 * attacker memory, too.
 *
 * @param hash - `sha256` or a sibling.
 * @param password - Any number of bytes; a text is encoded by `new TextEncoder().encode(text.normalize('NFKC'))`.
 * @param salt - Any number of bytes: 16 random ones, stored with the parameters.
 * @param options - `c`, the number of iterations; `dkLen`.
 * @returns `dkLen` fresh bytes.
 * @throws TypeError or RangeError if an argument is not of that form.
 * @example
 * ```ts
 * import { pbkdf2Sync, sha256 } from 'lanewise/sha2.js';
 * const password = new TextEncoder().encode('correct horse battery staple');
 * const key = pbkdf2Sync(sha256, password, new Uint8Array(16), { c: 1000, dkLen: 32 });
 * ```
 */
export function pbkdf2Sync(
  hash: Sha2Function,
  password: Uint8Array,
  salt: Uint8Array,
  options: Pbkdf2SyncOptions,
): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 4);
  const derivation = derivationOf(hash, password, salt, optionsOf(options, SYNC));
  const kept = new Bytes(SUM_END - INNER);
  try {
    allSteps(derive(derivation, kept));
  } finally {
    fillBytes(kept, 0);
  }
  return derivation.out;
}

/**
 * PBKDF2-HMAC (RFC 8018 §5.2) in slices of 8 ms between turns of the event loop. The call reads password and salt before it
 * returns.
 *
 * @param hash - `sha256` or a sibling.
 * @param password - Any number of bytes; a text is encoded by `new TextEncoder().encode(text.normalize('NFKC'))`.
 * @param salt - Any number of bytes: 16 random ones, stored with the parameters.
 * @param options - `c`, the number of iterations; `dkLen`, `signal`, `onProgress`.
 * @returns `dkLen` fresh bytes.
 * @throws TypeError or RangeError if an argument is not of that form. The promise rejects with the signal's reason if it is
 * aborted, and with an error of `onProgress`.
 * @example
 * ```ts
 * import { pbkdf2, sha256 } from 'lanewise/sha2.js';
 * const password = new TextEncoder().encode('correct horse battery staple');
 * const key = await pbkdf2(sha256, password, new Uint8Array(16), { c: 10_000, signal: AbortSignal.timeout(60_000) });
 * ```
 */
export function pbkdf2(
  hash: Sha2Function,
  password: Uint8Array,
  salt: Uint8Array,
  options: Pbkdf2Options,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 4);
  const given = optionsOf(options, ASYNC);
  const slices = { signal: signalOf(optionOf(given, 'signal')), onProgress: progressOf(optionOf(given, 'onProgress')) };
  return inSlices(derivationOf(hash, password, salt, given), slices);
}

/** The first slice runs before this returns. */
async function inSlices(derivation: Derivation, slices: Omit<Pbkdf2Options, 'c'>): Promise<Uint8Array<ArrayBuffer>> {
  const { out } = derivation;
  const { signal } = slices;
  if (signal?.aborted) throw signal.reason;
  const kept = new Bytes(SUM_END - INNER);
  try {
    await lendInSlices({ memory: kept, secrets: 0 }, 0, kept.length, derive(derivation, kept), slices);
  } catch (error) {
    fillBytes(out, 0);
    throw error;
  }
  return out;
}
