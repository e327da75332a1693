/** Poly1305 of one message, whole or in pieces. */
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, lend, type End } from '../calls/lifetime.ts';
import { PAGE_BYTES, type Instance } from '../engine/instance.ts';
import { Bytes, copyExactly, fillBytes, min, part } from '../engine/intrinsics.ts';
import { KEY, PAGES, STAGE, STAGE_BYTES, STATE, STATE_BYTES, TAG } from './map.ts';
import { type Functions } from './module.ts';
import { poly1305Instance } from './binding.ts';

const KEY_BYTES = 32;
const TAG_BYTES = 16;
const BLOCK_BYTES = 16;

/** Poly1305 of a message that comes in pieces. Made by `poly1305.create`. */
class Poly1305 {
  /** 16 bytes. */
  readonly blockLen: number = BLOCK_BYTES;
  /** 16 bytes. */
  readonly outputLen: number = TAG_BYTES;
  readonly #state = new Bytes(STATE_BYTES);
  /** The bytes that are not absorbed yet: fewer than a block. */
  readonly #rest = new Bytes(BLOCK_BYTES);
  #restLength = 0;
  #started = false;
  #end: End | undefined;

  /** @internal */
  constructor(key: Uint8Array) {
    lengthOf(key, 'key', KEY_BYTES);
    copyExactly(this.#state, KEY, key, KEY_BYTES);
  }

  /**
   * Absorbs more of the message.
   *
   * @param message - Any number of bytes; not kept.
   * @returns The object.
   * @throws TypeError if it isn't a Uint8Array, Error after `digest` or `destroy`. If it throws anything else, as when the
   * stack overflows, a part may have been absorbed: from then on the object refuses all but `destroy`.
   */
  update(message: Uint8Array): this {
    refuseSurplus(arguments, 1);
    checkAlive('Poly1305', this.#end);
    const length = lengthOf(message, 'message');
    if (this.#restLength + length < BLOCK_BYTES) {
      copyExactly(this.#rest, this.#restLength, message, length);
      this.#restLength += length;
      return this;
    }
    this.#withState((kernel) => {
      // The stage starts with the bytes left over from the last call, so that whole blocks are absorbed.
      for (let done = 0; done < length;) {
        kernel.write(STAGE, this.#restLength, part(this.#rest, 0, this.#restLength));
        const size = min(length - done, STAGE_BYTES - this.#restLength);
        kernel.write(STAGE + this.#restLength, size, part(message, done, size));
        const staged = this.#restLength + size;
        this.#restLength = staged % BLOCK_BYTES;
        kernel.run.absorb(staged >>> 4);
        kernel.read(STAGE + staged - this.#restLength, this.#restLength, this.#rest);
        done += size;
      }
    });
    return this;
  }

  /**
   * The tag of all that was absorbed; ends the object and wipes it.
   *
   * @returns 16 fresh bytes.
   * @throws Error after `digest` or `destroy`.
   */
  digest(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    const tag = new Bytes(TAG_BYTES);
    this.digestInto(tag);
    return tag;
  }

  /**
   * Like `digest`, into the caller's bytes.
   *
   * @param out - 16 bytes.
   * @throws TypeError or RangeError if it is not that, Error after `digest` or `destroy`; then nothing is written.
   */
  digestInto(out: Uint8Array): void {
    refuseSurplus(arguments, 1);
    checkAlive('Poly1305', this.#end);
    lengthOf(out, 'out', TAG_BYTES);
    this.#withState((kernel) => {
      kernel.write(STAGE, BLOCK_BYTES, this.#rest);
      kernel.run.finish(this.#restLength);
      kernel.read(TAG, TAG_BYTES, out);
    });
    this.#wipe('digest()');
  }

  /** Wipes the object; it can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#wipe('destroy()');
  }

  /** Lends memory to this object's state for one call. */
  #withState(work: (kernel: Instance<Functions>) => void): void {
    this.#end = HALF_WAY;
    lend(poly1305Instance(), STATE, PAGES * PAGE_BYTES, (kernel) => {
      kernel.write(STATE, STATE_BYTES, this.#state);
      if (!this.#started) kernel.run.start();
      this.#started = true;
      work(kernel);
      kernel.read(STATE, STATE_BYTES, this.#state);
    });
    this.#end = undefined;
  }

  #wipe(by: End): void {
    fillBytes(this.#state, 0);
    fillBytes(this.#rest, 0);
    this.#end = by;
  }
}

export type { Poly1305 };

/** {@link poly1305} */
export interface Poly1305Function {
  (message: Uint8Array, key: Uint8Array): Uint8Array<ArrayBuffer>;
  /**
   * Makes an object for a message that comes in pieces.
   *
   * @param key - 32 bytes; copied.
   * @returns An object with `update` and `digest`.
   * @throws TypeError or RangeError if the key is not of that form.
   */
  create(key: Uint8Array): Poly1305;
  /** 16 bytes. */
  readonly blockLen: number;
  /** 16 bytes. */
  readonly outputLen: number;
}

function mac(kernel: Instance<Functions>, message: Uint8Array, length: number, key: Uint8Array, tag: Uint8Array): void {
  kernel.write(STATE + KEY, KEY_BYTES, key);
  kernel.write(STAGE, length, message);
  kernel.run.mac(length);
  kernel.read(TAG, TAG_BYTES, tag);
}

function tagOf(message: Uint8Array, key: Uint8Array): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 2);
  const length = lengthOf(message, 'message');
  if (length > STAGE_BYTES) return new Poly1305(key).update(message).digest();
  lengthOf(key, 'key', KEY_BYTES);
  const tag = new Bytes(TAG_BYTES);
  lend(poly1305Instance(), STATE, STAGE + length + BLOCK_BYTES, mac, message, length, key, tag);
  return tag;
}

/**
 * Poly1305, RFC 8439 §2.5: the tag of a message under a key that is used for **one** message only. Two tags under one
 * key give it away; for a protocol take an AEAD of `lanewise/chacha.js` instead.
 *
 * @param message - Any number of bytes.
 * @param key - 32 bytes.
 * @returns 16 fresh bytes. Compare tags with `equalBytes` of `lanewise/utils.js`.
 * @throws TypeError or RangeError if an argument is not of that form.
 * @example
 * ```ts
 * import { poly1305 } from 'lanewise/poly1305.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const tag = poly1305(new TextEncoder().encode('one message'), key);
 * const again = poly1305.create(key).update(new TextEncoder().encode('one ')).update(new TextEncoder().encode('message')).digest();
 * ```
 */
export const poly1305: Poly1305Function = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign(tagOf, {
    create(key: Uint8Array): Poly1305 {
      refuseSurplus(arguments, 1);
      return new Poly1305(key);
    },
    blockLen: BLOCK_BYTES,
    outputLen: TAG_BYTES,
  }),
);
