/** The key that a user gives: 32 bytes, a passphrase, or a box over a key ring. */
import type { Box } from 'lanewise/box.js';
import { isBytes, randomBytes } from 'lanewise/utils.js';
import { copyOf, viewOf } from '../bytes.ts';
import { part } from '../parts.ts';
import { typeOf, wellFormed } from '../values.ts';
import { COSTS, type Costs } from './costs.ts';

/** What a database needs of a box: `createBox(ring)` of `lanewise/box.js` makes one. */
export type KeyBox = Pick<Box, 'seal' | 'open'>;

/** The secret of a database: 32 bytes, a passphrase from which the key of the file is derived, or a box that seals it. */
export type DatabaseKey = Uint8Array | string | KeyBox;

export const KEY_BYTES = 32;
export const SALT_BYTES = 32;

/** Gives a random key to a maker, which copies it, and wipes it. */
export function underRandomKey<Made>(make: (key: Uint8Array) => Made): Made {
  const key = randomBytes(KEY_BYTES);
  try {
    return make(key);
  } finally {
    key.fill(0);
  }
}

/** How the key of a file is wrapped. */
export interface Derivation {
  readonly kind: UserKey['kind'];
  readonly salt: Uint8Array;
  /** Of a passphrase. */
  readonly costs: Costs | undefined;
}

/** The kinds of keys, for messages. */
export const KINDS: Readonly<Record<UserKey['kind'], string>> = {
  key: 'a key of 32 bytes',
  passphrase: 'a passphrase',
  box: 'a box',
};

const isBox = (key: unknown): key is KeyBox =>
  typeof key === 'object' &&
  typeof (key as Partial<KeyBox> | null)?.seal === 'function' &&
  typeof (key as Partial<KeyBox>).open === 'function';

/** A passphrase as bytes, NFKC as lanewise/argon2.js advises. */
const bytesOf = (passphrase: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(passphrase.normalize('NFKC'));

/** A copy of the user's key, which wraps the keys of files. */
export class UserKey {
  readonly #secret: Uint8Array<ArrayBuffer>;
  readonly box: KeyBox | undefined;
  readonly kind: 'key' | 'passphrase' | 'box';
  readonly #costs: Costs;
  /** Whether a passphrase is taken as it is, without Unicode's normalization. */
  readonly #isExact: boolean;
  /** Of the last derivation: a connection opens its database more than once. */
  #salt = '';
  #derived: Uint8Array<ArrayBuffer> | undefined;
  #isDestroyed = false;

  constructor(key: DatabaseKey, costs: Costs = COSTS, isExact = false) {
    this.#costs = costs;
    this.#isExact = isExact;
    if (typeof key === 'string') {
      wellFormed(key, 'key');
      if (key === '') throw new RangeError('"key" expected a passphrase of length >= 1, got length=0');
      this.kind = 'passphrase';
      this.#secret = isExact ? new TextEncoder().encode(key) : bytesOf(key);
    } else if (isBytes(key)) {
      const { length } = viewOf(key);
      if (length !== KEY_BYTES)
        throw new RangeError(`"key" expected Uint8Array of length ${KEY_BYTES}, got length=${length}`);
      this.kind = 'key';
      this.#secret = copyOf(key);
    } else {
      if (!isBox(key)) throw new TypeError(`"key" expected Uint8Array, string or box, got ${kindOf(key)}`);
      this.kind = 'box';
      this.box = key;
      // A box holds its own keys: there is nothing to wipe here.
      this.#secret = new Uint8Array(0);
    }
  }

  /** The key itself, for formats that use it as it is. */
  get raw(): Uint8Array<ArrayBuffer> {
    // A wiped key is one of zeros, under which anyone reads the file.
    if (this.#isDestroyed) throw new Error('cannot use a key after destroy()');
    return this.#secret;
  }

  /** How the key of a new file is derived. */
  derivation(): Derivation {
    const costs = this.kind === 'passphrase' ? this.#costs : undefined;
    return { kind: this.kind, salt: randomBytes(SALT_BYTES), costs };
  }

  /** 32 bytes that wrap the key of a file. */
  wrapping({ salt, costs }: Pick<Derivation, 'salt' | 'costs'>): Uint8Array<ArrayBuffer> {
    if (!costs) return this.raw;
    return this.derived(salt, costs, () => part('passphrases').derive(this.raw, salt, costs));
  }

  /** What `work` derives, or derived last time. */
  derived(salt: Uint8Array, costs: Costs | undefined, work: () => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const name = salt.join() + JSON.stringify(costs);
    if (name !== this.#salt || !this.#derived) {
      this.#derived?.fill(0);
      this.#derived = work();
      this.#salt = name;
    }
    return this.#derived;
  }

  copy(): UserKey {
    const { raw } = this;
    if (this.box) return new UserKey(this.box, this.#costs);
    const key = this.kind === 'passphrase' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw) : raw;
    return new UserKey(key, this.#costs, this.#isExact);
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#secret.fill(0);
    this.#derived?.fill(0);
    this.#derived = undefined;
  }
}

/** A value that is no key, for a message. */
function kindOf(value: unknown): string {
  const isRing = typeof value === 'object' && value !== null && 'rotate' in value;
  return isRing ? 'a key ring: give createBox(ring)' : typeOf(value);
}
