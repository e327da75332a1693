/** The hash functions of SHA-2, as callers have them and as the rest of the room does. */
import { lengthOf, refuseSurplus, typeOf } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { assign, Bytes, freeze, getWeak, setWeak } from '../engine/intrinsics.ts';
import { sha256Instance, sha512Instance, writeWords } from './binding.ts';
import { SHA224_INITIAL, SHA256_INITIAL, SHA384_INITIAL, SHA512_256_INITIAL, SHA512_INITIAL } from './constants.ts';
import type { Hash } from './hash.ts';
import { Sha2 } from './hasher.ts';
import { SCHEDULE, STATE } from './map.ts';
import type { Functions } from './module.ts';
import { finish, read, stage, wipedTo } from './stage.ts';

/** A hash function of SHA-2: {@link sha256} and its siblings. */
export interface Sha2Function {
  (message: Uint8Array): Uint8Array<ArrayBuffer>;
  /**
   * Makes an object for a message that comes in pieces.
   *
   * @returns The object: `update(bytes)` any number of times, then `digest()`.
   * @throws TypeError if there is an argument.
   */
  create(): Sha2;
  /** The length of a block in bytes: 64 of SHA-224 and SHA-256, 128 of the others. */
  readonly blockLen: number;
  /** The length of a digest in bytes. */
  readonly outputLen: number;
}

const hashes = /* @__PURE__ */ new WeakMap<object, Hash>();

/** The hash function that an argument of the caller is. */
export function hashOf(value: unknown): Hash {
  const hash = getWeak(hashes, value as object);
  if (!hash)
    throw new TypeError(
      `"hash" expected sha224, sha256, sha384, sha512 or sha512_256 of lanewise/sha2.js, got ${typeOf(value)}`,
    );
  return hash;
}

/** The digest of a message of `length` bytes. */
export function digestOf(hash: Hash, message: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const digest = new Bytes(hash.outputLen);
  lend(hash.instance(), SCHEDULE, wipedTo(length), digestStaged, hash, message, length, digest);
  return digest;
}

function digestStaged(
  kernel: Instance<Functions>,
  hash: Hash,
  message: Uint8Array,
  length: number,
  digest: Uint8Array,
): void {
  kernel.write(STATE, hash.initial.length, hash.initial);
  finish(kernel, hash, stage(kernel, hash, 0, message, length), length);
  read(kernel, hash, digest);
}

/** Defines a function. The words of its initial value have `outputLen` bytes or more. */
function define(instance: () => Instance<Functions>, table: string, wordBytes: 4 | 8, outputLen: number): Sha2Function {
  const initial = new Bytes(8 * wordBytes);
  writeWords(initial, 0, table, wordBytes);
  const hash: Hash = { instance, blockLen: 16 * wordBytes, outputLen, initial };
  const its = freeze(
    assign(
      function (message: Uint8Array): Uint8Array<ArrayBuffer> {
        refuseSurplus(arguments, 1);
        return digestOf(hash, message, lengthOf(message, 'message'));
      },
      {
        create(): Sha2 {
          refuseSurplus(arguments, 0);
          return new Sha2(hash);
        },
        blockLen: hash.blockLen,
        outputLen,
      },
    ),
  );
  setWeak(hashes, its, hash);
  return its;
}

/**
 * SHA-256 of a message (FIPS 180-4 §6.2).
 *
 * @param message - Any number of bytes.
 * @returns 32 fresh bytes.
 * @throws TypeError if the argument isn't a Uint8Array.
 * @example
 * ```ts
 * import { sha256 } from 'lanewise/sha2.js';
 * const message = new TextEncoder().encode('abc');
 * const digest = sha256(message);
 * const again = sha256.create().update(message.subarray(0, 1)).update(message.subarray(1)).digest();
 * ```
 */
export const sha256: Sha2Function = /* @__PURE__ */ define(sha256Instance, SHA256_INITIAL, 4, 32);

/**
 * SHA-224 of a message (FIPS 180-4 §6.3): SHA-256 with another initial value, cut off.
 *
 * @param message - Any number of bytes.
 * @returns 28 fresh bytes.
 * @throws TypeError if the argument isn't a Uint8Array.
 * @example
 * ```ts
 * import { sha224 } from 'lanewise/sha2.js';
 * console.log(sha224(new Uint8Array(3)).length); // prints 28
 * ```
 */
export const sha224: Sha2Function = /* @__PURE__ */ define(sha256Instance, SHA224_INITIAL, 4, 28);

/**
 * SHA-512 of a message (FIPS 180-4 §6.4).
 *
 * @param message - Any number of bytes.
 * @returns 64 fresh bytes.
 * @throws TypeError if the argument isn't a Uint8Array.
 * @example
 * ```ts
 * import { sha512 } from 'lanewise/sha2.js';
 * console.log(sha512(new Uint8Array(3)).length); // prints 64
 * ```
 */
export const sha512: Sha2Function = /* @__PURE__ */ define(sha512Instance, SHA512_INITIAL, 8, 64);

/**
 * SHA-384 of a message (FIPS 180-4 §6.5): SHA-512 with another initial value, cut off.
 *
 * @param message - Any number of bytes.
 * @returns 48 fresh bytes.
 * @throws TypeError if the argument isn't a Uint8Array.
 * @example
 * ```ts
 * import { sha384 } from 'lanewise/sha2.js';
 * console.log(sha384(new Uint8Array(3)).length); // prints 48
 * ```
 */
export const sha384: Sha2Function = /* @__PURE__ */ define(sha512Instance, SHA384_INITIAL, 8, 48);

/**
 * SHA-512/256 of a message (FIPS 180-4 §6.7): SHA-512 with another initial value, cut off. It is faster than SHA-256 and isn't
 * open to length extension.
 *
 * @param message - Any number of bytes.
 * @returns 32 fresh bytes.
 * @throws TypeError if the argument isn't a Uint8Array.
 * @example
 * ```ts
 * import { sha512_256 } from 'lanewise/sha2.js';
 * console.log(sha512_256(new Uint8Array(3)).length); // prints 32
 * ```
 */
export const sha512_256: Sha2Function = /* @__PURE__ */ define(sha512Instance, SHA512_256_INITIAL, 8, 32);
