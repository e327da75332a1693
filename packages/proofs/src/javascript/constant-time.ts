// Types every number of a text as public or secret, on all paths and for all lengths, as constant-time/typing.ts does
// with modules: numbers read from memory are secret, the parameters of an exported function are public, and nothing is
// annotated. A secret must not decide a condition (of a branch, a loop, `?:`, `&&` or `||`), an index, an address or
// the count of a shift; the language has no division (syntax.ts).
//
// A variable has one type wherever it is used, and types only ever grow from public to secret.
import {
  computed,
  joined,
  ofOr,
  ofXor,
  ofZero,
  resultsOf,
  type Label,
  type Results,
  type SecretAddresses,
} from '../constant-time/labels.ts';
import {
  isShift,
  type Condition,
  type Expression,
  type FunctionText,
  type Operator,
  type Program,
  type Statement,
} from './syntax.ts';

export interface Violation {
  readonly kind: 'condition' | 'index' | 'address' | 'shift count';
  /** The line in the text, counted from 1. */
  readonly line: number;
}

export interface Typing extends Results {
  readonly violations: readonly Violation[];
}

/** The labels of each variable and of the result of a function. */
interface FunctionType {
  readonly variables: Label[];
  result: Label;
}

/** Recognises the zero test ((x | (0 - x)) >>> 31) ^ 1 of the only parameter, whose result is 1 for zero alone. */
export function isZeroTest({ body, parameters, result }: FunctionText): boolean {
  const x: Expression = { kind: 'variable', slot: 0, line: 0 };
  const number = (value: number): Expression => ({ kind: 'number', value, line: 0 });
  const of = (operator: Operator, left: Expression, right: Expression): Expression => ({
    kind: 'binary',
    operator,
    left,
    right,
    line: 0,
  });
  const test = of('^', of('>>>', of('|', x, of('-', number(0), x)), number(31)), number(1));
  const withoutLines = (tree: unknown): string =>
    JSON.stringify(tree, (key, value: unknown) => (key === 'line' ? 0 : value));
  return parameters === 1 && body.length === 0 && withoutLines(result) === withoutLines(test);
}

class Pass {
  readonly violations: Violation[] = [];
  changed = false;
  readonly #types: ReadonlyMap<string, FunctionType>;
  readonly #program: Program;
  readonly #zeroTests: ReadonlySet<string>;

  constructor(program: Program, types: ReadonlyMap<string, FunctionType>) {
    this.#program = program;
    this.#types = types;
    this.#zeroTests = new Set([...program.functions.values()].filter(isZeroTest).map(({ name }) => name));
  }

  run(): this {
    for (const f of this.#program.functions.values()) this.#function(f, this.#types.get(f.name)!);
    return this;
  }

  #function(f: FunctionText, type: FunctionType): void {
    this.#statements(f.body, type);
    if (!f.result) return;
    const result = joined(type.result, this.#expression(f.result, type));
    if (result === type.result) return;
    type.result = result;
    this.changed = true;
  }

  #become(type: FunctionType, slot: number, label: Label): void {
    const updated = joined(type.variables[slot], label);
    if (updated === type.variables[slot]) return;
    type.variables[slot] = updated;
    this.changed = true;
  }

  /** Records a violation unless the value is public, or has another label that is permitted there. */
  #require(
    kind: Violation['kind'],
    x: Expression,
    type: FunctionType,
    line: number,
    permitted: Label = 'public',
  ): void {
    const label = this.#expression(x, type);
    if (label !== 'public' && label !== permitted) this.violations.push({ kind, line });
  }

  #expression(x: Expression, type: FunctionType): Label {
    switch (x.kind) {
      case 'number':
        return 'public';
      case 'variable':
        return type.variables[x.slot];
      case 'unary':
        return computed([this.#expression(x.operand, type)]);
      case 'binary': {
        if (isShift(x.operator)) this.#require('shift count', x.right, type, x.line);
        const [left, right] = this.#each([x.left, x.right], type);
        if (x.operator === '^') return ofXor(left, right);
        return x.operator === '|' ? ofOr(left, right) : computed([left, right]);
      }
      case 'imul':
        return computed(this.#each([x.left, x.right], type));
      case 'element':
        this.#require('index', x.index, type, x.line, 'address');
        return 'secret';
      case 'assign': {
        const label = this.#expression(x.value, type);
        this.#become(type, x.slot, label);
        return label;
      }
      case 'choice':
        this.#condition(x.condition, type);
        return this.#each([x.then, x.otherwise], type).reduce(joined);
      case 'call': {
        const callee = this.#types.get(x.callee)!;
        const operands = this.#each(x.operands, type);
        operands.forEach((label, i) => this.#become(callee, i, label));
        return this.#zeroTests.has(x.callee) ? ofZero(operands[0]) : callee.result;
      }
    }
  }

  readonly #each = (list: readonly Expression[], type: FunctionType): Label[] =>
    list.map((x) => this.#expression(x, type));

  #condition(x: Condition, type: FunctionType): void {
    switch (x.kind) {
      case 'compare':
        if (computed(this.#each([x.left, x.right], type)) !== 'public')
          this.violations.push({ kind: 'condition', line: x.line });
        break;
      case 'not':
        this.#condition(x.operand, type);
        break;
      case 'and':
      case 'or':
        this.#condition(x.left, type);
        this.#condition(x.right, type);
        break;
    }
  }

  #statements(list: readonly Statement[], type: FunctionType): void {
    for (const statement of list) this.#statement(statement, type);
  }

  #statement(x: Statement, type: FunctionType): void {
    switch (x.kind) {
      case 'evaluate':
        this.#expression(x.expression, type);
        break;
      case 'store':
        this.#require('index', x.index, type, x.line);
        if (x.operator && isShift(x.operator)) this.#require('shift count', x.value, type, x.line);
        else this.#expression(x.value, type);
        break;
      case 'fill':
        this.#expression(x.value, type);
        for (const at of [x.start, x.end]) this.#require('address', at, type, x.line);
        break;
      case 'copyWithin':
        for (const at of [x.target, x.start, x.end]) this.#require('address', at, type, x.line);
        break;
      case 'if':
        this.#condition(x.condition, type);
        this.#statements(x.then, type);
        this.#statements(x.otherwise, type);
        break;
      case 'do':
      case 'while':
        this.#condition(x.condition, type);
        this.#statements(x.body, type);
        break;
    }
  }
}

export function typeText(program: Program, secretAddresses: SecretAddresses = {}): Typing {
  const types = new Map(
    [...program.functions.values()].map(({ name, slots }): [string, FunctionType] => [
      name,
      { variables: new Array<Label>(slots).fill('public'), result: 'public' },
    ]),
  );
  // Parameters come first among the variables.
  for (const [name, parameters] of Object.entries(secretAddresses))
    for (const parameter of parameters) types.get(name)!.variables[parameter] = 'address';
  let pass: Pass;
  do pass = new Pass(program, types).run();
  while (pass.changed);
  const results = program.exported.map((name) => [name, types.get(name)!.result] as const);
  return { violations: pass.violations, ...resultsOf(results) };
}
