/** The key that a user gives: 32 bytes, or a passphrase. */
import { pbkdf2Sync, sha256 } from 'lanewise/sha2.js';
import { bytesToHex, randomBytes } from 'lanewise/utils.js';
import { typeOf } from '../values.ts';
import { bytesOf, COSTS, derive, type Costs } from './kdf.ts';

/** The secret of a database: 32 bytes, or a passphrase from which the key of the file is derived. */
export type DatabaseKey = Uint8Array | string;

export const KEY_BYTES = 32;
export const SALT_BYTES = 32;

/** How the wrapping key of a file comes from the user's. */
export interface Derivation {
  readonly salt: Uint8Array;
  /** Undefined for a key of 32 bytes. */
  readonly costs: Costs | undefined;
}

/** The iterations of PBKDF2 that SQLite3MultipleCiphers makes for its cipher chacha20. */
const ITERATIONS = 64_007;

/** A copy of the user's key, which wraps the keys of files. */
export class UserKey {
  readonly #secret: Uint8Array<ArrayBuffer>;
  readonly isPassphrase: boolean;
  readonly #costs: Costs;
  /** Whether a passphrase is taken as it is, without Unicode's normalization. */
  readonly #isExact: boolean;
  /** Of the last derivation: a connection opens its database more than once. */
  #salt = '';
  #derived: Uint8Array<ArrayBuffer> | undefined;
  #isDestroyed = false;

  constructor(key: DatabaseKey, costs: Costs = COSTS, isExact = false) {
    if (typeof key === 'string') {
      if (key === '') throw new RangeError('"key" expected a passphrase of length >= 1, got length=0');
      this.#secret = isExact ? new TextEncoder().encode(key) : bytesOf(key);
    } else {
      if (!(key instanceof Uint8Array)) throw new TypeError(`"key" expected Uint8Array or string, got ${typeOf(key)}`);
      if (key.length !== KEY_BYTES)
        throw new RangeError(`"key" expected Uint8Array of length ${KEY_BYTES}, got length=${key.length}`);
      this.#secret = Uint8Array.from(key);
    }
    this.isPassphrase = typeof key === 'string';
    this.#costs = costs;
    this.#isExact = isExact;
  }

  /** The key itself, for formats that use it as it is. */
  get raw(): Uint8Array<ArrayBuffer> {
    // A wiped key is one of zeros, under which anyone reads the file.
    if (this.#isDestroyed) throw new Error('cannot use a key after destroy()');
    return this.#secret;
  }

  /** How the key of a new file is derived. */
  derivation(): Derivation {
    return { salt: randomBytes(SALT_BYTES), costs: this.isPassphrase ? this.#costs : undefined };
  }

  /** 32 bytes that wrap the key of a file. */
  wrapping({ salt, costs }: Derivation): Uint8Array<ArrayBuffer> {
    if (!costs) return this.raw;
    return this.#derive(salt, () => derive(this.raw, salt, costs));
  }

  /** The key of a database of SQLite3MultipleCiphers: 32 bytes are the key itself. */
  multipleCiphers(salt: Uint8Array): Uint8Array<ArrayBuffer> {
    if (!this.isPassphrase) return this.raw;
    return this.#derive(salt, () => pbkdf2Sync(sha256, this.raw, salt, { c: ITERATIONS, dkLen: KEY_BYTES }));
  }

  #derive(salt: Uint8Array, work: () => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const name = bytesToHex(salt);
    if (name !== this.#salt || !this.#derived) {
      this.#derived?.fill(0);
      this.#derived = work();
      this.#salt = name;
    }
    return this.#derived;
  }

  copy(): UserKey {
    return new UserKey(
      this.isPassphrase ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.raw) : this.raw,
      this.#costs,
      this.#isExact,
    );
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#secret.fill(0);
    this.#derived?.fill(0);
    this.#derived = undefined;
  }
}
