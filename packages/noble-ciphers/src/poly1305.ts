/** Poly1305 in pieces, in noble's shape. */
import { poly1305, type Poly1305 as Ours } from 'lanewise/poly1305.js';
import { partOf, sizeOf } from './plain.ts';

/** The differences between the versions of the original. */
export interface Checks {
  readonly aexists: (instance: unknown) => void;
  readonly aoutput: (output: unknown, instance: unknown) => void;
  /** Checks that the argument is a key, and returns its 32 bytes. */
  readonly key: (value: unknown) => Uint8Array;
  /** Checks that the argument is a message, and returns its bytes. */
  readonly message: (value: unknown) => Uint8Array;
  /** The result of `digestInto`. */
  readonly result: (output: Uint8Array) => Uint8Array | undefined;
}

/** A message up to this length is kept, and its tag computed in one call: a call for each small piece would take longer. */
const HELD_BYTES = 256;

/** The class of one version. */
export interface Poly1305 {
  readonly blockLen: number;
  readonly outputLen: number;
  update(message: Uint8Array): this;
  digestInto(output: Uint8Array): Uint8Array | undefined;
  digest(): Uint8Array;
  destroy(): void;
}

export function poly1305Of({
  aexists,
  aoutput,
  key,
  message,
  result,
}: Checks): new (oneTimeKey: Uint8Array) => Poly1305 {
  return class Poly1305 {
    readonly blockLen = 16;
    readonly outputLen = 16;
    // The checks of the originals read these two.
    protected finished = false;
    protected destroyed = false;
    readonly #key: Uint8Array;
    /** The message, while it is short, and afterwards an object that has absorbed all of it. */
    #held: Uint8Array | undefined;
    #length = 0;
    #mac: Ours | undefined;

    constructor(oneTimeKey: Uint8Array) {
      this.#key = new Uint8Array(key(oneTimeKey));
    }

    update(data: Uint8Array): this {
      aexists(this);
      const bytes = message(data);
      const length = this.#length + sizeOf(bytes);
      if (!this.#mac && length <= HELD_BYTES) {
        this.#held ??= new Uint8Array(HELD_BYTES);
        this.#held.set(bytes, this.#length);
        this.#length = length;
        return this;
      }
      this.#mac ??= poly1305.create(this.#key).update(this.#message());
      this.#mac.update(bytes);
      return this;
    }

    #message(): Uint8Array {
      return this.#held?.subarray(0, this.#length) ?? new Uint8Array(0);
    }

    digestInto(output: Uint8Array): Uint8Array | undefined {
      aexists(this);
      aoutput(output, this);
      this.finished = true;
      if (this.#mac) this.#mac.digestInto(partOf(output, 0, this.outputLen));
      else output.set(poly1305(this.#message(), this.#key));
      return result(output);
    }

    digest(): Uint8Array {
      const tag = new Uint8Array(this.outputLen);
      this.digestInto(tag);
      this.destroy();
      return tag;
    }

    destroy(): void {
      this.destroyed = true;
      this.#key.fill(0);
      this.#held?.fill(0, 0, this.#length);
      this.#mac?.destroy();
    }
  };
}
