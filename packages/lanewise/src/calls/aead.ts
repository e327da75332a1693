/** Authenticated encryption of one message under one key and nonce: objects that encrypt once, and decrypt. */
import { lengthOf, outputOf, refuseSurplus, refuseSecond, type Result } from './checks.ts';
import { checkAlive, lend, type End } from './lifetime.ts';
import { Bytes, copyOf, fillBytes, isShared } from '../engine/intrinsics.ts';

export const TAG_BYTES = 16;
const NOTHING = /* @__PURE__ */ new Bytes(0);

/** Additional data, checked and copied. */
export function additionalData(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) return NOTHING;
  return copyOf(bytes, lengthOf(bytes, 'AAD'));
}

/** Ciphertext and tag, detached. */
export interface Detached<Out extends Uint8Array = Uint8Array<ArrayBuffer>> {
  /** As long as the plaintext. */
  readonly ciphertext: Out;
  /** `tagLength` bytes. */
  readonly tag: Uint8Array<ArrayBuffer>;
}

/** A tag that is apart from the ciphertext, or undefined for one beside it. */
export type Tag = Uint8Array | undefined;

/** A cipher with its key and nonce, which seals or opens one message; arguments are checked. */
export interface Sealing {
  /** The length of its tags. */
  readonly tagBytes: number;
  /** Whether it has sealed a message. */
  encrypted: boolean;
  end: End | undefined;
  /** The tag goes to `tag`, or into `out` beside the ciphertext. */
  seal(plaintext: Uint8Array, length: number, out: Uint8Array, tag: Tag): void;
  /** Returns whether a message of this length is staged whole, and not in parts. */
  fits(length: number): boolean;
  /**
   * Returns whether the tag is right. The tag is `tag`, or beside the ciphertext. Only if it is right is anything
   * written to `out`.
   */
  openWhole(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array): boolean;
  /** The same for a message in parts, which are written to `out` before the tag is checked, unless `twice` they are read. */
  openParts(ciphertext: Uint8Array, length: number, tag: Tag, out: Uint8Array, twice: boolean): boolean;
  wipe(): void;
}

/**
 * Opens a message into `out`; returns whether its tag is right. Unless `out` is `fresh`, nothing is written to it before the tag is
 * checked, so the ciphertext of a long message is read twice, and bytes that another thread may change are copied.
 */
export function openInto(
  sealing: Sealing,
  ciphertext: Uint8Array,
  length: number,
  tag: Tag,
  out: Uint8Array,
  fresh: boolean,
): boolean {
  if (sealing.fits(length)) return sealing.openWhole(ciphertext, length, tag, out);
  if (!fresh && isShared(ciphertext)) ciphertext = copyOf(ciphertext, tag ? length : length + sealing.tagBytes);
  return lend({ memory: out, secrets: fresh ? 0 : length }, 0, 0, () => {
    const right = sealing.openParts(ciphertext, length, tag, out, !fresh);
    if (!right && fresh) fillBytes(out, 0);
    return right;
  });
}

/** The object of an AEAD: one key, one nonce, one message. */
export interface Aead {
  /**
   * Encrypts one message. A second call throws: two messages under one key and nonce would reveal both.
   *
   * @param plaintext - Any number of bytes.
   * @param out - Receives ciphertext and tag: `tagLength` bytes more than the plaintext, which it may overlap in any way.
   * @returns The ciphertext followed by the tag (in secretbox preceded by it): `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument isn't of that form, and Error on the second call or after
   * `destroy`; then nothing is written.
   */
  encrypt(plaintext: Uint8Array): Uint8Array<ArrayBuffer>;
  encrypt<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Result<Out>;

  /**
   * Encrypts one message, with a detached tag.
   *
   * @param plaintext - Any number of bytes.
   * @param out - Receives the ciphertext: as long as the plaintext, which it may overlap.
   * @returns The ciphertext (`out`, or fresh bytes) and its tag of `tagLength` bytes.
   * @throws As `encrypt`.
   */
  encryptDetached(plaintext: Uint8Array): Detached;
  encryptDetached<Out extends Uint8Array | undefined>(plaintext: Uint8Array, out: Out): Detached<Result<Out>>;

  /**
   * Decrypts if the tag is right for ciphertext, additional data, key and nonce.
   *
   * @param ciphertext - The result of `encrypt`.
   * @param out - Receives the plaintext: `tagLength` bytes fewer than the ciphertext, which it may overlap. Beyond 120 KiB a first
   * pass checks the tag and a second one decrypts, which takes a third more time than encrypting. If the ciphertext is in shared
   * memory, the cipher is OCB, or `out` begins within the ciphertext and after its start, the call copies the message.
   * @returns The plaintext: `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument isn't of that form, Error after `destroy`. Error if the ciphertext is
   * shorter than a tag, and Error `invalid tag` for a forgery or a wrong key, nonce or AAD; then nothing is written.
   */
  decrypt(ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  decrypt<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, out: Out): Result<Out>;

  /**
   * Decrypts the result of `encryptDetached`.
   *
   * @param ciphertext - Without the tag.
   * @param tag - `tagLength` bytes.
   * @param out - Receives the plaintext: as long as the ciphertext, which it may overlap. Beyond 120 KiB see `decrypt`.
   * @returns The plaintext: `out`, or fresh bytes.
   * @throws As `decrypt`.
   */
  decryptDetached(ciphertext: Uint8Array, tag: Uint8Array): Uint8Array<ArrayBuffer>;
  decryptDetached<Out extends Uint8Array | undefined>(ciphertext: Uint8Array, tag: Uint8Array, out: Out): Result<Out>;

  /** Wipes key and nonce. Other calls throw from then on. */
  destroy(): void;
}

// The work of an AEAD's methods, for its class and for that of secretbox. If one class extended the other, or a function
// made both, making an object would cost several percent of sealing a short message.

export function encrypt(sealing: Sealing, plaintext: Uint8Array, out?: Uint8Array): Uint8Array {
  const length = checkPlaintext(sealing, plaintext);
  const result = outputOf(out, length + sealing.tagBytes);
  sealing.encrypted = true;
  sealing.seal(plaintext, length, result, undefined);
  return result;
}

export function encryptDetached(
  sealing: Sealing,
  plaintext: Uint8Array,
  out: Uint8Array | undefined,
): Detached<Uint8Array> {
  const length = checkPlaintext(sealing, plaintext);
  const ciphertext = outputOf(out, length);
  const tag = new Bytes(sealing.tagBytes);
  sealing.encrypted = true;
  sealing.seal(plaintext, length, ciphertext, tag);
  return { ciphertext, tag };
}

export function decrypt(sealing: Sealing, ciphertext: Uint8Array, out?: Uint8Array): Uint8Array {
  checkAlive('a cipher', sealing.end);
  const whole = lengthOf(ciphertext, 'ciphertext');
  const length = whole - sealing.tagBytes;
  if (length < 0) throw new Error(`"ciphertext" expected length >= tagLength=${sealing.tagBytes}, got length=${whole}`);
  return open(sealing, ciphertext, length, undefined, out);
}

export function decryptDetached(
  sealing: Sealing,
  ciphertext: Uint8Array,
  tag: Uint8Array,
  out: Uint8Array | undefined,
): Uint8Array {
  checkAlive('a cipher', sealing.end);
  const length = lengthOf(ciphertext, 'ciphertext');
  lengthOf(tag, 'tag', sealing.tagBytes);
  return open(sealing, ciphertext, length, tag, out);
}

export function destroy(sealing: Sealing): void {
  sealing.wipe();
  sealing.end = 'destroy()';
}

function checkPlaintext(sealing: Sealing, plaintext: Uint8Array): number {
  checkAlive('a cipher', sealing.end);
  refuseSecond(sealing.encrypted, 'nonce');
  return lengthOf(plaintext, 'plaintext');
}

function open(sealing: Sealing, ciphertext: Uint8Array, length: number, tag: Tag, out?: Uint8Array): Uint8Array {
  const result = outputOf(out, length);
  if (!openInto(sealing, ciphertext, length, tag, result, out === undefined)) throw new Error('invalid tag');
  return result;
}

class AeadObject {
  static readonly name = 'Aead';
  readonly #sealing: Sealing;

  constructor(sealing: Sealing) {
    this.#sealing = sealing;
  }

  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    return encrypt(this.#sealing, plaintext, out);
  }

  encryptDetached(plaintext: Uint8Array, out?: Uint8Array): Detached<Uint8Array> {
    refuseSurplus(arguments, 2);
    return encryptDetached(this.#sealing, plaintext, out);
  }

  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 2);
    return decrypt(this.#sealing, ciphertext, out);
  }

  decryptDetached(ciphertext: Uint8Array, tag: Uint8Array, out?: Uint8Array): Uint8Array {
    refuseSurplus(arguments, 3);
    return decryptDetached(this.#sealing, ciphertext, tag, out);
  }

  destroy(): void {
    refuseSurplus(arguments, 0);
    destroy(this.#sealing);
  }
}

export const Aead = AeadObject as unknown as new (sealing: Sealing) => Aead;
