/** The parameters of scrypt, checked. RFC 7914 §2, §6 */
import { lengthOf, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf, type Options } from '../calls/options.ts';
import { signalOf } from '../work/abort.ts';
import { progressOf } from '../work/progress.ts';
import type { SliceOptions } from '../work/slices.ts';
import { floor } from '../engine/intrinsics.ts';
import { ROWS } from './map.ts';

/** Bytes, and their number when they were checked. */
export interface Counted {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** The parameters of a derivation. */
export interface Parameters {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly dkLen: number;
  /** The bytes of linear memory that a derivation takes: V, X, Y and B of RFC 7914, after the areas of SHA-256. */
  readonly memory: number;
}

/** The options of {@link scrypt} and of {@link scryptSync}. */
export interface ScryptSyncOptions {
  /**
   * CPU and memory cost, a power of two from 2 to 2^24. Unless it or `logN` is given, 2^17, which with the defaults of `r` and `p`
   * is the recommendation of OWASP (128 MiB, some 0.25 s).
   */
  readonly N?: number | undefined;
  /** The same as an exponent, from 1 to 24. */
  readonly logN?: number | undefined;
  /** Block size, from 1 to 8192; 8 unless given. */
  readonly r?: number | undefined;
  /** Parallelization, from 1 up: so many times the work, in the same memory. r·p < 2^30. 1 unless given. */
  readonly p?: number | undefined;
  /** The length of the derived key in bytes, from 1 to (2^32 - 1)·32; 32 unless given. */
  readonly dkLen?: number | undefined;
  /**
   * The most that 128·N·r·p may be, and `dkLen`; 2^30 unless given. It limits the memory, which is 128·r·(N + p + 2) bytes and a little, and
   * the time, too: parameters of a file from another source cannot take more of either than the caller allows.
   */
  readonly maxmem?: number | undefined;
}

/** The options of {@link scrypt}. */
export interface ScryptOptions extends ScryptSyncOptions {
  /** An abort ends the derivation: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called between slices with the fraction that is done, and at the end with 1. */
  readonly onProgress?: ((progress: number) => void) | undefined;
}

const FOR_PROMISES = 'scrypt() takes it; scryptSync() returns when all is done';
/** The names of the options in node:crypto and in `@noble/hashes` have a hint. */
export const SYNC = {
  __proto__: null,
  N: 1,
  logN: 1,
  r: 1,
  p: 1,
  dkLen: 1,
  maxmem: 1,
  cost: 'it is N or logN here',
  blockSize: 'it is r here',
  parallelization: 'it is p here',
  signal: FOR_PROMISES,
  onProgress: FOR_PROMISES,
} as const;
// The result of a function, because bundlers keep an object that is spread.
const ASYNC = /* @__PURE__ */ (() =>
  ({ ...SYNC, __proto__: null, signal: 1, onProgress: 1, asyncTick: 'slices take 8 ms' }) as const)();

const MOST_LOG = 24;
/** A row of 128 r bytes is mixed in one call of the kernel, which must not take long. */
const MOST_R = 8192;
const MOST_MEMORY = 0x1_0000_0000;

/** An integer between two bounds. */
function between(value: unknown, name: string, least: number, most: number, bound = `${most}`): number {
  if (typeof value === 'number' && value > most)
    throw new RangeError(`"${name}" expected integer from ${least} to ${bound}, got ${value}`);
  return sizeOf(value, name, least);
}

/** N from one of its two options. */
function costOf(N: unknown, logN: unknown): number {
  if (logN !== undefined) {
    if (N !== undefined) throw new Error('cannot use both "N" and "logN"');
    return 2 ** between(logN, 'logN', 1, MOST_LOG);
  }
  if (N === undefined) return 2 ** 17;
  if (typeof N !== 'number') throw new TypeError(`"N" expected integer, got ${typeOf(N)}`);
  if (!(N >= 2 && N <= 2 ** MOST_LOG) || floor(N) !== N || N & (N - 1))
    throw new RangeError(`"N" expected power of two from 2 to 2^24, got ${N}`);
  return N;
}

/** The parameters among options whose names are checked. */
export function parametersOf(options: Options<typeof SYNC>): Parameters {
  const N = costOf(optionOf(options, 'N'), optionOf(options, 'logN'));
  const r = between(optionOr(options, 'r', 8), 'r', 1, MOST_R);
  const p = between(optionOr(options, 'p', 1), 'p', 1, floor((2 ** 30 - 1) / r), '(2^30 - 1) / r');
  const dkLen = between(optionOr(options, 'dkLen', 32), 'dkLen', 1, (2 ** 32 - 1) * 32, '(2^32 - 1) * 32');
  const maxmem = sizeOf(optionOr(options, 'maxmem', 2 ** 30), 'maxmem', 0);
  const memory = ROWS + 128 * r * (N + 2 + p);
  if (memory > MOST_MEMORY)
    throw new RangeError(`"N" expected 128*r*(N + p + 2) below 4 GiB, got N=${N} with r=${r}, p=${p}`);
  if (dkLen > maxmem) throw new RangeError(`"maxmem" expected at least dkLen=${dkLen}, got ${maxmem}`);
  const demand = 128 * N * r * p;
  if (demand > maxmem)
    throw new RangeError(`"maxmem" expected at least 128*N*r*p=${demand}, got ${maxmem} with N=${N}, r=${r}, p=${p}`);
  return { N, r, p, dkLen, memory };
}

/** Bytes, and how many they are now. */
export const counted = (bytes: Uint8Array, name: string): Counted => ({ bytes, length: lengthOf(bytes, name) });

/** The arguments of {@link scrypt}. */
export interface Call {
  readonly parameters: Parameters;
  readonly password: Counted;
  readonly salt: Counted;
  readonly slices: SliceOptions;
}

/** Checks the arguments of {@link scrypt}. */
export function callOf(password: Uint8Array, salt: Uint8Array, options: ScryptOptions | undefined): Call {
  const given = optionsOf(options, ASYNC);
  return {
    parameters: parametersOf(given),
    password: counted(password, 'password'),
    salt: counted(salt, 'salt'),
    slices: { signal: signalOf(optionOf(given, 'signal')), onProgress: progressOf(optionOf(given, 'onProgress')) },
  };
}
