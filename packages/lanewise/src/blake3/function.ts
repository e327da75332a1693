/** BLAKE3 as a function of a message, and the constructors of hashers. */
import { hash as digestOf } from './hash.ts';
import { Blake3 } from './hasher.ts';
import { wipeDerived } from './mode.ts';
import { modeOf, type Blake3Options } from './options.ts';
import { lengthOf, refuseSurplus } from '../calls/checks.ts';

/** {@link blake3} */
export interface Blake3Function {
  (message: Uint8Array, options?: Blake3Options): Uint8Array<ArrayBuffer>;
  /**
   * Makes a hasher for messages that come in pieces, and for output in pieces.
   *
   * @param options - As for the call; key and context are copied.
   * @returns A hasher of the empty message.
   * @throws TypeError or RangeError if an option is not of its form, Error if there are both `key` and `context`.
   */
  create(options?: Blake3Options): Blake3;
  /**
   * Restores a hasher from the bytes that `save` returned.
   *
   * @param state - The bytes; copied.
   * @returns A hasher in that state.
   * @throws TypeError if that isn't a Uint8Array, RangeError if it isn't a saved state of this version.
   */
  load(state: Uint8Array): Blake3;
  /** 64 bytes. */
  readonly blockLen: number;
  /** 32 bytes, unless `dkLen` says otherwise. */
  readonly outputLen: number;
}

/** Makes the function: one with methods, and one without, whose bundle has no hasher. */
const make = () =>
  function digest(message: Uint8Array, options?: Blake3Options): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 2);
    const mode = modeOf(options);
    try {
      // The length is read after the options, whose getters may change it.
      return digestOf(message, lengthOf(message, 'message'), mode);
    } finally {
      wipeDerived(mode);
    }
  };

/**
 * The digest alone, as `blake3(message, options)`: a bundle that imports only this is a tenth smaller, because it has no hasher, no
 * saved states and no output in pieces.
 *
 * @param message - Any number of bytes.
 * @param options - `key`, `context` and `dkLen`, as for {@link blake3}.
 * @returns Fresh bytes: 32, or `dkLen`.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error if there are both
 * `key` and `context`.
 * @example
 * ```ts
 * import { hash } from 'lanewise/blake3.js';
 * const digest = hash(new TextEncoder().encode('hello'));
 * ```
 */
export const hash: (message: Uint8Array, options?: Blake3Options) => Uint8Array<ArrayBuffer> = /* @__PURE__ */ make();

/**
 * BLAKE3 of a message: §2 of the paper. To derive keys take `context`: HKDF and PBKDF2 of other libraries do not take this
 * hash, because they want to see into its state.
 *
 * @param message - Any number of bytes.
 * @param options - `key`: 32 bytes, for the keyed hash (a MAC). `context`: a string or bytes, for deriving keys; the
 * message then is the key material. Not both. `dkLen`: how many bytes to give, 32 unless given.
 * @returns Fresh bytes.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error if there are both
 * `key` and `context`.
 * @example
 * ```ts
 * import { blake3 } from 'lanewise/blake3.js';
 * const message = new TextEncoder().encode('hello');
 * const digest = blake3(message);
 * const tag = blake3(message, { key: new Uint8Array(32) });
 * const subkey = blake3(message, { context: 'example.org 2026-11-21 session keys', dkLen: 64 });
 * const again = blake3.create().update(message.subarray(0, 2)).update(message.subarray(2)).digest();
 * ```
 */
export const blake3: Blake3Function = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign(/* @__PURE__ */ make(), {
    create(options?: Blake3Options): Blake3 {
      refuseSurplus(arguments, 1);
      const mode = modeOf(options);
      const hasher = new Blake3(mode);
      wipeDerived(mode);
      return hasher;
    },
    load(state: Uint8Array): Blake3 {
      refuseSurplus(arguments, 1);
      return Blake3.load(state);
    },
    blockLen: 64,
    outputLen: 32,
  }),
);
