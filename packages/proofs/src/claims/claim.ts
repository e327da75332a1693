// A claim is one statement that is proved. It is made by a function of a kernel's bytes, so that the same statement can be
// made about other bytes: prove.ts makes it about the bytes that ship, the mutation tests about damaged ones.

export interface Claim {
  /** The kernel form, as kernels.ts names it. */
  readonly kernel: string;
  /** The statement, for example "chacha20: 256 bytes, every key, nonce, counter and data". */
  readonly claim: string;
  /** The room whose golden file lists it; the one of the kernel unless given. */
  readonly room?: string;
  /** The name of the row of the table that shows this claim; the text before the statement's colon unless given. */
  readonly topic?: string;
  /** The claims that have to be proved before this one, because it is about the code that they executed. */
  readonly after?: readonly Claim[];
  /** Returns if the statement holds for the bytes; throws {@link Failure} with the difference if not. */
  prove(): void | Promise<void>;
}

/** A claim does not hold, or could not be shown to hold: the message names the difference and its place. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Throws {@link Failure} unless `condition` holds; `what` describes the difference, and is called only on failure. */
export function require(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new Failure(what());
}
