/** SHA-2 of a message in pieces. */
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, lend, type End } from '../calls/lifetime.ts';
import { Bytes } from '../engine/intrinsics.ts';
import { Absorber } from './absorber.ts';
import type { Hash } from './hash.ts';
import { SCHEDULE } from './map.ts';
import { read, wipedTo } from './stage.ts';

/** A message in pieces. Made by `sha256.create()` and its siblings. */
export class Sha2 {
  /** The length of a block in bytes. */
  readonly blockLen: number;
  /** The length of a digest in bytes. */
  readonly outputLen: number;
  readonly #hash: Hash;
  #absorber: Absorber;
  #end: End | undefined;

  /** @internal */
  constructor(hash: Hash) {
    this.blockLen = hash.blockLen;
    this.outputLen = hash.outputLen;
    this.#hash = hash;
    this.#absorber = new Absorber(hash, hash.initial, 0);
  }

  /**
   * Absorbs more of the message.
   *
   * @param message - Any number of bytes; not kept.
   * @returns The object.
   * @throws TypeError if it isn't a Uint8Array, Error after `digest` or `destroy`.
   */
  update(message: Uint8Array): this {
    refuseSurplus(arguments, 1);
    checkAlive('Sha2', this.#end);
    const length = lengthOf(message, 'message');
    this.#end = HALF_WAY;
    this.#absorber.update(message, length);
    this.#end = undefined;
    return this;
  }

  /**
   * The digest; ends the object and wipes it.
   *
   * @returns `outputLen` fresh bytes.
   * @throws Error after `digest` or `destroy`.
   */
  digest(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    const out = new Bytes(this.#hash.outputLen);
    this.digestInto(out);
    return out;
  }

  /**
   * Like `digest`, into the caller's bytes.
   *
   * @param out - `outputLen` bytes.
   * @throws TypeError or RangeError if it is not that, Error after `digest` or `destroy`; then nothing is written.
   */
  digestInto(out: Uint8Array): void {
    refuseSurplus(arguments, 1);
    checkAlive('Sha2', this.#end);
    lengthOf(out, 'out', this.#hash.outputLen);
    lend(this.#hash.instance(), SCHEDULE, wipedTo(this.#hash.blockLen), (kernel) => {
      this.#absorber.finish(kernel);
      read(kernel, this.#hash, out);
    });
    this.#end = 'digest()';
    this.#absorber.wipe();
  }

  /**
   * A second, independent object in the same state.
   *
   * @throws Error after `digest` or `destroy`.
   */
  clone(): Sha2 {
    refuseSurplus(arguments, 0);
    checkAlive('Sha2', this.#end);
    const twin = new Sha2(this.#hash);
    twin.#absorber = this.#absorber.copy();
    return twin;
  }

  /** Wipes the object; it can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#end = 'destroy()';
    this.#absorber.wipe();
  }
}
