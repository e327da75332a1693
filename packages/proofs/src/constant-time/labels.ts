/**
 * The labels of values: a value is public, or it depends on a secret. One result that depends on secrets may leave a
 * kernel: whether a tag is valid, that is, whether no bit of it differs. So three kinds of secrets are distinguished:
 * the difference of two secrets, also of several words together; the verdict that there is no such difference; and all
 * others.
 */
export type Label = 'public' | 'difference' | 'verdict' | 'secret';

/** The label of a value that has one of two labels, where two paths meet. */
export const joined = (x: Label, y: Label): Label => (x === y || y === 'public' ? x : x === 'public' ? y : 'secret');

/** The label of a result computed from operands, for all operations except those below. */
export const computed = (operands: readonly Label[]): Label =>
  operands.every((label) => label === 'public') ? 'public' : 'secret';

/** x ^ y */
export const ofXor = (x: Label, y: Label): Label =>
  x === 'public' || y === 'public' ? computed([x, y]) : 'difference';

/** x | y */
export const ofOr = (x: Label, y: Label): Label =>
  x === 'difference' && y === 'difference' ? 'difference' : computed([x, y]);

/** 1 if x is 0, else 0 */
export const ofZero = (x: Label): Label => (x === 'difference' ? 'verdict' : computed([x]));

/** The exported functions that return values that depend on secrets. */
export interface Results {
  /** Functions whose results reveal whether words differ, and nothing else. */
  readonly verdicts: readonly string[];
  /** Functions whose results reveal more. */
  readonly secretResults: readonly string[];
}

/** Groups the exported functions by the labels of their results. */
export function resultsOf(exported: readonly (readonly [name: string, label: Label])[]): Results {
  const named = (labels: readonly Label[]): string[] =>
    exported.flatMap(([name, label]) => (labels.includes(label) ? [name] : []));
  return { verdicts: named(['verdict']), secretResults: named(['difference', 'secret']) };
}
