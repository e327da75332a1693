/**
 * The labels of values: a value is public, or it depends on a secret. One result that depends on secrets may leave a
 * kernel: whether a tag is valid, that is, whether no bit of it differs. So three kinds of secrets are distinguished:
 * the difference of two secrets, also of several words together; the verdict that there is no such difference; and all
 * others.
 *
 * A fourth kind is the address of scrypt's definition: a parameter that depends on a secret, and that may be the address of a
 * load and nothing else. Numbers computed from it and from public ones are of the same kind.
 */
export type Label = 'public' | 'address' | 'difference' | 'verdict' | 'secret';

/** The label of a value that has one of two labels, where two paths meet. */
export const joined = (x: Label, y: Label): Label => (x === y || y === 'public' ? x : x === 'public' ? y : 'secret');

/** The label of a result computed from operands, for all operations except those below. */
export function computed(operands: readonly Label[]): Label {
  if (operands.every((label) => label === 'public')) return 'public';
  return operands.every((label) => label === 'public' || label === 'address') ? 'address' : 'secret';
}

/** x ^ y */
export const ofXor = (x: Label, y: Label): Label =>
  [x, y].some((label) => label === 'public' || label === 'address') ? computed([x, y]) : 'difference';

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
  return { verdicts: named(['verdict']), secretResults: named(['address', 'difference', 'secret']) };
}

/**
 * The parameters of exported functions that depend on secrets by the definition of the primitive, and are addresses of loads: for
 * each function, their indexes.
 */
export type SecretAddresses = Readonly<Record<string, readonly number[]>>;
