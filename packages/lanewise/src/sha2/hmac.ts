/** HMAC (RFC 2104, FIPS 198-1) with SHA-2. */
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, lend, type End } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { assign, Bytes, fillBytes, freeze, max } from '../engine/intrinsics.ts';
import { Absorber } from './absorber.ts';
import type { Hash } from './hash.ts';
import { hashOf, type Sha2Function } from './hashes.ts';
import { macStaged, takeKey } from './keyed.ts';
import { DIGEST, INNER, OUTER, SCHEDULE } from './map.ts';
import type { Functions } from './module.ts';
import { padDigest, wipedTo } from './stage.ts';

/** The MAC of a message in pieces. Made by `hmac.create`. */
export class Hmac {
  /** The length of a block in bytes. */
  readonly blockLen: number;
  /** The length of the MAC in bytes. */
  readonly outputLen: number;
  readonly #hash: Hash;
  readonly #outer: Uint8Array;
  readonly #absorber: Absorber;
  #end: End | undefined;

  /** @internal */
  constructor(hash: Hash, inner: Uint8Array, outer: Uint8Array) {
    this.blockLen = hash.blockLen;
    this.outputLen = hash.outputLen;
    this.#hash = hash;
    this.#outer = outer;
    this.#absorber = new Absorber(hash, inner, hash.blockLen);
  }

  /**
   * Absorbs more of the message.
   *
   * @param message - Any number of bytes; not kept.
   * @returns The object.
   * @throws TypeError if it isn't a Uint8Array, Error after `digest` or `destroy`.
   */
  update(message: Uint8Array): this {
    refuseSurplus(arguments, 1);
    checkAlive('Hmac', this.#end);
    const length = lengthOf(message, 'message');
    this.#end = HALF_WAY;
    this.#absorber.update(message, length);
    this.#end = undefined;
    return this;
  }

  /**
   * The MAC; ends the object and wipes it. Compare MACs with `equalBytes`, in constant time.
   *
   * @returns `outputLen` fresh bytes.
   * @throws Error after `digest` or `destroy`.
   */
  digest(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    checkAlive('Hmac', this.#end);
    const mac = new Bytes(this.#hash.outputLen);
    lend(this.#hash.instance(), SCHEDULE, wipedTo(this.#hash.blockLen), (kernel) => {
      kernel.write(OUTER, this.#outer.length, this.#outer);
      padDigest(kernel, this.#hash);
      this.#absorber.finish(kernel);
      kernel.run.outer(this.#hash.outputLen);
      kernel.read(DIGEST, this.#hash.outputLen, mac);
    });
    this.#finish('digest()');
    return mac;
  }

  /** Wipes the object; it can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#finish('destroy()');
  }

  #finish(end: End): void {
    this.#end = end;
    this.#absorber.wipe();
    fillBytes(this.#outer, 0);
  }
}

/** {@link hmac} */
export interface HmacFunction {
  (hash: Sha2Function, key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer>;
  /**
   * Makes an object for a message that comes in pieces.
   *
   * @param hash - `sha256` or a sibling.
   * @param key - Any number of bytes; not kept.
   * @returns The object: `update(bytes)` any number of times, then `digest()`.
   * @throws TypeError if an argument is not of that form.
   */
  create(hash: Sha2Function, key: Uint8Array): Hmac;
}

function mac(
  kernel: Instance<Functions>,
  hash: Hash,
  [key, keyLength]: readonly [Uint8Array, number],
  [message, length]: readonly [Uint8Array, number],
  out: Uint8Array,
): void {
  takeKey(kernel, hash, key, keyLength);
  macStaged(kernel, hash, message, length);
  kernel.read(DIGEST, hash.outputLen, out);
}

/**
 * HMAC of a message (RFC 2104, FIPS 198-1). Compare MACs with `equalBytes` of `lanewise/utils.js`, in constant time.
 *
 * @param hash - `sha256` or a sibling.
 * @param key - Any number of bytes; as many random ones as a digest has are enough. A longer one than a block is hashed first.
 * @param message - Any number of bytes.
 * @returns As many fresh bytes as a digest has.
 * @throws TypeError if an argument is not of that form.
 * @example
 * ```ts
 * import { hmac, sha256 } from 'lanewise/sha2.js';
 * import { equalBytes, randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const message = new TextEncoder().encode('hello');
 * const mac = hmac(sha256, key, message);
 * console.log(equalBytes(mac, hmac.create(sha256, key).update(message).digest())); // prints true
 * ```
 */
export const hmac: HmacFunction = /* @__PURE__ */ (() =>
  freeze(
    assign(
      function (hash: Sha2Function, key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
        refuseSurplus(arguments, 3);
        const its = hashOf(hash);
        const [keyLength, length] = [lengthOf(key, 'key'), lengthOf(message, 'message')];
        const out = new Bytes(its.outputLen);
        const to = wipedTo(max(keyLength, length));
        lend(its.instance(), SCHEDULE, to, mac, its, [key, keyLength] as const, [message, length] as const, out);
        return out;
      },
      {
        create(hash: Sha2Function, key: Uint8Array): Hmac {
          refuseSurplus(arguments, 2);
          const its = hashOf(hash);
          const length = lengthOf(key, 'key');
          const [inner, outer] = [new Bytes(its.initial.length), new Bytes(its.initial.length)];
          lend(its.instance(), SCHEDULE, wipedTo(length), (kernel) => {
            takeKey(kernel, its, key, length);
            kernel.read(INNER, inner.length, inner);
            kernel.read(OUTER, outer.length, outer);
          });
          const made = new Hmac(its, inner, outer);
          fillBytes(inner, 0);
          return made;
        },
      },
    ),
  ))();
