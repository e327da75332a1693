/** The steps of a text's functions: expressions as JavaScript computes them, which values.ts says. */
import {
  equal,
  isZero,
  less,
  negation,
  notEqual,
  numberOf,
  shl,
  shr_s,
  shr_u,
  variable,
  type Term,
} from '../terms/term.ts';
import { isZeroTest } from './constant-time.ts';
import { Recorder, word, type Locals, type Steps } from './steps.ts';
import {
  isShift,
  type Call,
  type Condition,
  type Expression,
  type FunctionText,
  type Program,
  type Statement,
  type View,
} from './syntax.ts';
import { Untranslatable } from './untranslatable.ts';
import { binary, int32, integer, noDoubles, unary, Word, wordOf, type Value } from './values.ts';
import { variablesSetBy } from './variables-set.ts';

const term = (x: Value): Term => wordOf(x, noDoubles);
const boundsOf = (x: Value): readonly [number, number] => {
  if (typeof x === 'number') return [x, x];
  if (x instanceof Word) return [x.low, x.high];
  throw new Untranslatable('a double', 0);
};
const isWithin = (x: Value, low: number, high: number): boolean => {
  const [least, most] = boundsOf(x);
  return low <= least && most <= high;
};
const isInt32 = (x: Value): boolean => isWithin(x, -(2 ** 31), 2 ** 31 - 1);
const isUint32 = (x: Value): boolean => isWithin(x, 0, 2 ** 32 - 1);

const shiftedBy = (operator: '<<' | '>>' | '>>>', x: Term, count: Term): Value => {
  if (operator === '>>>') return integer(shr_u(x, count), 0, 2 ** 32 - 1);
  return int32(operator === '<<' ? shl(x, count) : shr_s(x, count));
};

/** The locals of the module that slots stand for, by their names: p0 and on are parameters, and x0 and on come after them. */
export const localsOf = ({ names, parameters }: FunctionText): number[] =>
  names.map((name) => (name.startsWith('p') ? 0 : parameters) + Number(name.slice(1)));

/** The locals that each branch and loop sets, in the order in which they begin. */
export function setsInText(f: FunctionText): ReadonlySet<number>[] {
  const locals = localsOf(f);
  const all: Set<number>[] = [];
  const add = (list: readonly Statement[]): unknown =>
    all.push(new Set([...variablesSetBy(list)].map((slot) => locals[slot])));
  const visit = (list: readonly Statement[]): void => {
    for (const statement of list)
      if (statement.kind === 'if') {
        add([...statement.then, ...statement.otherwise]);
        visit(statement.then);
        visit(statement.otherwise);
      } else if (statement.kind === 'do') {
        add([statement]);
        visit(statement.body);
      }
  };
  visit(f.body);
  return all;
}

export function stepsOfText(program: Program, f: FunctionText, sets: readonly ReadonlySet<number>[]): Steps {
  const ofModule = (name: string): boolean => program.exported.includes(name) || /^inner\d+$/.test(name);
  const recorder = new Recorder(sets);
  const indexes = localsOf(f);
  const locals: Locals = new Map(
    Array.from({ length: f.parameters }, (_, i) => [i, variable(32, `parameter ${i}`, true)]),
  );

  /** The values of the function's variables, where one is run that stands for an instruction. */
  let frame: Value[] | undefined;

  /** An element's address, of an index that is one divided by the element's size. */
  function addressOf(view: View, index: Expression): Term {
    if (view.elementBytes === 1) return term(expression(index));
    if (index.kind === 'number') return word(4 * index.value);
    const isDivided = index.kind === 'binary' && index.operator === '>>' && index.right.kind === 'number';
    if (isDivided && index.right.value === 2) return term(expression(index.left));
    throw new Untranslatable('an index that is no address', index.line);
  }
  const element = ({ elementBytes }: View, address: Term): Value => {
    const loaded = recorder.load(elementBytes, address);
    return elementBytes === 1 ? integer(loaded, 0, 255) : int32(loaded);
  };

  /** A number that a variable or a parameter may have: as WebAssembly's are, of 32 bits, and read with a sign. */
  function int32Of(x: Expression): Term {
    const value = expression(x);
    if (!isInt32(value)) throw new Untranslatable('a number that leaves 32 bits', x.line);
    return term(value);
  }

  function expression(x: Expression): Value {
    switch (x.kind) {
      case 'number':
        return x.value;
      case 'variable':
        return frame ? frame[x.slot] : int32(locals.get(indexes[x.slot])!);
      case 'unary':
        return unary(x.operator, expression(x.operand), noDoubles);
      case 'imul':
        return binary('imul', expression(x.left), expression(x.right), noDoubles);
      case 'binary': {
        const [left, right] = [expression(x.left), expression(x.right)];
        return isShift(x.operator) && typeof right !== 'number'
          ? shiftedBy(x.operator, term(left), term(right))
          : binary(x.operator, left, right, noDoubles);
      }
      case 'element':
        return element(x.view, addressOf(x.view, x.index));
      case 'assign': {
        if (frame) return (frame[x.slot] = expression(x.value));
        const value = int32Of(x.value);
        locals.set(indexes[x.slot], value);
        return int32(value);
      }
      case 'choice':
        throw new Untranslatable('a choice', x.line);
      case 'call': {
        const result = call(x);
        if (result === undefined) throw new Untranslatable(x.callee, x.line);
        return result;
      }
    }
  }

  /** A function that stands for one of the module's is a step; others, which stand for an instruction, are run. */
  function call({ callee, operands }: Call): Value | undefined {
    if (ofModule(callee)) return int32(recorder.call(callee, operands.map(int32Of)));
    const f = program.functions.get(callee)!;
    const values = operands.map(expression);
    if (isZeroTest(f)) return integer(isZero(term(values[0])), 0, 1);
    const before = frame;
    frame = values;
    f.body.forEach(statement);
    const result = f.result && expression(f.result);
    frame = before;
    return result;
  }

  /** The forms of a condition. */
  function condition(x: Condition): readonly Term[] {
    if (x.kind !== 'compare') throw new Untranslatable('a condition of several', x.line);
    const [left, right] = [expression(x.left), expression(x.right)];
    const both = (is: (value: Value) => boolean): boolean => is(left) && is(right);
    const [a, b] = [term(left), term(right)];
    if (x.operator === '===' || x.operator === '!==') {
      if (!both(isInt32) && !both(isUint32)) throw new Untranslatable('a comparison of other numbers', x.line);
      if (x.operator === '===') return right === 0 ? [equal(a, b), isZero(a)] : [equal(a, b)];
      return right === 0 ? [notEqual(a, b), a] : [notEqual(a, b)];
    }
    if (!both(isUint32)) throw new Untranslatable('a comparison of numbers with a sign', x.line);
    const forms = { '<': less(a, b), '>': less(b, a), '<=': negation(less(b, a)), '>=': negation(less(a, b)) };
    return [forms[x.operator]];
  }

  function holds(x: Condition): boolean {
    const [holds] = condition(x).map(numberOf);
    if (holds === undefined) throw new Untranslatable('a loop of another kind', x.line);
    return holds !== 0;
  }

  function statement(x: Statement): void {
    switch (x.kind) {
      case 'evaluate':
        if (x.expression.kind === 'call') call(x.expression);
        else expression(x.expression);
        return;
      case 'store': {
        const address = addressOf(x.view, x.index);
        const before = x.operator && element(x.view, address);
        const value = expression(x.value);
        const stored = x.operator ? binary(x.operator, before!, value, noDoubles) : value;
        recorder.store(x.view.elementBytes, address, term(stored));
        return;
      }
      case 'fill': {
        const [value, from, to] = [x.value, x.start, x.end].map((each) => term(expression(each)));
        recorder.take({ kind: 'fill', from, to, value });
        return;
      }
      case 'copyWithin': {
        const [target, from, to] = [x.target, x.start, x.end].map((each) => term(expression(each)));
        recorder.take({ kind: 'copy', target, from, to });
        return;
      }
      case 'if': {
        const holds = condition(x.condition);
        const scoped = (list: readonly Statement[]) => (): void => {
          const before = new Set(locals.keys());
          list.forEach(statement);
          for (const local of locals.keys()) if (!before.has(local)) locals.delete(local);
        };
        recorder.branch(locals, holds, scoped(x.then), scoped(x.otherwise));
        return;
      }
      case 'do':
        recorder.loop(locals, () => {
          x.body.forEach(statement);
          return condition(x.condition);
        });
        return;
      case 'while':
        // Of numbers that are known, in a function that stands for an instruction.
        while (holds(x.condition)) x.body.forEach(statement);
        return;
    }
  }

  f.body.forEach(statement);
  const result = f.result && int32Of(f.result);
  return { steps: recorder.steps, locals, result };
}
