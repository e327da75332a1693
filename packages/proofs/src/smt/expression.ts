/**
 * Expressions of SMT-LIB's theory of bit-vectors: their text, and their value for chosen inputs. They share no code with terms/,
 * so that the text of an obligation depends on no rewriting rule.
 */

export interface Expression {
  /** A name of SMT-LIB's, with its indices; `var` for a variable, `const` for a number. */
  readonly op: string;
  /** In bits; 0 for a truth value. */
  readonly width: number;
  readonly args: readonly Expression[];
  /** The number of a constant; the bits of a variable that may be set. */
  readonly value: bigint;
  readonly compute: (...args: bigint[]) => bigint;
}

const mask = (width: number): bigint => (1n << BigInt(width)) - 1n;
const NO_VALUE = (): bigint => 0n;

export const number = (width: number, value: bigint | number): Expression => ({
  op: 'const',
  width,
  args: [],
  value: BigInt.asUintN(width, BigInt(value)),
  compute: NO_VALUE,
});

/** A variable whose bits outside `maybe` are 0. */
export const unknown = (width: number, maybe = mask(width)): Expression => ({
  op: 'var',
  width,
  args: [],
  value: maybe,
  compute: NO_VALUE,
});

const node = (op: string, width: number, args: readonly Expression[], compute: Expression['compute']): Expression => ({
  op,
  width,
  args,
  value: 0n,
  compute,
});

type Binary = (x: Expression, y: Expression) => Expression;
const binary =
  (op: string, compute: (x: bigint, y: bigint, width: bigint) => bigint): Binary =>
  (x, y) =>
    node(op, x.width, [x, y], (a, b) => BigInt.asUintN(x.width, compute(a, b, BigInt(x.width))));

export const add = binary('bvadd', (x, y) => x + y);
export const sub = binary('bvsub', (x, y) => x - y);
export const mul = binary('bvmul', (x, y) => x * y);
export const and = binary('bvand', (x, y) => x & y);
export const or = binary('bvor', (x, y) => x | y);
export const xor = binary('bvxor', (x, y) => x ^ y);
export const shl = binary('bvshl', (x, y, width) => (y < width ? x << y : 0n));
export const shrU = binary('bvlshr', (x, y, width) => (y < width ? x >> y : 0n));
export const shrS = binary('bvashr', (x, y, width) => BigInt.asIntN(Number(width), x) >> (y < width ? y : width));
export const not = (x: Expression): Expression => node('bvnot', x.width, [x], (a) => a ^ mask(x.width));
export const neg = (x: Expression): Expression => node('bvneg', x.width, [x], (a) => BigInt.asUintN(x.width, -a));

/** High part first, as in SMT-LIB. */
export const concat = (high: Expression, low: Expression): Expression =>
  node('concat', high.width + low.width, [high, low], (a, b) => (a << BigInt(low.width)) | b);
export const extract = (x: Expression, from: number, width: number): Expression =>
  node(`(_ extract ${from + width - 1} ${from})`, width, [x], (a) => BigInt.asUintN(width, a >> BigInt(from)));
export const signExtend = (x: Expression, width: number): Expression =>
  node(`(_ sign_extend ${width - x.width})`, width, [x], (a) => BigInt.asUintN(width, BigInt.asIntN(x.width, a)));

const truth = (op: string, args: Expression[], compute: (...args: bigint[]) => boolean): Expression =>
  node(op, 0, args, (...values) => (compute(...values) ? 1n : 0n));
export const equal = (x: Expression, y: Expression): Expression => truth('=', [x, y], (a, b) => a === b);
export const below = (x: Expression, y: Expression): Expression => truth('bvult', [x, y], (a, b) => a < b);
export const belowSigned = (x: Expression, y: Expression): Expression =>
  truth('bvslt', [x, y], (a, b) => BigInt.asIntN(x.width, a) < BigInt.asIntN(x.width, b));
export const either = (x: Expression, y: Expression): Expression => truth('or', [x, y], (a, b) => a + b > 0n);
export const both = (x: Expression, y: Expression): Expression => truth('and', [x, y], (a, b) => a * b > 0n);
export const negated = (x: Expression): Expression => truth('not', [x], (a) => a === 0n);
export const choice = (condition: Expression, x: Expression, y: Expression): Expression =>
  node('ite', x.width, [condition, x, y], (c, a, b) => (c ? a : b));

const COMMUTATIVE = new Set(['bvadd', 'bvmul', 'bvand', 'bvor', 'bvxor']);

/** All nodes, arguments first. */
export function nodesOf(roots: readonly Expression[]): Expression[] {
  const seen = new Set<Expression>();
  const visit = (x: Expression): void => {
    if (seen.has(x)) return;
    x.args.forEach(visit);
    // After the arguments, whose place in the set is the order.
    seen.add(x);
  };
  roots.forEach(visit);
  return [...seen];
}

const literal = ({ width, value }: Expression): string => `#x${value.toString(16).padStart(width / 4, '0')}`;
const sort = (width: number): string => (width === 0 ? 'Bool' : `(_ BitVec ${width})`);

/** Declarations and definitions of everything in the expressions, and their names; variables are numbered as they occur. */
export function printed(roots: readonly Expression[]): { lines: string[]; names: string[] } {
  const nodes = nodesOf(roots);
  const uses = new Map<Expression, number>();
  for (const { args } of nodes) for (const arg of args) uses.set(arg, (uses.get(arg) ?? 0) + 1);
  for (const root of roots) uses.set(root, (uses.get(root) ?? 0) + 1);
  const names = new Map<Expression, string>();
  const lines: string[] = [];
  let variables = 0;
  let definitions = 0;
  for (const x of nodes) {
    const args = x.args.map((arg) => names.get(arg)!);
    if (x.op === 'const') names.set(x, literal(x));
    else if (x.op === 'var') {
      const name = `v${variables++}`;
      lines.push(`(declare-const ${name} ${sort(x.width)})`);
      if (x.value !== mask(x.width))
        lines.push(`(assert (= (bvor ${name} ${literal(x)}) ${literal(x)})) ; other bits are 0`);
      names.set(x, name);
    } else {
      // In one order, so that an obligation that was met with its operands exchanged is the same text.
      const text = `(${x.op} ${(COMMUTATIVE.has(x.op) ? args.sort() : args).join(' ')})`;
      if (uses.get(x)! > 1 && x.args.length > 0) {
        const name = `d${definitions++}`;
        lines.push(`(define-fun ${name} () ${sort(x.width)} ${text})`);
        names.set(x, name);
      } else names.set(x, text);
    }
  }
  return { lines, names: roots.map((root) => names.get(root)!) };
}

/** The values of expressions, where `choose` gives the values of variables. */
export function valuesOf(roots: readonly Expression[], choose: (x: Expression) => bigint): bigint[] {
  const values = new Map<Expression, bigint>();
  for (const x of nodesOf(roots)) {
    const value = x.op === 'const' ? x.value : x.op === 'var' ? choose(x) & x.value : undefined;
    values.set(x, value ?? x.compute(...x.args.map((arg) => values.get(arg)!)));
  }
  return roots.map((root) => values.get(root)!);
}
