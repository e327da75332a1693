/** HMAC, HKDF and PBKDF2 in noble's shape. Ours take the functions of this package for SHA-2; over other hashes they are the original's. */
import { expand, extract, hkdf, hmac, pbkdf2, pbkdf2Sync, type Sha2Function } from 'lanewise/sha2.js';
import { sizeOf } from '../../drop-ins/src/message.ts';
import { answered, dressed, isInteger, isTick, plainOf, type Call, type Encode } from './calls.ts';
import { oursOf } from './sha2.ts';

const LENGTH = 32;
const MOST_ITERATIONS = 2 ** 32 - 1;

/** `hmac`; its objects for messages in pieces are the original's. */
export const hmacOf = <Theirs extends object>(theirs: Theirs, encode: Encode): Theirs =>
  dressed((hash: unknown, key: unknown, message: unknown) => {
    const ours = oursOf(hash);
    return (
      (ours && answered([key, message], encode, (itsKey, bytes) => hmac(ours, itsKey, bytes))) ??
      (theirs as unknown as Call)(hash, key, message)
    );
  }, theirs);

/** Arguments that may be left out. */
const given = (...values: readonly unknown[]): unknown[] => values.filter((value) => value !== undefined);

const isLength = (ours: Sha2Function, length: unknown): length is number => isInteger(length, 0, 255 * ours.outputLen);

export const extractOf = <Theirs extends object>(theirs: Theirs, encode: Encode): Theirs =>
  dressed((hash, input, salt) => {
    const ours = oursOf(hash);
    return (
      (ours &&
        input !== undefined &&
        answered(given(input, salt), encode, (bytes, itsSalt?: Uint8Array) => extract(ours, bytes, itsSalt))) ||
      (theirs as unknown as Call)(hash, input, salt)
    );
  }, theirs);

/** Version 2 refuses keys that are shorter than a digest. */
export const expandOf = <Theirs extends object>(theirs: Theirs, encode: Encode): Theirs =>
  dressed((hash, key, info, length, ...others) => {
    const ours = oursOf(hash);
    const size = length === undefined ? LENGTH : length;
    return (
      (ours &&
        key !== undefined &&
        isLength(ours, size) &&
        others.length === 0 &&
        answered(given(key, info), encode, (bytes, itsInfo?: Uint8Array) =>
          sizeOf(bytes) < ours.outputLen ? undefined : expand(ours, bytes, itsInfo, size),
        )) ||
      (theirs as unknown as Call)(hash, key, info, length, ...others)
    );
  }, theirs);

export const hkdfOf = <Theirs extends object>(theirs: Theirs, encode: Encode): Theirs =>
  dressed((hash, input, salt, info, length) => {
    const ours = oursOf(hash);
    const size = length === undefined ? LENGTH : length;
    return (
      (ours &&
        input !== undefined &&
        isLength(ours, size) &&
        answered(given(input, salt, info), encode, (bytes, ...rest) =>
          hkdf(
            ours,
            bytes,
            salt === undefined ? undefined : rest[0],
            info === undefined ? undefined : rest.at(-1),
            size,
          ),
        )) ||
      (theirs as unknown as Call)(hash, input, salt, info, length)
    );
  }, theirs);

interface Costs {
  readonly c: number;
  readonly dkLen: number;
}

/** The options that ours take. */
function costsOf(ours: Sha2Function, options: unknown): Costs | undefined {
  const plain = plainOf(options);
  if (!plain) return undefined;
  const { c, dkLen, asyncTick } = { dkLen: LENGTH, asyncTick: 10, ...plain } as Record<string, unknown>;
  return isInteger(c, 1, MOST_ITERATIONS) && isInteger(dkLen, 1, MOST_ITERATIONS * ours.outputLen) && isTick(asyncTick)
    ? { c, dkLen }
    : undefined;
}

/** Undefined for the calls of the original. */
function derived<Key>(
  derive: (hash: Sha2Function, password: Uint8Array, salt: Uint8Array, costs: Costs) => Key,
  [hash, password, salt, options]: readonly unknown[],
  encode: Encode,
): Key | undefined {
  const ours = oursOf(hash);
  const costs = ours && costsOf(ours, options);
  return costs && answered([password, salt], encode, (bytes, itsSalt) => derive(ours, bytes, itsSalt, costs));
}

export const pbkdf2Of = <Theirs extends object>(theirs: Theirs, encode: Encode): Theirs =>
  dressed(
    (hash, password, salt, options) =>
      derived(pbkdf2Sync, [hash, password, salt, options], encode) ??
      (theirs as unknown as Call)(hash, password, salt, options),
    theirs,
  );

/** Version 1 never gives way to the event loop, so there `isAtOnce`: a program of microtasks alone would wait for ours for ever. */
export const pbkdf2AsyncOf = <Theirs extends object>(theirs: Theirs, encode: Encode, isAtOnce: boolean): Theirs =>
  dressed(
    // eslint-disable-next-line @typescript-eslint/require-await -- errors become reasons of the promise, as in the original
    async (hash, password, salt, options) =>
      derived<unknown>(isAtOnce ? pbkdf2Sync : pbkdf2, [hash, password, salt, options], encode) ??
      (theirs as unknown as Call)(hash, password, salt, options),
    theirs,
  );
