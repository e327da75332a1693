/** Pages that end with a nonce and a tag, each encrypted by an AEAD. */
import { typeOf, lengthOf } from '../calls/checks.ts';
import { checkAlive, type End } from '../calls/lifetime.ts';
import { Bytes, copyBytes, copyExactly, fillBytes, getWeak, part, setWeak } from '../engine/intrinsics.ts';

export const KEY_BYTES = 32;
export const NONCE_BYTES = 24;
export const TAG_BYTES = 16;
/** Bytes at the end of a page that hold no content. */
export const SPARE_BYTES: number = NONCE_BYTES + TAG_BYTES;

/** The AEAD that encrypts the pages: `xchacha20poly1305` of `lanewise/chacha.js`. */
export type PageAead = ((
  key: Uint8Array,
  nonce: Uint8Array,
  AAD: Uint8Array,
) => {
  /** Encrypts into `out`. */
  encryptDetached(
    plaintext: Uint8Array,
    out: Uint8Array,
  ): {
    /** `tagLength` bytes. */
    readonly tag: Uint8Array;
  };
  /** Decrypts into `out` if the tag is right, and throws otherwise. */
  decryptDetached(ciphertext: Uint8Array, tag: Uint8Array, out: Uint8Array): unknown;
  /** Wipes the key. */
  destroy(): void;
}) & {
  /** 24 bytes. */
  readonly nonceLength: number;
  /** 16 bytes. */
  readonly tagLength: number;
};

/** Nonces are random, so shorter ones would soon repeat. */
function checkAead(cipher: PageAead): void {
  if (typeof cipher !== 'function') throw new TypeError(`"cipher" expected function, got ${typeOf(cipher)}`);
  const { nonceLength, tagLength } = cipher;
  if (nonceLength !== NONCE_BYTES || tagLength !== TAG_BYTES)
    throw new RangeError(
      `"cipher" expected nonceLength=${NONCE_BYTES} and tagLength=${TAG_BYTES}, got nonceLength=${nonceLength} and tagLength=${tagLength}`,
    );
}

/** An AEAD and a key. Lengths are the caller's business. */
export class PageSealer {
  readonly #aead: PageAead;
  readonly #key = new Bytes(KEY_BYTES);
  #end: End | undefined;

  constructor(aead: PageAead, key: Uint8Array) {
    checkAead(aead);
    this.#aead = aead;
    lengthOf(key, 'key', KEY_BYTES);
    copyExactly(this.#key, 0, key, KEY_BYTES);
  }

  checkAlive(): void {
    checkAlive('a cipher', this.#end);
  }

  destroy(): void {
    fillBytes(this.#key, 0);
    this.#end = 'destroy()';
  }

  /** Encrypts `size` bytes of content; nonce and tag go after them. */
  seal(page: Uint8Array, size: number, nonce: Uint8Array, additional: Uint8Array, out: Uint8Array): void {
    const cipher = this.#cipher(nonce, additional);
    try {
      const content = part(page, 0, size);
      const { tag } = cipher.encryptDetached(content, out === page ? content : part(out, 0, size));
      copyBytes(out, nonce, size);
      copyBytes(out, tag, size + NONCE_BYTES);
    } finally {
      cipher.destroy();
    }
  }

  /** Decrypts `size` bytes of content; zeros go after them. Unless the tag is right it throws and writes nothing. */
  open(page: Uint8Array, size: number, additional: Uint8Array, out: Uint8Array): void {
    const cipher = this.#cipher(part(page, size, NONCE_BYTES), additional);
    try {
      const content = part(page, 0, size);
      const tag = part(page, size + NONCE_BYTES, TAG_BYTES);
      cipher.decryptDetached(content, tag, out === page ? content : part(out, 0, size));
      fillBytes(out, 0, size, size + SPARE_BYTES);
    } finally {
      cipher.destroy();
    }
  }

  #cipher(nonce: Uint8Array, additional: Uint8Array): ReturnType<PageAead> {
    this.checkAlive();
    const aead = this.#aead;
    return aead(this.#key, nonce, additional);
  }
}

const sealers = /* @__PURE__ */ new WeakMap<object, PageSealer>();

/** Makes the sealer of a cipher known to the library alone. */
export const keepSealer = (cipher: object, sealer: PageSealer): void => setWeak(sealers, cipher, sealer);

/** The sealer of a cipher that `authenticatedPages` made. */
export const sealerOf = (cipher: unknown): PageSealer | undefined => getWeak(sealers, cipher as object);
