/** Serpent in its modes of operation, each a set of parameters. */
import { BlockMode } from './blocks.ts';
import { Ctr } from './ctr.ts';
import type { PaddingOptions } from './input.ts';
import { encryptMany } from './many.ts';
import { Aead, TAG_BYTES } from '../calls/aead.ts';
import { refuseSurplus } from '../calls/checks.ts';
import { Ocb } from './ocb.ts';

const blockSize = 16;

/** Makes the object that encrypts or decrypts one message: {@link ocb}. */
export interface OcbCipher {
  /**
   * @param key - 16, 24 or 32 bytes; copied.
   * @param nonce - 1 to 15 bytes, never used twice with one key; copied.
   * @param AAD - Additional data, which is authenticated with the message and not sent with it; copied.
   * @throws TypeError or RangeError if an argument is not of that form.
   */
  (key: Uint8Array, nonce: Uint8Array, AAD?: Uint8Array): Aead;
  /** 16 bytes. */
  readonly blockSize: number;
  /** 15 bytes, the longest nonce, which `managedNonce` uses. */
  readonly nonceLength: number;
  /** 16 bytes. */
  readonly tagLength: number;
}

/**
 * OCB3, RFC 7253, with Serpent for its block cipher and tags of 16 bytes, as in libgcrypt and Botan. One pass for encryption
 * and authentication. A key is good for 2^48 bytes (RFC 7253 §5).
 *
 * @throws TypeError, RangeError: see {@link OcbCipher}; `decrypt` throws Error `invalid tag`.
 * @example
 * ```ts
 * import { ocb, randomBytes } from 'lanewise/serpent.js';
 * const key = randomBytes(32);
 * const nonce = new Uint8Array(12); // message number 0 under this key
 * const header = new TextEncoder().encode('authenticated, not encrypted');
 * const ciphertext = ocb(key, nonce, header).encrypt(new TextEncoder().encode('hello'));
 * const plaintext = ocb(key, nonce, header).decrypt(ciphertext);
 * ```
 */
export const ocb: OcbCipher = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign(
    function (key: Uint8Array, nonce: Uint8Array, AAD?: Uint8Array): Aead {
      refuseSurplus(arguments, 3);
      return new Aead(new Ocb(key, nonce, AAD));
    },
    { blockSize, nonceLength: 15, tagLength: TAG_BYTES },
  ),
);

/** Makes the object that encrypts or decrypts one message: {@link ctr}, {@link ctrLittleEndian}. */
export interface CtrCipher {
  /**
   * @param key - 16, 24 or 32 bytes; copied.
   * @param nonce - The first counter, 16 bytes; copied. No block's counter may be used twice with one key.
   * @throws TypeError or RangeError if an argument is not of that form.
   */
  (key: Uint8Array, nonce: Uint8Array): Ctr;
  /** 16 bytes. */
  readonly blockSize: number;
  /** 16 bytes. */
  readonly nonceLength: number;
}

const counterMode = (littleEndian: boolean): CtrCipher =>
  Object.freeze(
    Object.assign(
      function (key: Uint8Array, nonce: Uint8Array): Ctr {
        refuseSurplus(arguments, 2);
        return new Ctr(key, nonce, littleEndian);
      },
      { blockSize, nonceLength: blockSize },
    ),
  );

/**
 * CTR (NIST SP 800-38A §6.5) with a big-endian counter of 128 bits. Other libraries let it wrap around; here the last counter
 * may be used, and a message that would pass it is refused.
 *
 * Unauthenticated: take {@link ocb} unless a protocol asks for this.
 *
 * @throws TypeError, RangeError: see {@link CtrCipher}.
 * @example
 * ```ts
 * import { ctr, randomBytes } from 'lanewise/serpent.js';
 * const key = randomBytes(32), nonce = randomBytes(16);
 * const ciphertext = ctr(key, nonce).encrypt(new Uint8Array([1, 2, 3]));
 * const plaintext = ctr(key, nonce).decrypt(ciphertext); // 1, 2, 3
 * ```
 */
export const ctr: CtrCipher = /* @__PURE__ */ counterMode(false);

/**
 * CTR with a little-endian counter of 128 bits, otherwise {@link ctr}.
 *
 * @throws TypeError, RangeError: see {@link CtrCipher}.
 * @example
 * ```ts
 * import { ctrLittleEndian, randomBytes } from 'lanewise/serpent.js';
 * const ciphertext = ctrLittleEndian(randomBytes(32), randomBytes(16)).encrypt(new Uint8Array(100));
 * ```
 */
export const ctrLittleEndian: CtrCipher = /* @__PURE__ */ counterMode(true);

/** Makes the object that encrypts or decrypts messages: {@link cbc}. */
export interface CbcCipher {
  /**
   * @param key - 16, 24 or 32 bytes; copied.
   * @param iv - 16 unpredictable bytes, new for each message; copied.
   * @param options - `disablePadding`: whether messages are whole blocks and no padding is added or removed.
   * @throws TypeError or RangeError if an argument is not of that form.
   */
  (key: Uint8Array, iv: Uint8Array, options?: PaddingOptions): BlockMode;
  /**
   * Encrypts many messages under one key, sixteen side by side: several times as fast as one after the other, because each is
   * serial. Fastest for messages of about the same length.
   *
   * @param key - 16, 24 or 32 bytes.
   * @param ivs - Of each message 16 bytes, no two the same.
   * @param plaintexts - Messages of any lengths; without padding whole blocks.
   * @param options - As for the call.
   * @returns Their ciphertexts, in their order.
   * @throws TypeError or RangeError if an argument is not of that form, Error if two IVs are equal.
   */
  encryptMany(
    key: Uint8Array,
    ivs: readonly Uint8Array[],
    plaintexts: readonly Uint8Array[],
    options?: PaddingOptions,
  ): Uint8Array<ArrayBuffer>[];
  /** 16 bytes. */
  readonly blockSize: number;
  /** 16 bytes, the IV. */
  readonly nonceLength: number;
}

/**
 * CBC (NIST SP 800-38A §6.2), with PKCS #7 padding unless `disablePadding` is set.
 *
 * Unauthenticated, and with padding worse than that: a receiver that reveals whether padding was right decrypts
 * messages for anybody who asks often enough. Take {@link ocb}, or check a MAC of the ciphertext first.
 *
 * @throws TypeError, RangeError: see {@link CbcCipher}; `decrypt` throws Error `invalid padding`.
 * @example
 * ```ts
 * import { cbc, randomBytes } from 'lanewise/serpent.js';
 * const key = randomBytes(32), iv = randomBytes(16);
 * const ciphertext = cbc(key, iv).encrypt(new TextEncoder().encode('hello'));
 * const plaintext = cbc(key, iv).decrypt(ciphertext);
 * const [first, second] = cbc.encryptMany(key, [randomBytes(16), randomBytes(16)], [plaintext, plaintext]);
 * ```
 */
export const cbc: CbcCipher = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign(
    function (key: Uint8Array, iv: Uint8Array, options?: PaddingOptions): BlockMode {
      refuseSurplus(arguments, 3);
      return new BlockMode(true, key, iv, options);
    },
    { encryptMany, blockSize, nonceLength: blockSize },
  ),
);

/** Makes the object that encrypts or decrypts messages: {@link ecb}. */
export interface EcbCipher {
  /**
   * @param key - 16, 24 or 32 bytes; copied.
   * @throws TypeError or RangeError if an argument is not of that form.
   */
  (key: Uint8Array, options?: PaddingOptions): BlockMode;
  /** 16 bytes. */
  readonly blockSize: number;
}

/**
 * Single blocks (NIST SP 800-38A §6.1), with PKCS #7 padding unless `disablePadding` is set. For building other modes: equal
 * blocks have equal ciphertexts.
 *
 * @throws TypeError, RangeError: see {@link EcbCipher}; `decrypt` throws Error `invalid padding`.
 * @example
 * ```ts
 * import { ecb, randomBytes } from 'lanewise/serpent.js';
 * const block = ecb(randomBytes(32), { disablePadding: true }).encrypt(new Uint8Array(16));
 * ```
 */
export const ecb: EcbCipher = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign(
    function (key: Uint8Array, options?: PaddingOptions): BlockMode {
      refuseSurplus(arguments, 2);
      return new BlockMode(false, key, undefined, options);
    },
    { blockSize },
  ),
);
