/** The parameters of Argon2, checked. RFC 9106 §3.1 */
import { lengthOf, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf, type Options } from '../calls/options.ts';
import { signalOf } from '../work/abort.ts';
import { progressOf } from '../work/progress.ts';
import type { SliceOptions } from '../work/slices.ts';
import type { PoolHandle } from '../work/threads.ts';
import { Bytes, floor, getWeak, setWeak } from '../engine/intrinsics.ts';
import { BLOCKS } from './map.ts';

/** y, §3.1: how the blocks that are read are chosen. */
export const ARGON2D = 0;
export const ARGON2I = 1;
export const ARGON2ID = 2;
export type Kind = typeof ARGON2D | typeof ARGON2I | typeof ARGON2ID;

/** Bytes, and their number when they were checked. */
export interface Counted {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** The parameters of a derivation that aren't secrets. */
export interface Parameters {
  readonly kind: Kind;
  readonly t: number;
  readonly m: number;
  readonly p: number;
  readonly version: number;
  readonly dkLen: number;
  /** q, the blocks of a lane: m' / p, where m' = 4·p·floor(m / 4p). §3.2 */
  readonly columns: number;
  /** The bytes of linear memory that a derivation takes. */
  readonly memory: number;
}

/** The options of {@link argon2idSync} and its siblings. */
export interface Argon2SyncOptions {
  /** The number of passes over the memory, from 1 to 2^32 - 1; 2 unless given. */
  readonly t?: number | undefined;
  /**
   * The memory in KiB, at least 8·p; 19456 (19 MiB) unless given, which with 2 passes and 1 lane is a recommendation of OWASP. RFC 9106
   * recommends m = 65536, t = 3, p = 4 where memory is short.
   */
  readonly m?: number | undefined;
  /** The number of lanes, from 1 to 2^24 - 1; 1 unless given. They are computed one after the other unless `lanes` is given. */
  readonly p?: number | undefined;
  /** The length of the result in bytes, from 4 to 2^32 - 1; 32 unless given. */
  readonly dkLen?: number | undefined;
  /** A secret key that is kept apart from the results, such as a server's pepper. */
  readonly secret?: Uint8Array | undefined;
  /** Associated data, which the result depends on. */
  readonly ad?: Uint8Array | undefined;
  /** 0x13, the version of RFC 9106, unless given; 0x10 for results of programs of before 2016. */
  readonly version?: 0x13 | 0x10 | undefined;
  /**
   * The most bytes that the memory may have, and the result: 2^30 unless given. So parameters of a file from another source cannot take
   * more memory than the caller allows. They may take any time: `t` is to be checked, too.
   */
  readonly maxmem?: number | undefined;
}

/** The options of {@link argon2id} and its siblings. */
export interface Argon2Options extends Argon2SyncOptions {
  /** An abort ends the derivation: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called between slices with the fraction that is done, and at the end with 1. */
  readonly onProgress?: ((progress: number) => void) | undefined;
  /**
   * The result of `lanesOn(pool)`: the workers of the pool fill up to 20 lanes at the same time, where memory can be shared. Elsewhere, and if
   * there are more, they are filled one after the other.
   */
  readonly lanes?: LanesOnPool | undefined;
}

const FOR_PROMISES = 'the function without Sync takes it';
/** Names of other libraries have a hint. */
export const SYNC = {
  __proto__: null,
  t: 1,
  m: 1,
  p: 1,
  dkLen: 1,
  secret: 1,
  ad: 1,
  version: 1,
  maxmem: 1,
  iterations: 'it is t here',
  passes: 'it is t here',
  memorySize: 'it is m here',
  memory: 'it is m here',
  parallelism: 'it is p here',
  key: 'it is secret here',
  personalization: 'it is ad here',
  hashLength: 'it is dkLen here',
  signal: FOR_PROMISES,
  onProgress: FOR_PROMISES,
  lanes: FOR_PROMISES,
  pool: 'it is lanes: lanesOn(pool)',
} as const;
// The result of a function, because bundlers keep an object that is spread.
const ASYNC = /* @__PURE__ */ (() =>
  ({ ...SYNC, __proto__: null, signal: 1, onProgress: 1, lanes: 1, asyncTick: 'slices take 8 ms' }) as const)();

const MOST_32 = 2 ** 32 - 1;
const MOST_LANES = 2 ** 24 - 1;
const LEAST_SALT = 8;
const KIBIBYTE = 1024;
const MOST_MEMORY = 2 ** 32;

/** An integer between two bounds. */
function between(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === 'number' && value > most)
    throw new RangeError(`"${name}" expected integer from ${least} to ${most}, got ${value}`);
  return sizeOf(value, name, least);
}

/** The parameters among options whose names are checked. */
export function parametersOf(kind: Kind, options: Options<typeof SYNC>): Parameters {
  const t = between(optionOr(options, 't', 2), 't', 1, MOST_32);
  const p = between(optionOr(options, 'p', 1), 'p', 1, MOST_LANES);
  const m = between(optionOr(options, 'm', 19_456), 'm', 8 * p, MOST_32);
  const dkLen = between(optionOr(options, 'dkLen', 32), 'dkLen', 4, MOST_32);
  const version = optionOr(options, 'version', 0x13);
  if (version !== 0x13 && version !== 0x10) {
    sizeOf(version, 'version');
    throw new RangeError(`"version" expected 0x13 or 0x10, got ${version as number}`);
  }
  const maxmem = sizeOf(optionOr(options, 'maxmem', 2 ** 30), 'maxmem', 0);
  const columns = 4 * floor(m / (4 * p));
  const memory = BLOCKS + KIBIBYTE * columns * p;
  if (KIBIBYTE * m > maxmem)
    throw new RangeError(`"maxmem" expected at least 1024*m=${KIBIBYTE * m}, got ${maxmem} with m=${m}`);
  if (dkLen > maxmem) throw new RangeError(`"maxmem" expected at least dkLen=${dkLen}, got ${maxmem}`);
  if (memory > MOST_MEMORY) throw new RangeError(`"m" expected less than 4 GiB, got m=${m}`);
  return { kind, t, m, p, version, dkLen, columns, memory };
}

/** Bytes, and how many they are now. */
export const counted = (bytes: unknown, name: string, least = 0): Counted => {
  const length = lengthOf(bytes, name);
  if (length < least)
    throw new RangeError(`"${name}" expected Uint8Array of length ${least} or more, got length=${length}`);
  return { bytes: bytes as Uint8Array, length };
};

/** What a derivation is made of. §3.1 */
export interface Inputs {
  readonly password: Counted;
  readonly salt: Counted;
  readonly secret: Counted;
  readonly ad: Counted;
}

const optional = (options: Options<typeof SYNC>, name: 'secret' | 'ad'): Counted => {
  const bytes = optionOf(options, name);
  return bytes === undefined ? { bytes: new Bytes(0), length: 0 } : counted(bytes, name);
};

/** Derives a key from H_0, or gives undefined where only one thread can. */
export type FillLanes = (
  call: Pick<Call, 'parameters' | 'slices'>,
  seed: Uint8Array,
) => Promise<Uint8Array<ArrayBuffer> | undefined>;
/** Workers as an option: made by {@link lanesOn}. */
export interface LanesOnPool {
  /** The pool. */
  readonly pool: PoolHandle;
}
const made = /* @__PURE__ */ new WeakMap<object, FillLanes>();
export const keepLanes = (lanes: LanesOnPool, fill: FillLanes): void => setWeak(made, lanes, fill);

function lanesOf(lanes: unknown): FillLanes | undefined {
  if (lanes === undefined) return undefined;
  const found = getWeak(made, lanes as object);
  if (!found) throw new TypeError(`"lanes" expected the result of lanesOn(pool), got ${typeOf(lanes)}`);
  return found;
}

/** A derivation whose arguments are checked. */
export interface Call {
  readonly parameters: Parameters;
  readonly inputs: Inputs;
  readonly slices: SliceOptions;
  /** Undefined if the lanes are filled one after the other. */
  readonly lanes: FillLanes | undefined;
}

/** Checks the arguments; `isSync` refuses the options of promises. */
export function callOf(
  kind: Kind,
  password: Uint8Array,
  salt: Uint8Array,
  options: Argon2Options | undefined,
  isSync: boolean,
): Call {
  const given = optionsOf(options, isSync ? SYNC : ASYNC) as Options<typeof ASYNC>;
  return {
    parameters: parametersOf(kind, given),
    inputs: {
      secret: optional(given, 'secret'),
      ad: optional(given, 'ad'),
      password: counted(password, 'password'),
      salt: counted(salt, 'salt', LEAST_SALT),
    },
    slices: isSync
      ? {}
      : { signal: signalOf(optionOf(given, 'signal')), onProgress: progressOf(optionOf(given, 'onProgress')) },
    lanes: lanesOf(optionOf(given, 'lanes')),
  };
}
