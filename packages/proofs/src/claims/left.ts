// Where a call of a kernel may leave bytes that depend on secrets. These places are a contract between a kernel and the
// public modules around it: the claims of left-lengths.ts show at every length that a kernel leaves secrets nowhere
// else, and those of wiping.ts show that all these places are wiped after every recorded call.
import type { Range } from '../execute/machine.ts';

export interface Left {
  /** The output of the call: ciphertext and tag of an encryption. */
  readonly given: readonly Range[];
  /** The memory that the caller must wipe. */
  readonly wiped: readonly Range[];
}

export type LeftBy = Readonly<Record<string, (...parameters: number[]) => Left>>;

export const from = (start: number, end: number): Range => ({ from: start, to: end });
export const nothing: Left = { given: [], wiped: [] };
export const given = (...ranges: readonly Range[]): Left => ({ given: ranges, wiped: [] });
export const wiped = (...ranges: readonly Range[]): Left => ({ given: [], wiped: ranges });
/** The same places for all parameters. */
export const always =
  (left: Left): (() => Left) =>
  () =>
    left;
export const each = (names: string, left: (...parameters: number[]) => Left): LeftBy =>
  Object.fromEntries(names.split(' ').map((name) => [name, left]));

/** Whether other ranges cover all addresses of a range. */
export function covers(ranges: readonly Range[], { from: start, to }: Range): boolean {
  let at = start;
  for (;;) {
    if (at >= to) return true;
    const next = ranges.find((one) => one.from <= at && at < one.to);
    if (!next) return false;
    at = next.to;
  }
}
