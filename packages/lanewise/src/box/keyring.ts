/** Keys with ids. */
import { lengthOf, refuseSurplus, sizeOf } from '../calls/checks.ts';
import { keptStates, STATES_BYTES } from '../calls/lifetime.ts';
import { randomBytes } from '../calls/random.ts';
import { Bytes, copyBytes, copyOf, fillBytes, getWeak, part, setWeak } from '../engine/intrinsics.ts';

export const KEY_BYTES = 32;
/** A version and the id of a key, in front of every message that is sealed under a keyring. */
export const PREFIX_BYTES = 5;
const VERSION = 1;
const ID_BYTES = 4;
/** The saved form: the version, the id of the primary key, and id and key of each. */
const ENTRY_BYTES = ID_BYTES + KEY_BYTES;
const MOST_KEYS = 1024;

/** Has the chaining values of a key kept, until `wipeKey`. */
export function kept(key: Uint8Array): Uint8Array {
  setWeak(keptStates, key, [new Bytes(STATES_BYTES), new Bytes(STATES_BYTES / 2)]);
  return key;
}
export function wipeKey(key: Uint8Array): void {
  fillBytes(key, 0);
  const [states, out] = getWeak(keptStates, key)!;
  fillBytes(states, 0);
  fillBytes(out, 0);
}

const readId = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
function writeId(bytes: Uint8Array, at: number, id: number): void {
  for (let i = 0; i < ID_BYTES; i++) bytes[at + i] = id >>> (24 - 8 * i);
}

/** The keys of each ring, which only this room may have. */
const keysOf = /* @__PURE__ */ new WeakMap<object, (id: number) => Uint8Array>();

/**
 * Whether a value is a ring that has had a key. Its prototype tells nothing: any object may have that, and so has a ring that was made by the
 * constructor, which would seal what can never be opened.
 */
export const isKeyring = (value: unknown): value is Keyring => getWeak(keysOf, value as object) !== undefined;

/** The key with an id. */
export const keyOf = (ring: Keyring, id: number): Uint8Array => getWeak(keysOf, ring)!(id);

/** Keys by their ids; messages are sealed under one of them, the primary key. Made by {@link createKeyring} or {@link loadKeyring}. */
export class Keyring {
  readonly #keys = new Map<number, Uint8Array>();
  #primary = 0;
  #destroyed = false;

  /** The id of the primary key, from 1 to 2^32 - 1. */
  get primary(): number {
    return this.#primary;
  }

  /** The ids of all keys, in the order in which they were added. */
  get ids(): readonly number[] {
    return [...this.#keys.keys()];
  }

  /**
   * Adds a random key, which becomes the primary one. Messages under the others still open; {@link Box.needsResealing} tells which they
   * are.
   *
   * @returns Its id, a random number.
   * @throws Error if there are 1,024 keys, after `destroy`, or if the host has no random numbers.
   */
  rotate(): number {
    refuseSurplus(arguments, 0);
    let id = 0;
    while (id === 0 || this.#keys.has(id)) id = readId(randomBytes(ID_BYTES), 0);
    this.#add(id, randomBytes(KEY_BYTES));
    return (this.#primary = id);
  }

  /**
   * Removes and wipes a key. Messages that are sealed under it don't open any more.
   *
   * @param id - That of a key, not of the primary one.
   * @throws TypeError or RangeError if it isn't an id, Error if it is that of the primary key or of none, or after `destroy`.
   */
  remove(id: number): void {
    refuseSurplus(arguments, 1);
    sizeOf(id, 'id', 1);
    const key = this.#keyOf(id);
    if (id === this.#primary) throw new Error('cannot remove the primary key: rotate() first');
    wipeKey(key);
    this.#keys.delete(id);
  }

  /**
   * All keys as bytes, from which {@link loadKeyring} makes the ring again. **They are secret**: encrypt them, for example by
   * `@lanewise/age` to recipients, or take {@link sealKeyring}; then wipe them.
   *
   * @returns Fresh bytes.
   * @throws Error after `destroy`.
   */
  save(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    this.#checkAlive();
    const bytes = new Bytes(PREFIX_BYTES + this.#keys.size * ENTRY_BYTES);
    bytes[0] = VERSION;
    writeId(bytes, 1, this.#primary);
    let at = PREFIX_BYTES;
    this.#keys.forEach((key, id) => {
      writeId(bytes, at, id);
      copyBytes(bytes, key, at + ID_BYTES);
      at += ENTRY_BYTES;
    });
    return bytes;
  }

  /** Wipes all keys. The ring can't be used any more, nor can boxes that have it. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#destroyed = true;
    this.#keys.forEach(wipeKey);
    this.#keys.clear();
  }

  #keyOf(id: number): Uint8Array {
    this.#checkAlive();
    const key = this.#keys.get(id);
    if (!key) throw new Error(`the keyring has no key with the id ${id}`);
    return key;
  }

  /** @internal */
  static load(saved: Uint8Array, length: number): Keyring {
    const count = (length - PREFIX_BYTES) / ENTRY_BYTES;
    const wrong = (): RangeError =>
      new RangeError(`"saved" expected the bytes of a keyring, which save() made, got others of length=${length}`);
    if (count < 1 || count > MOST_KEYS || count % 1 !== 0 || saved[0] !== VERSION) throw wrong();
    const ring = new Keyring();
    for (let at = PREFIX_BYTES; at < length; at += ENTRY_BYTES) {
      const id = readId(saved, at);
      if (id === 0 || ring.#keys.has(id)) {
        ring.destroy();
        throw wrong();
      }
      ring.#add(id, copyOf(part(saved, at + ID_BYTES, KEY_BYTES)));
    }
    ring.#primary = readId(saved, 1);
    if (ring.#keys.has(ring.#primary)) return ring;
    ring.destroy();
    throw wrong();
  }

  #add(id: number, key: Uint8Array): void {
    this.#checkAlive();
    if (this.#keys.size === MOST_KEYS)
      throw new Error(`cannot add a key: the keyring has ${MOST_KEYS}; remove() old ones`);
    this.#keys.set(id, kept(key));
    setWeak(keysOf, this, (its: number) => this.#keyOf(its));
  }

  #checkAlive(): void {
    if (this.#destroyed) throw new Error('cannot use Keyring after destroy()');
  }
}

/** The prefix that names a key. */
export function prefixOf(id: number): Uint8Array<ArrayBuffer> {
  const prefix = new Bytes(PREFIX_BYTES);
  prefix[0] = VERSION;
  writeId(prefix, 1, id);
  return prefix;
}

/** The id that a sealed message of so many bytes begins with. */
export function idOf(sealed: Uint8Array, length: number): number {
  if (length < PREFIX_BYTES)
    throw new Error(`cannot open: no sealed message has ${length} bytes, so this one is truncated, or something else`);
  if (sealed[0] !== VERSION)
    throw new Error(
      `cannot open: expected version ${VERSION}, got ${sealed[0]}; sealed without a keyring, or by a newer version`,
    );
  return readId(sealed, 1);
}

/**
 * Makes a keyring with one random key, the primary one.
 *
 * @returns The keyring.
 * @throws Error if the host has no random numbers.
 * @example
 * ```ts
 * import { createBox, createKeyring } from 'lanewise/box.js';
 * const ring = createKeyring();
 * const box = createBox(ring);
 * const old = box.seal('hello', { for: 'users/42/name' });
 * ring.rotate(); // seals under a new key from now on
 * if (box.needsResealing(old)) console.log(box.reseal(old, { for: 'users/42/name' }).length);
 * ```
 */
export function createKeyring(): Keyring {
  refuseSurplus(arguments, 0);
  const ring = new Keyring();
  ring.rotate();
  return ring;
}

/**
 * Makes a keyring of the bytes that its `save` returned.
 *
 * @param saved - The bytes; copied, so wipe them.
 * @returns The keyring.
 * @throws TypeError if they aren't a Uint8Array, RangeError if they aren't those of a keyring.
 * @example
 * ```ts
 * import { createKeyring, loadKeyring } from 'lanewise/box.js';
 * import { clean } from 'lanewise/utils.js';
 * const saved = createKeyring().save(); // secret: encrypt it where it is stored
 * const ring = loadKeyring(saved);
 * clean(saved);
 * console.log(ring.ids.length); // prints 1
 * ```
 */
export function loadKeyring(saved: Uint8Array): Keyring {
  refuseSurplus(arguments, 1);
  return Keyring.load(saved, lengthOf(saved, 'saved'));
}
