/// <reference lib="esnext.disposable" preserve="true" />
/** The behaviour that the machines of all formats share: where results go, and how a machine ends. */
import { lengthOf, refuseExtra } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, type End } from '../calls/lifetime.ts';
import { Bytes, dispose, part } from '../engine/intrinsics.ts';

/** The result of a call: a view of `out` if the caller has given it, else fresh bytes. */
export type Written<Out extends Uint8Array | undefined> =
  Out extends Uint8Array<infer Buffer> ? Uint8Array<Buffer> : Uint8Array<ArrayBuffer>;

/** Where a result of `length` bytes goes: to the start of the caller's bytes, if given, which may be longer. */
export function roomIn(out: Uint8Array | undefined, length: number): Uint8Array {
  if (out === undefined) return new Bytes(length);
  const got = lengthOf(out, 'out');
  if (got < length) throw new RangeError(`"out" expected Uint8Array of length >= ${length}, got length=${got}`);
  return part(out, 0, length);
}

/** The life of a machine: after its end it refuses every call. */
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
   * Does the work of a call. If that throws, as when the stack overflows, keys and buffers are wiped, and the machine refuses
   * all but `destroy`.
   */
  work<Result>(work: () => Result): Result {
    this.#end = HALF_WAY;
    try {
      const result = work();
      // The work may have ended the machine.
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

  /** Marks the machine as ended before wiping it: if wiping is interrupted, a half-wiped state cannot be used. */
  finish(by: End): void {
    this.#end = by;
    this.#wipe();
  }
}

/**
 * A sealer or opener of any format: until it is ended, it holds a key. Only this class has a method with a computed name, because
 * esbuild keeps such a class in programs that do not use it, too.
 */
export class Machine {
  readonly #life: Life;

  /** @internal */
  constructor(life: Life) {
    this.#life = life;
  }

  /** Wipes the key, and plaintext that is kept. The machine can't be used any more. */
  destroy(): void;
  destroy(extra?: unknown): void {
    refuseExtra(extra, 0);
    this.#life.finish('destroy()');
  }

  /** As `destroy`. */
  [dispose](): void {
    this.#life.finish('destroy()');
  }
}
