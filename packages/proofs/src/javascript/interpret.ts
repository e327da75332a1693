// The interpreter: compiles the tree of a text to functions of values, in JavaScript's order of evaluation (operands
// from left to right; the target of an assignment before its value). Control flow and addresses must be known: see
// `Run.known`.
import type { Coverage } from '../execute/coverage.ts';
import type { Term } from '../terms/term.ts';
import { Stop, type Run } from './run.ts';
import {
  isShift,
  type Comparison,
  type Condition,
  type Expression,
  type FunctionText,
  type Program,
  type Statement,
  type View,
} from './syntax.ts';
import { variablesSetBy } from './variables-set.ts';
import { binary, unary, Word, type Value } from './values.ts';

/** A function of the text. Its operands are the values of its first variables. */
export type Callable = (operands: readonly Value[]) => Value | undefined;

type Frame = Value[];
type Evaluate = (frame: Frame) => Value;
type Decide = (frame: Frame) => boolean;
type Execute = (frame: Frame) => void;

const comparisons: Readonly<Record<Comparison, (x: number, y: number) => boolean>> = {
  '===': (x, y) => x === y,
  '!==': (x, y) => x !== y,
  '<': (x, y) => x < y,
  '<=': (x, y) => x <= y,
  '>': (x, y) => x > y,
  '>=': (x, y) => x >= y,
};

/** A condition whose operands have been computed. */
export interface Compared {
  readonly operator: Comparison;
  readonly left: Value;
  readonly right: Value;
  readonly line: number;
}

/** A loop whose one iteration stands for all, as a cut of a module: execute/machine.ts. */
export interface LoopCut {
  /** The first line of the loop. */
  readonly line: number;
  /** Makes the state of any iteration from that of the first one; `changed` are the variables that an iteration sets. */
  enter(variables: (Value | undefined)[], changed: readonly number[]): void;
  /** Whether there is another one. */
  again(condition: Compared, variables: readonly (Value | undefined)[]): boolean;
}

export interface InterpretOptions {
  /** Stand-ins for functions of these names. */
  readonly instead?: ReadonlyMap<string, (...parameters: number[]) => void>;
  /** The record of the functions that were executed, and of the ways their conditions went. */
  readonly coverage?: Coverage | undefined;
  readonly cut?: LoopCut | undefined;
  /** Numbers that are not known, and that are not zero. */
  readonly notZero?: readonly Term[];
}

export function interpret(
  program: Program,
  run: Run,
  { instead = new Map(), coverage, cut, notZero = [] }: InterpretOptions = {},
): ReadonlyMap<string, Callable> {
  const { memory, doubles } = run;
  const callables = new Map<string, Callable>();

  const known = (x: Evaluate, line: number, what: string) => (frame: Frame) => run.known(x(frame), line, what);

  const indexIn = ({ index, view, line }: { index: Expression; view: View; line: number }) => {
    const value = expression(index);
    return (frame: Frame): number => run.index(value(frame), view, line);
  };

  /** Reads an element of a view; stops if there is none, because `undefined` is not a number. */
  function elementOf(view: View, line: number): (index: number) => Value {
    const report = run.reportOf(line);
    return (index) => {
      const element = memory.element(view, index, report);
      if (element === undefined) throw new Stop(`line ${line}: ${view.name} has no element ${index}`);
      return element;
    };
  }

  function expression(x: Expression): Evaluate {
    switch (x.kind) {
      case 'number':
        return () => x.value;
      case 'variable':
        return (frame) => frame[x.slot];
      case 'unary': {
        const operand = expression(x.operand);
        return (frame) => unary(x.operator, operand(frame), doubles);
      }
      case 'binary': {
        const { operator, line } = x;
        const [left, right] = [expression(x.left), expression(x.right)];
        const second = isShift(operator) ? known(right, line, 'the count of a shift') : right;
        return (frame) => binary(operator, left(frame), second(frame), doubles);
      }
      case 'imul': {
        const [left, right] = [expression(x.left), expression(x.right)];
        return (frame) => binary('imul', left(frame), right(frame), doubles);
      }
      case 'element': {
        const index = indexIn(x);
        const element = elementOf(x.view, x.line);
        return (frame) => element(index(frame));
      }
      case 'assign': {
        const value = expression(x.value);
        return (frame) => (frame[x.slot] = value(frame));
      }
      case 'choice': {
        const holds = condition(x.condition);
        const [then, otherwise] = [expression(x.then), expression(x.otherwise)];
        return (frame) => (holds(frame) ? then(frame) : otherwise(frame));
      }
      case 'call': {
        const call = callOf(x);
        return (frame) => {
          const result = call(frame);
          if (result === undefined) throw new Stop(`line ${x.line}: ${x.callee} returns nothing`);
          return result;
        };
      }
    }
  }

  function callOf(x: Expression & { readonly kind: 'call' }): (frame: Frame) => Value | undefined {
    const operands = x.operands.map(expression);
    return (frame) => callables.get(x.callee)!(operands.map((operand) => operand(frame)));
  }

  /** Whether a comparison asks if one of `notZero` is none. */
  const isNotZero = ({ operator, left, right }: Compared): boolean =>
    operator === '!==' && right === 0 && left instanceof Word && notZero.includes(left.term);

  function comparison(x: Condition & { readonly kind: 'compare' }): (frame: Frame) => Compared {
    const [left, right] = [expression(x.left), expression(x.right)];
    return (frame) => ({ operator: x.operator, left: left(frame), right: right(frame), line: x.line });
  }

  function condition(x: Condition): Decide {
    switch (x.kind) {
      case 'compare': {
        const compare = comparisons[x.operator];
        const compared = comparison(x);
        return (frame) => {
          const both = compared(frame);
          if (isNotZero(both)) return true;
          const { left: a, right: b } = both;
          const held = compare(run.known(a, x.line, 'a condition'), run.known(b, x.line, 'a condition'));
          coverage?.went(x.at, held);
          return held;
        };
      }
      case 'not': {
        const operand = condition(x.operand);
        return (frame) => !operand(frame);
      }
      case 'and': {
        const [left, right] = [condition(x.left), condition(x.right)];
        return (frame) => left(frame) && right(frame);
      }
      case 'or': {
        const [left, right] = [condition(x.left), condition(x.right)];
        return (frame) => left(frame) || right(frame);
      }
    }
  }

  function statement(x: Statement): Execute {
    const report = run.reportOf(x.line);
    switch (x.kind) {
      case 'evaluate': {
        if (x.expression.kind === 'call') return callOf(x.expression);
        return expression(x.expression);
      }
      case 'store': {
        const { view, operator } = x;
        const index = indexIn(x);
        const second = expression(x.value);
        const value = operator && isShift(operator) ? known(second, x.line, 'the count of a shift') : second;
        const element = elementOf(view, x.line);
        return (frame) => {
          const at = index(frame);
          const before = operator && element(at);
          const assigned = value(frame);
          const result = operator ? binary(operator, before!, assigned, doubles) : assigned;
          memory.setElement(view, at, result, report);
        };
      }
      case 'fill': {
        const value = expression(x.value);
        const [start, end] = [x.start, x.end].map((at) => known(expression(at), x.line, 'an address'));
        return (frame) => {
          const [filled, from, to] = [value(frame), start(frame), end(frame)];
          run.apart(from, to, x.line);
          memory.fill(filled, from, to, report);
        };
      }
      case 'copyWithin': {
        const [target, start, end] = [x.target, x.start, x.end].map((at) =>
          known(expression(at), x.line, 'an address'),
        );
        return (frame) => {
          const [to, from, until] = [target(frame), start(frame), end(frame)];
          run.apart(from, until, x.line);
          run.apart(to, to + until - from, x.line);
          memory.copyWithin(to, from, until, report);
        };
      }
      case 'if': {
        const holds = condition(x.condition);
        const [then, otherwise] = [statements(x.then), statements(x.otherwise)];
        return (frame) => (holds(frame) ? then(frame) : otherwise(frame));
      }
      case 'do': {
        const body = statements(x.body);
        if (cut?.line === x.line) return cutLoop(cut, x, body);
        const again = condition(x.condition);
        return (frame) => {
          do {
            run.turn(x.line);
            body(frame);
          } while (again(frame));
        };
      }
      case 'while': {
        const again = condition(x.condition);
        const body = statements(x.body);
        return (frame) => {
          while (again(frame)) {
            run.turn(x.line);
            body(frame);
          }
        };
      }
    }
  }

  function cutLoop(its: LoopCut, loop: Statement & { readonly kind: 'do' }, body: Execute): Execute {
    const { condition: x } = loop;
    if (x.kind !== 'compare') throw new Stop(`line ${its.line}: the loop has another condition`);
    const [compared, changed] = [comparison(x), [...variablesSetBy([loop])]];
    return (frame) => {
      its.enter(frame, changed);
      do body(frame);
      while (its.again(compared(frame), frame));
    };
  }

  function statements(list: readonly Statement[]): Execute {
    const all = list.map(statement);
    return (frame) => {
      for (const one of all) one(frame);
    };
  }

  function callable({ body, result, slots, at }: FunctionText): Callable {
    const execute = statements(body);
    const returned = result && expression(result);
    return (operands) => {
      coverage?.run(at);
      const frame = new Array<Value>(slots);
      operands.forEach((operand, i) => (frame[i] = operand));
      execute(frame);
      return returned?.(frame);
    };
  }

  for (const [name, text] of program.functions) {
    const other = instead.get(name);
    const replaced: Callable = (operands) => {
      other!(...operands.map((x) => run.known(x, 0, name)));
      return undefined;
    };
    callables.set(name, other ? replaced : callable(text));
  }
  return callables;
}
