// The language of the `js` engine's text: the syntax tree of the small part of JavaScript that the generated files use.
// The parser refuses syntax that has no form here, so neither the interpreter nor the constant-time typing can overlook
// it.
//
// Everything is a number except conditions, which only branches take. A function's variables are numbered: parameters
// first, then each `let`. Objects, strings, exceptions, closures over variables, break and continue do not exist.

export type Operator = '+' | '-' | '*' | '&' | '|' | '^' | '<<' | '>>' | '>>>';
export type Shift = '<<' | '>>' | '>>>';
export const isShift = (operator: Operator): operator is Shift => ['<<', '>>', '>>>'].includes(operator);
export type Comparison = '===' | '!==' | '<' | '<=' | '>' | '>=';

/** A typed array over the whole memory. */
export interface View {
  readonly name: string;
  readonly type: 'Int32Array' | 'Uint8Array';
  readonly elementBytes: 1 | 4;
}

/** The place of a node in the text. */
export interface Written {
  readonly line: number;
}

export type Expression = Written &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'variable'; readonly slot: number }
    | { readonly kind: 'unary'; readonly operator: '-' | '~'; readonly operand: Expression }
    | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
    /** Math.imul: 32 bits of a product. */
    | { readonly kind: 'imul'; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'element'; readonly view: View; readonly index: Expression }
    /** `x = value`; its value is the assigned one. Compound assignments are assignments of binary expressions. */
    | { readonly kind: 'assign'; readonly slot: number; readonly value: Expression }
    /** `condition ? then : otherwise` */
    | {
        readonly kind: 'choice';
        readonly condition: Condition;
        readonly then: Expression;
        readonly otherwise: Expression;
      }
    | Call
  );

export interface Call extends Written {
  readonly kind: 'call';
  readonly callee: string;
  readonly operands: readonly Expression[];
}

export type Condition = Written &
  (
    | {
        readonly kind: 'compare';
        readonly operator: Comparison;
        readonly left: Expression;
        readonly right: Expression;
        /** The offset in the text. */
        readonly at: number;
      }
    | { readonly kind: 'not'; readonly operand: Condition }
    | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  );

export type Statement = Written &
  (
    | { readonly kind: 'evaluate'; readonly expression: Expression }
    /** `view[index] = value`, or with an operator `view[index] += value`, which reads before `value` is computed. */
    | {
        readonly kind: 'store';
        readonly view: View;
        readonly index: Expression;
        readonly operator: Operator | undefined;
        readonly value: Expression;
      }
    /** Uint8Array's `fill` */
    | {
        readonly kind: 'fill';
        readonly value: Expression;
        readonly start: Expression;
        readonly end: Expression;
      }
    /** and `copyWithin`. */
    | {
        readonly kind: 'copyWithin';
        readonly target: Expression;
        readonly start: Expression;
        readonly end: Expression;
      }
    | {
        readonly kind: 'if';
        readonly condition: Condition;
        readonly then: readonly Statement[];
        readonly otherwise: readonly Statement[];
      }
    | { readonly kind: 'do'; readonly body: readonly Statement[]; readonly condition: Condition }
    | { readonly kind: 'while'; readonly condition: Condition; readonly body: readonly Statement[] }
  );

export interface FunctionText extends Written {
  readonly name: string;
  /** The offset in the text. */
  readonly at: number;
  readonly parameters: number;
  /** The number of variables, parameters included, and their names. */
  readonly slots: number;
  readonly names: readonly string[];
  readonly body: readonly Statement[];
  /** The result, which is computed after the body, if there is one. */
  readonly result: Expression | undefined;
}

/** A file: a function of a memory that returns an object of functions. */
export interface Program {
  readonly name: string;
  readonly functions: ReadonlyMap<string, FunctionText>;
  readonly exported: readonly string[];
}
