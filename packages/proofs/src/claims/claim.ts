// What is proved, one statement at a time. A claim is made by a function of a kernel's bytes, so that the same statement
// can be put to other bytes: prove.ts puts it to the ones that ship, the mutation tests to damaged ones.

export interface Claim {
  /** The kernel form, as kernels.ts names it. */
  readonly kernel: string;
  /** The statement, for example "chacha20: 256 bytes, every key, nonce, counter and data". */
  readonly claim: string;
  /** The room whose golden file lists it; the one of the kernel unless given. */
  readonly room?: string;
  /** What claims that are shown in one row have in common; what is in front of the statement's colon unless given. */
  readonly topic?: string;
  /** The claims that have to be proved before this one, because it is about what they ran. */
  readonly after?: readonly Claim[];
  /** Returns if the statement holds of the bytes; throws {@link Failure} with what differs if not. */
  prove(): void | Promise<void>;
}

/** A claim does not hold, or could not be shown to hold: the message says what differs and where. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Throws {@link Failure} unless `condition` holds; `what` says what differs, and is only made when needed. */
export function require(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new Failure(what());
}
