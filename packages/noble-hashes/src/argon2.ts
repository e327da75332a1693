/** Argon2 in noble's shape. */
import type { Argon2Options, Argon2SyncOptions } from 'lanewise/argon2.js';
import { sizeOf } from '../../drop-ins/src/message.ts';
import { answered, dressed, isInteger, isTick, plainOf, type Call, type Encode } from './calls.ts';

type Derive<Key> = (password: Uint8Array, salt: Uint8Array, options: Argon2SyncOptions) => Key;
/** The options that a version takes unless they are given. */
type Defaults = Readonly<Record<string, unknown>>;

/** The differences between versions. */
interface Version {
  readonly defaults: Defaults;
  readonly encode: Encode;
}

const MOST_32 = 2 ** 32 - 1;
const MOST_LANES = 2 ** 24 - 1;
const LEAST_SALT = 8;
/** The matrix that fits into a memory of WebAssembly, with some room for the rest, in KiB. */
const MOST_MEMORY = 2 ** 22 - 2 ** 10;

/** The costs that ours take, or undefined. A block is 1 KiB; the original counts whole blocks of each lane against `maxmem`. */
function costsOf(options: Readonly<Record<string, unknown>>): Argon2SyncOptions | undefined {
  const { t, m, p, version, dkLen, maxmem, asyncTick } = options;
  const isOurs =
    isInteger(t, 1, MOST_32) &&
    isInteger(p, 1, MOST_LANES) &&
    isInteger(m, 8 * p, MOST_MEMORY) &&
    isInteger(dkLen, 4, MOST_32) &&
    // Version 1 cuts others down to a multiple of four.
    (dkLen <= 64 || dkLen % 4 === 0) &&
    (version === 0x10 || version === 0x13) &&
    isInteger(maxmem, 4096 * p * Math.floor(m / (4 * p)), MOST_32) &&
    isTick(asyncTick);
  return isOurs ? { t, m, p, version, dkLen, maxmem: 2 ** 32 } : undefined;
}

/** Undefined for the calls of the original. */
function derived<Key>(
  derive: Derive<Key>,
  [password, salt, options]: readonly unknown[],
  { defaults, encode }: Version,
  isSync: boolean,
): Key | undefined {
  const plain = options === undefined ? {} : plainOf(options);
  // Versions treat null differently.
  if (!plain || Object.values(plain).includes(null)) return undefined;
  const its: Record<string, unknown> = { version: 0x13, dkLen: 32, asyncTick: 10, ...defaults };
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) its[name] = value;
  const { key = new Uint8Array(0), personalization = new Uint8Array(0), onProgress } = its;
  const costs = costsOf(its);
  if (!costs || (onProgress !== undefined && (isSync || typeof onProgress !== 'function'))) return undefined;
  const progress = isSync ? {} : { onProgress: onProgress as Argon2Options['onProgress'] };
  return answered([password, salt, key, personalization], encode, (bytes, itsSalt, secret, ad) =>
    sizeOf(itsSalt) < LEAST_SALT ? undefined : derive(bytes, itsSalt, { ...costs, ...progress, secret, ad }),
  );
}

/** A function that returns the key; it can't report progress, so calls that want that are the original's. */
export const syncOf = <Theirs extends object>(theirs: Theirs, derive: Derive<Uint8Array>, version: Version): Theirs =>
  dressed(
    (password, salt, options) =>
      derived(derive, [password, salt, options], version, true) ?? (theirs as unknown as Call)(password, salt, options),
    theirs,
  );

/** `atOnce` answers calls without progress in version 1, which never gives way to the event loop. */
export const asyncOf = <Theirs extends object>(
  theirs: Theirs,
  derive: Derive<Promise<Uint8Array>>,
  version: Version,
  atOnce?: Derive<Uint8Array>,
): Theirs =>
  dressed(
    // eslint-disable-next-line @typescript-eslint/require-await -- errors become reasons of the promise, as in the original
    async (password, salt, options) =>
      (atOnce && derived<unknown>(atOnce, [password, salt, options], version, true)) ??
      derived(derive, [password, salt, options], version, false) ??
      (theirs as unknown as Call)(password, salt, options),
    theirs,
  );
