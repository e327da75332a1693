/** BLAKE2b and BLAKE2s as functions of a message, and the constructors of hashers. */
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { lend } from '../calls/lifetime.ts';
import { Bytes, copyExactly, fillBytes } from '../engine/intrinsics.ts';
import { absorb, begin, secretsTo } from './chain.ts';
import { Blake2 } from './hasher.ts';
import { H } from './map.ts';
import { modeOf, type Blake2Options, type Mode } from './options.ts';
import { variant2b, variant2s, type Variant } from './variants.ts';

/** {@link blake2b} and {@link blake2s} */
export interface Blake2Function {
  (message: Uint8Array, options?: Blake2Options): Uint8Array<ArrayBuffer>;
  /**
   * Makes a hasher for a message that comes in pieces.
   *
   * @param options - As for the call; bytes are copied.
   * @returns A hasher of the empty message.
   * @throws TypeError or RangeError if an option isn't of its form.
   */
  create(options?: Blake2Options): Blake2;
  /** The length of a block in bytes: 128 of BLAKE2b, 64 of BLAKE2s. */
  readonly blockLen: number;
  /** The length of a digest in bytes, unless `dkLen` says otherwise: 64 of BLAKE2b, 32 of BLAKE2s. */
  readonly outputLen: number;
}

function hash(variant: Variant, message: Uint8Array, length: number, mode: Mode): Uint8Array<ArrayBuffer> {
  const { blockBytes } = variant;
  const digest = new Bytes(mode.length);
  lend(variant.instance(), H, secretsTo(length + blockBytes), (kernel) => {
    begin(kernel, variant, mode);
    let before = 0;
    if (mode.keyLength) {
      const block = new Bytes(blockBytes);
      copyExactly(block, 0, mode.key, mode.keyLength);
      absorb(kernel, variant, block, blockBytes, 0, length === 0);
      fillBytes(block, 0);
      before = blockBytes;
    }
    if (!before || length) absorb(kernel, variant, message, length, before, true);
    kernel.read(H, mode.length, digest);
  });
  return digest;
}

function functionOf(variant: Variant): Blake2Function {
  return Object.freeze(
    Object.assign(
      function (message: Uint8Array, options?: Blake2Options): Uint8Array<ArrayBuffer> {
        refuseSurplus(arguments, 2);
        const mode = modeOf(variant, options);
        // The length is read after the options, whose getters may change it.
        return hash(variant, message, lengthOf(message, 'message'), mode);
      },
      {
        create(options?: Blake2Options): Blake2 {
          refuseSurplus(arguments, 1);
          return new Blake2(variant, modeOf(variant, options));
        },
        blockLen: variant.blockBytes,
        outputLen: variant.mostBytes,
      },
    ),
  );
}

/**
 * BLAKE2b of a message, RFC 7693: a hash, or with `key` a MAC. On processors of 64 bits it is the faster of the two.
 *
 * @param message - Any number of bytes.
 * @param options - {@link Blake2Options}: `dkLen` (64 bytes unless given), `key`, `salt`, `personalization`.
 * @returns Fresh bytes.
 * @throws TypeError or RangeError if an argument isn't of that form.
 * @example
 * ```ts
 * import { blake2b } from 'lanewise/blake2.js';
 * const message = new TextEncoder().encode('hello');
 * const digest = blake2b(message, { dkLen: 32 });
 * const tag = blake2b(message, { key: new Uint8Array(32), personalization: new TextEncoder().encode('example.org 2026') });
 * const again = blake2b.create({ dkLen: 32 }).update(message.subarray(0, 2)).update(message.subarray(2)).digest();
 * ```
 */
export const blake2b: Blake2Function = /* @__PURE__ */ functionOf(variant2b);

/**
 * BLAKE2s of a message, RFC 7693: the same for processors of 32 bits, with digests and keys of up to 32 bytes.
 *
 * @param message - Any number of bytes.
 * @param options - {@link Blake2Options}: `dkLen` (32 bytes unless given), `key`, `salt`, `personalization`.
 * @returns Fresh bytes.
 * @throws TypeError or RangeError if an argument isn't of that form.
 * @example
 * ```ts
 * import { blake2s } from 'lanewise/blake2.js';
 * const tag = blake2s(new TextEncoder().encode('hello'), { key: new Uint8Array(32), dkLen: 16 });
 * ```
 */
export const blake2s: Blake2Function = /* @__PURE__ */ functionOf(variant2s);
