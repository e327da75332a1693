/** A public function that takes bytes, as the table of them has it: `subjects.ts`. */
import { sample } from './bytes.ts';

/** Arguments without their types, as callers without TypeScript pass them. */
export type Values = readonly never[];

export interface Parameter {
  readonly name: string;
  /** The length it must have, and only that; undefined for any. */
  readonly length?: number;
  /** Whether the error leaves the length out, because other lengths are allowed, too. */
  readonly orOther?: boolean;
  readonly optional?: boolean;
}
export interface Subject {
  readonly title: string;
  readonly parameters: readonly Parameter[];
  /** Right values. */
  readonly values: () => Uint8Array[];
  /** Makes a fresh object and returns a function that is called with wrong values first and then with right ones. */
  readonly make: () => (values: Values) => unknown;
  /** The result of the call with right values. */
  readonly expected?: Uint8Array;
}

export const key = sample(32, 21);
export const data = sample(100, 22);
export const aad = sample(20, 23);
export const nonces: Readonly<Record<number, Uint8Array>> = {
  8: sample(8, 24),
  12: sample(12, 25),
  24: sample(24, 26),
};

export const parameter = (name: string, length?: number): Parameter =>
  length === undefined ? { name } : { name, length };
export const out = (length: number): Parameter => ({ name: 'out', length, optional: true });
