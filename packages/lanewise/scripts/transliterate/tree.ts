/** A function as a tree: expressions with their operands, statements in order. */
import type { Binary, Unary } from './instructions.ts';

export type Expression =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'local'; readonly index: number }
  /** The local takes the value, and the value goes on. */
  | { readonly kind: 'tee'; readonly index: number; readonly value: Expression }
  | { readonly kind: 'load'; readonly place: Place }
  | { readonly kind: 'unary'; readonly name: Unary; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly name: Binary; readonly left: Expression; readonly right: Expression }
  | Call;

export interface Call {
  readonly kind: 'call';
  readonly callee: number;
  readonly operands: readonly Expression[];
}

/** Where in memory: a word at a multiple of four, a word anywhere, or a byte. */
export interface Place {
  readonly unit: 'word' | 'unaligned' | 'byte';
  readonly address: Expression;
  readonly offset: number;
}

export type Statement =
  | { readonly kind: 'set'; readonly index: number; readonly value: Expression }
  | { readonly kind: 'store'; readonly place: Place; readonly value: Expression }
  | { readonly kind: 'fill'; readonly to: Expression; readonly value: Expression; readonly length: Expression }
  | { readonly kind: 'copy'; readonly to: Expression; readonly from: Expression; readonly length: Expression }
  | { readonly kind: 'loop'; readonly body: readonly Statement[]; readonly again: Expression }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'return'; readonly value: Expression }
  | Call;

export const constant = (value: number): Expression => ({ kind: 'constant', value });

/** The operands of an expression, in the order in which they are computed. */
export function operandsOf(x: Expression): readonly Expression[] {
  switch (x.kind) {
    case 'constant':
    case 'local':
      return [];
    case 'tee':
      return [x.value];
    case 'load':
      return [x.place.address];
    case 'unary':
      return [x.operand];
    case 'binary':
      return [x.left, x.right];
    case 'call':
      return x.operands;
  }
}

/** Whether a test holds for an expression or for anything in it. */
export const contains = (x: Expression, test: (part: Expression) => boolean): boolean =>
  test(x) || operandsOf(x).some((operand) => contains(operand, test));

/** Whether an expression may be written twice, or moved past another: it changes nothing, and reads only locals. */
export const isPure = (x: Expression): boolean =>
  !contains(x, ({ kind }) => kind === 'tee' || kind === 'call' || kind === 'load');

/** i32 addition; one operand is often nothing. */
export function sum(left: Expression, right: Expression): Expression {
  if (left.kind === 'constant' && right.kind === 'constant') return constant((left.value + right.value) | 0);
  if (left.kind === 'constant' && left.value === 0) return right;
  if (right.kind === 'constant' && right.value === 0) return left;
  return { kind: 'binary', name: 'i32.add', left, right };
}
