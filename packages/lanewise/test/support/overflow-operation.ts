/** An operation on random bytes, as the table of them has it: `overflow-operations.ts`. */
import { sample } from './bytes.ts';

/** The arguments of an operation. */
export interface Given {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly text: Uint8Array;
}

export interface Operation {
  readonly name: string;
  /** Memories that it may use. */
  readonly memories: () => Uint8Array[];
  readonly longest: number;
  /** An object on which `work` is done once, or nothing. */
  readonly make?: (given: Given) => unknown;
  /** Gives the result. */
  readonly work: (given: Given, object: never) => Uint8Array;
  /** The result, by another implementation. */
  readonly expected: (given: Given) => Uint8Array;
  /** Bytes that may stay in memory besides the result: ciphertext among the arguments. */
  readonly isPublic?: (given: Given) => Uint8Array;
  /** Whether the result is ciphertext, which may stay. */
  readonly sealed?: boolean;
}

/** A length that is more than one call of a kernel takes. */
export const LONG = 130_000;
/** No test searches memory for additional data: they need not be secret. */
export const aad = sample(300, 801);
/** The first 16 bytes of the nonce. */
export const ivOf = ({ nonce }: Given): Uint8Array => nonce.subarray(0, 16);
export const same = ({ text }: Given): Uint8Array => text;
