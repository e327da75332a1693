/** Poly1305 in pieces, in noble's shape. */
import { poly1305, type Poly1305 as Ours } from 'lanewise/poly1305.js';

/** What differs between the versions of the original. */
export interface Checks {
  readonly aexists: (instance: unknown) => void;
  readonly aoutput: (output: unknown, instance: unknown) => void;
  /** Refuses what is no key, and returns its 32 bytes. */
  readonly key: (value: unknown) => Uint8Array;
  /** Refuses what is no message, and returns its bytes. */
  readonly message: (value: unknown) => Uint8Array;
  /** What `digestInto` returns. */
  readonly result: (output: Uint8Array) => Uint8Array | undefined;
}

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
    readonly #mac: Ours;

    constructor(oneTimeKey: Uint8Array) {
      this.#mac = poly1305.create(key(oneTimeKey));
    }

    update(data: Uint8Array): this {
      aexists(this);
      this.#mac.update(message(data));
      return this;
    }

    digestInto(output: Uint8Array): Uint8Array | undefined {
      aexists(this);
      aoutput(output, this);
      this.finished = true;
      this.#mac.digestInto(output.subarray(0, this.outputLen));
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
      this.#mac.destroy();
    }
  };
}
