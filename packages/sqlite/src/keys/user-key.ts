/** The key that a user gives: 32 bytes, or a passphrase. */
import { bytesToHex, randomBytes } from 'lanewise/utils.js';
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

/** A copy of the user's key, which wraps the keys of files. */
export class UserKey {
  readonly #secret: Uint8Array<ArrayBuffer>;
  readonly isPassphrase: boolean;
  readonly #costs: Costs;
  /** Of the last derivation: a connection opens its database more than once. */
  #salt = '';
  #derived: Uint8Array<ArrayBuffer> | undefined;

  constructor(key: DatabaseKey, costs: Costs = COSTS) {
    if (typeof key === 'string') {
      if (key === '') throw new RangeError('"key" expected a passphrase of length >= 1, got length=0');
      this.#secret = bytesOf(key);
    } else {
      if (!(key instanceof Uint8Array))
        throw new TypeError(`"key" expected Uint8Array or string, got type=${typeof key}`);
      if (key.length !== KEY_BYTES)
        throw new RangeError(`"key" expected Uint8Array of length ${KEY_BYTES}, got length=${key.length}`);
      this.#secret = Uint8Array.from(key);
    }
    this.isPassphrase = typeof key === 'string';
    this.#costs = costs;
  }

  /** The key itself, for formats that use it as it is. */
  get raw(): Uint8Array<ArrayBuffer> {
    return this.#secret;
  }

  /** How the key of a new file is derived. */
  derivation(): Derivation {
    return { salt: randomBytes(SALT_BYTES), costs: this.isPassphrase ? this.#costs : undefined };
  }

  /** 32 bytes that wrap the key of a file. */
  wrapping({ salt, costs }: Derivation): Uint8Array<ArrayBuffer> {
    if (!costs) return this.#secret;
    const name = bytesToHex(salt);
    if (name !== this.#salt || !this.#derived) {
      this.#derived?.fill(0);
      this.#derived = derive(this.#secret, salt, costs);
      this.#salt = name;
    }
    return this.#derived;
  }

  copy(): UserKey {
    return new UserKey(this.isPassphrase ? new TextDecoder().decode(this.#secret) : this.#secret, this.#costs);
  }

  destroy(): void {
    this.#secret.fill(0);
    this.#derived?.fill(0);
    this.#derived = undefined;
  }
}
