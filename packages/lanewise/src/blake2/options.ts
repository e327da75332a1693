/** The options of BLAKE2, checked, and the parameter block that they make. RFC 7693 §2.5, §2.8 */
import { lengthOf, sizeOf } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { Bytes, copyExactly } from '../engine/intrinsics.ts';
import type { Variant } from './variants.ts';

/** The options of BLAKE2b and BLAKE2s. */
export interface Blake2Options {
  /** The length of the digest in bytes, from 1 to 64 (BLAKE2s: to 32), which it is unless given. */
  readonly dkLen?: number | undefined;
  /** A key of 1 to 64 bytes (BLAKE2s: to 32): the digest is a MAC. */
  readonly key?: Uint8Array | undefined;
  /** 16 bytes (BLAKE2s: 8). Zeros are the same as none. */
  readonly salt?: Uint8Array | undefined;
  /** 16 bytes (BLAKE2s: 8) that tell one use of a hash from all others. Zeros are the same as none. */
  readonly personalization?: Uint8Array | undefined;
}

const OPTIONS = {
  __proto__: null,
  dkLen: 1,
  key: 1,
  salt: 1,
  personalization: 1,
  personal: 'it is personalization here',
} as const;

/** A digest's length, and the bytes from which its computation starts. */
export interface Mode {
  readonly length: number;
  readonly parameters: Uint8Array;
  /** The caller's own; anything if there is none. */
  readonly key: Uint8Array;
  readonly keyLength: number;
}

/** An integer of the right size, or the error that names the bounds. */
function digestLength(value: unknown, most: number): number {
  if (value === undefined) return most;
  if (typeof value === 'number' && value > most)
    throw new RangeError(`"dkLen" expected integer from 1 to ${most}, got ${value}`);
  return sizeOf(value, 'dkLen', 1);
}

function keyLengthOf(key: unknown, most: number): number {
  if (key === undefined) return 0;
  const length = lengthOf(key, 'key');
  if (length === 0 || length > most)
    throw new RangeError(`"key" expected Uint8Array of length 1 to ${most}, got length=${length}`);
  return length;
}

/** Checks the options; the key is not copied. */
export function modeOf({ mostBytes, saltBytes }: Variant, options: Blake2Options | undefined): Mode {
  const given = optionsOf(options, OPTIONS);
  const length = digestLength(optionOf(given, 'dkLen'), mostBytes);
  const key = optionOf(given, 'key');
  const keyLength = keyLengthOf(key, mostBytes);
  const parameters = new Bytes(mostBytes);
  // Fan-out and depth are 1: there is no tree.
  parameters[0] = length;
  parameters[1] = keyLength;
  parameters[2] = parameters[3] = 1;
  const take = (name: 'salt' | 'personalization', at: number): void => {
    const value = optionOf(given, name);
    if (value === undefined) return;
    lengthOf(value, name, saltBytes);
    copyExactly(parameters, at, value as Uint8Array, saltBytes);
  };
  take('salt', mostBytes - 2 * saltBytes);
  take('personalization', mostBytes - saltBytes);
  return { length, parameters, key: keyLength ? (key as Uint8Array) : parameters, keyLength };
}
