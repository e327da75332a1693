/** The lifetimes of linear memory, which belongs to one call, and of objects. */
import { fillBytes } from '../engine/intrinsics.ts';

/** Bytes of the library's own, and the first that may be secret: the memory of an instance, or a copy. */
export interface Memory {
  readonly memory: Uint8Array;
  readonly secrets: number;
}

/**
 * Lends memory to one call: `work` fills it, runs the kernel and takes the result. Then it is wiped between two addresses,
 * which bound everything that such a call leaves.
 *
 * If anything is thrown, all of it is wiped. Where the stack has overflowed, calling the function that wipes may overflow it
 * again; so the last resort is a loop in this frame, which was entered before there was anything to wipe.
 *
 * `work` may have operands, so that calls for short messages need not make a closure, which would cost them some percent.
 *
 * @param from - Where the area that is wiped starts.
 * @param to - Where it ends; `from` if the kernel has left nothing.
 * @returns The result of `work`.
 */
export function lend<Lent extends Memory, Result, A, B, C, D, E>(
  lent: Lent,
  from: number,
  to: number,
  work: (lent: Lent, a: A, b: B, c: C, d: D, e: E) => Result,
  a?: A,
  b?: B,
  c?: C,
  d?: D,
  e?: E,
): Result {
  const { memory, secrets } = lent;
  try {
    const result = work(lent, a!, b!, c!, d!, e!);
    if (to > from) fillBytes(memory, 0, from, to);
    return result;
  } catch (error) {
    try {
      fillBytes(memory, 0, secrets);
    } catch {
      for (let at = secrets; (memory[at] as number | undefined) !== undefined; at++) memory[at] = 0;
    }
    throw error;
  }
}

/** Lends bytes of the library's own, and wipes all of them afterwards. */
export const lendBytes = <Result>(memory: Uint8Array, length: number, work: () => Result): Result =>
  lend({ memory, secrets: 0 }, 0, length, work);

/**
 * For a key from which others are often derived: once HMAC-SHA-512 has computed them, its two chaining values and the last block of its outer hash;
 * and room for two digests, which `expand` returns. The owner puts the arrays in, derives with this hash alone, wipes each result before the
 * next, and at last the key and both arrays.
 */
export const keptStates = /* @__PURE__ */ new WeakMap<object, readonly [Uint8Array, Uint8Array<ArrayBuffer>]>();
export const STATES_BYTES = 256;

/**
 * The state of an object while a call runs on it; it stays if the call never ends, and then a part of the work may be
 * done.
 */
export const HALF_WAY = 'a call that threw half-way; make another';
/** The call that ended an object. */
export type End = 'destroy()' | 'digest()' | 'end()' | typeof HALF_WAY;

/** Objects refuse every call after their end. */
export function checkAlive(what: string, end: End | undefined): void {
  if (end) throw new Error(`cannot use ${what} after ${end}`);
}
