/// <reference lib="esnext.disposable" preserve="true" />
/** The lifetime of the objects that hold keys: sealers, openers and the streams of all formats. */
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, type End } from '../calls/lifetime.ts';
import { copyOf, dispose, fillBytes } from '../engine/intrinsics.ts';

const KEY_BYTES = 32;

/** The lifetime of an object with a key: after its end the object refuses every call. */
export class Life {
  readonly #what: string;
  readonly #wipe: () => void;
  readonly #secrets: readonly (readonly Uint8Array[])[];
  #end: End | undefined;

  /**
   * @param wipe - Wipes keys and buffers.
   * @param secrets - Lists of the same bytes, to which their owners add what they make later.
   */
  constructor(what: string, wipe: () => void, ...secrets: readonly (readonly Uint8Array[])[]) {
    this.#what = what;
    this.#wipe = wipe;
    this.#secrets = secrets;
  }

  check(): void {
    checkAlive(this.#what, this.#end);
  }

  /**
   * Does the work of a call. If that throws, as when the stack overflows, keys and buffers are wiped, and the object refuses
   * all but `destroy`.
   */
  work<Result>(work: () => Result): Result {
    this.#end = HALF_WAY;
    try {
      const result = work();
      // The work may have ended the object.
      if ((this.#end as End) === HALF_WAY) this.#end = undefined;
      return result;
    } catch (error) {
      try {
        this.#wipe();
      } catch {
        // Where the stack has overflowed, it may overflow again. The last resort calls nothing.
        const secrets = this.#secrets;
        for (let i = 0; i < secrets.length; i++)
          for (let j = 0; j < secrets[i].length; j++)
            for (let at = 0; (secrets[i][j][at] as number | undefined) !== undefined; at++) secrets[i][j][at] = 0;
      }
      throw error;
    }
  }

  /** Marks the object as ended before wiping it: if wiping is interrupted, a half-wiped state cannot be used. */
  finish(by: End): void {
    this.#end = by;
    this.#wipe();
  }
}

/** A format's copy of a key: streams take copies of it, until it is wiped. */
export class KeyLife extends Life {
  readonly #key: Uint8Array<ArrayBuffer>;
  /** How many streams may still be encrypted. */
  #left: number;

  /**
   * @param key - The caller's: 32 bytes, unless `length` tells another number.
   * @param most - How many streams it encrypts.
   */
  constructor(what: string, key: unknown, most = Infinity, length = KEY_BYTES) {
    const its = copyOf(key as Uint8Array, lengthOf(key, 'key', length));
    super(`${what}(key)`, () => fillBytes(its, 0), [its]);
    this.#key = its;
    this.#left = most;
  }

  /** A copy for one stream. */
  copy(seals: boolean): Uint8Array<ArrayBuffer> {
    this.check();
    if (seals && this.#left-- < 1)
      throw new Error('cannot encrypt twice with same key: make another object with a fresh key');
    return copyOf(this.#key);
  }
}

/**
 * An object that holds a key until it ends: a sealer, an opener, or a format's streams. Only this class has a method with a computed
 * name, because esbuild keeps such a class in programs that don't use it, too.
 */
export class Destroyable {
  readonly #life: Life;

  /** @internal */
  constructor(life: Life) {
    this.#life = life;
  }

  /** Wipes the key and the kept plaintext. Other calls throw from then on. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#life.finish('destroy()');
  }

  /** As `destroy`, for `using`. */
  [dispose](): void {
    this.#life.finish('destroy()');
  }
}
