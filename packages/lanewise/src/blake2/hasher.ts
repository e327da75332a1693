/** BLAKE2 in pieces: an object that absorbs a message. */
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, lend, type End } from '../calls/lifetime.ts';
import { Bytes, copyBytes, copyExactly, copyOf, fillBytes, floor, min, part } from '../engine/intrinsics.ts';
import { absorb, begin, secretsTo } from './chain.ts';
import { H } from './map.ts';
import type { Mode } from './options.ts';
import type { Variant } from './variants.ts';

/** A message in pieces. Made by `blake2b.create` and `blake2s.create`. */
export class Blake2 {
  /** The length of a block in bytes: 128 of BLAKE2b, 64 of BLAKE2s. */
  readonly blockLen: number;
  /** The length of the digest in bytes. */
  readonly outputLen: number;
  readonly #variant: Variant;
  /** The chaining value, and the bytes after the last block that was compressed: at least one of them ends the message. */
  #chain: Uint8Array;
  #block: Uint8Array;
  #pending = 0;
  /** The number of bytes that were compressed, a key's block included. */
  #count = 0;
  #end: End | undefined;

  /** @internal */
  constructor(variant: Variant, mode: Mode) {
    this.#variant = variant;
    this.blockLen = variant.blockBytes;
    this.outputLen = mode.length;
    this.#chain = new Bytes(variant.mostBytes);
    this.#block = new Bytes(variant.blockBytes);
    lend(variant.instance(), H, secretsTo(0), (kernel) => {
      begin(kernel, variant, mode);
      kernel.read(H, variant.mostBytes, this.#chain);
    });
    if (!mode.keyLength) return;
    // §3.3: the key, padded with zeros to a block, comes before the message.
    copyExactly(this.#block, 0, mode.key, mode.keyLength);
    this.#pending = variant.blockBytes;
  }

  /**
   * Absorbs more of the message.
   *
   * @param message - Any number of bytes; not kept.
   * @returns The object.
   * @throws TypeError if it isn't a Uint8Array, Error after `digest` or `destroy`. If it throws anything else, as when the stack
   * overflows, a part may have been absorbed: from then on the object refuses all but `destroy`.
   */
  update(message: Uint8Array): this {
    refuseSurplus(arguments, 1);
    checkAlive('BLAKE2', this.#end);
    const length = lengthOf(message, 'message');
    this.#end = HALF_WAY;
    this.#absorb(message, length);
    this.#end = undefined;
    return this;
  }

  /**
   * The digest; ends the object and wipes it.
   *
   * @returns `dkLen` fresh bytes.
   * @throws Error after `digest` or `destroy`.
   */
  digest(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    const out = new Bytes(this.outputLen);
    this.digestInto(out);
    return out;
  }

  /**
   * Like `digest`, into the caller's bytes.
   *
   * @param out - As long as the digest.
   * @throws TypeError or RangeError if it is not that, Error after `digest` or `destroy`; then nothing is written.
   */
  digestInto(out: Uint8Array): void {
    refuseSurplus(arguments, 1);
    checkAlive('BLAKE2', this.#end);
    lengthOf(out, 'out', this.outputLen);
    const pending = this.#pending;
    this.#end = HALF_WAY;
    lend(this.#variant.instance(), H, secretsTo(pending), (kernel) => {
      kernel.write(H, this.#variant.mostBytes, this.#chain);
      absorb(kernel, this.#variant, this.#block, pending, this.#count, true);
      kernel.read(H, this.outputLen, out);
    });
    this.#wipe('digest()');
  }

  /**
   * A second, independent object in the same state.
   *
   * @throws Error after `digest` or `destroy`.
   */
  clone(): Blake2 {
    refuseSurplus(arguments, 0);
    checkAlive('BLAKE2', this.#end);
    const nothing = new Bytes(this.#variant.mostBytes);
    const twin = new Blake2(this.#variant, { length: this.outputLen, parameters: nothing, key: nothing, keyLength: 0 });
    twin.#chain = copyOf(this.#chain);
    twin.#block = copyOf(this.#block);
    twin.#pending = this.#pending;
    twin.#count = this.#count;
    return twin;
  }

  /** Wipes the object's state, which a key or a message has left; it can no longer be used. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#wipe('destroy()');
  }

  #absorb(message: Uint8Array, length: number): void {
    const { blockBytes, mostBytes } = this.#variant;
    // At least one byte stays, because the last block is compressed with a flag.
    let done = min(length, blockBytes - this.#pending);
    if (done) copyExactly(this.#block, this.#pending, part(message, 0, done), done);
    this.#pending += done;
    if (done === length) return;
    const blocks = floor((length - done - 1) / blockBytes) * blockBytes;
    lend(this.#variant.instance(), H, secretsTo(length), (kernel) => {
      kernel.write(H, mostBytes, this.#chain);
      absorb(kernel, this.#variant, this.#block, blockBytes, this.#count, false);
      if (blocks) absorb(kernel, this.#variant, part(message, done, blocks), blocks, this.#count + blockBytes, false);
      kernel.read(H, mostBytes, this.#chain);
    });
    this.#count += blockBytes + blocks;
    done += blocks;
    this.#pending = length - done;
    copyBytes(this.#block, part(message, done, this.#pending));
  }

  /** Marks the object as ended before wiping it: if wiping is interrupted, a half-wiped state cannot be used. */
  #wipe(by: End): void {
    this.#end = by;
    fillBytes(this.#chain, 0);
    fillBytes(this.#block, 0);
    this.#pending = this.#count = 0;
  }
}
