/** BLAKE2 in noble's shape: a message that is all there goes to our functions, and one in pieces is the original's. */
import type { Blake2Function, Blake2Options } from 'lanewise/blake2.js';
import { isMessage, sizeOf } from '../../drop-ins/src/message.ts';
import { answered, dressed, isInteger, plainOf, type Call, type Encode } from './calls.ts';

/** Options that our function answers, or undefined for others. */
function optionsOf(options: unknown, most: number): Blake2Options | undefined {
  const plain = plainOf(options);
  if (!plain || ['dkLen', 'key', 'salt', 'personalization'].some((name) => name in Object.prototype)) return undefined;
  const { dkLen = most, key, salt, personalization } = plain;
  const isAbsentOr = (value: unknown, least: number, longest: number): boolean =>
    value === undefined || (isMessage(value) && isInteger(sizeOf(value), least, longest));
  return isInteger(dkLen, 1, most) &&
    isAbsentOr(key, 1, most) &&
    isAbsentOr(salt, most / 4, most / 4) &&
    isAbsentOr(personalization, most / 4, most / 4)
    ? ({ dkLen, key, salt, personalization } as Blake2Options)
    : undefined;
}

/** Version 1 takes texts as messages. */
export function hashOf<Hash extends object>(theirs: Hash, ours: Blake2Function, encode: Encode): Hash {
  const answer = (message: unknown, options: unknown): unknown => {
    const its = options === undefined ? {} : optionsOf(options, ours.outputLen);
    if (!its) return undefined;
    return isMessage(message) ? ours(message, its) : answered([message], encode, (bytes) => ours(bytes, its));
  };
  return dressed(
    (message: unknown, options: unknown) => answer(message, options) ?? (theirs as unknown as Call)(message, options),
    theirs,
  );
}
