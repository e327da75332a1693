// Types every number of a text as public or secret, on all paths and for all lengths, as constant-time/typing.ts does with
// modules: what is read from memory is secret, what a caller passes to an exported function is public, and nothing is
// annotated. A secret may not decide a condition (of a branch, a loop, `?:`, `&&` or `||`), an index, an address or the
// count of a shift; and the language has no division (syntax.ts).
//
// A variable has one type wherever it is used, and types only ever grow from public to secret.
import { isShift, type Condition, type Expression, type FunctionText, type Program, type Statement } from './syntax.ts';

export interface Violation {
  readonly kind: 'condition' | 'index' | 'address' | 'shift count';
  /** In the text, from 1. */
  readonly line: number;
}

export interface Typing {
  readonly violations: readonly Violation[];
  /** The exported functions whose result depends on a secret: what they give back, they tell. */
  readonly secretResults: readonly string[];
}

/** Whether each variable and the result of a function is secret. */
interface FunctionType {
  readonly variables: boolean[];
  result: boolean;
}

class Pass {
  readonly violations: Violation[] = [];
  changed = false;
  readonly #types: ReadonlyMap<string, FunctionType>;
  readonly #program: Program;

  constructor(program: Program, types: ReadonlyMap<string, FunctionType>) {
    this.#program = program;
    this.#types = types;
  }

  run(): this {
    for (const f of this.#program.functions.values()) this.#function(f, this.#types.get(f.name)!);
    return this;
  }

  #function(f: FunctionText, type: FunctionType): void {
    this.#statements(f.body, type);
    if (!f.result || !this.#expression(f.result, type) || type.result) return;
    type.result = true;
    this.changed = true;
  }

  #become(type: FunctionType, slot: number, secret: boolean): void {
    if (!secret || type.variables[slot]) return;
    type.variables[slot] = true;
    this.changed = true;
  }

  /** What has to be public. */
  #require(kind: Violation['kind'], x: Expression, type: FunctionType, line: number): void {
    if (this.#expression(x, type)) this.violations.push({ kind, line });
  }

  /** Whether it is secret. */
  #expression(x: Expression, type: FunctionType): boolean {
    switch (x.kind) {
      case 'number':
        return false;
      case 'variable':
        return type.variables[x.slot];
      case 'unary':
        return this.#expression(x.operand, type);
      case 'binary': {
        if (isShift(x.operator)) this.#require('shift count', x.right, type, x.line);
        return this.#any([x.left, x.right], type);
      }
      case 'imul':
        return this.#any([x.left, x.right], type);
      case 'element':
        this.#require('index', x.index, type, x.line);
        return true;
      case 'assign': {
        const secret = this.#expression(x.value, type);
        this.#become(type, x.slot, secret);
        return secret;
      }
      case 'choice':
        this.#condition(x.condition, type);
        return this.#any([x.then, x.otherwise], type);
      case 'call': {
        const callee = this.#types.get(x.callee)!;
        x.operands.forEach((operand, i) => this.#become(callee, i, this.#expression(operand, type)));
        return callee.result;
      }
    }
  }

  /** Whether one of them is secret; all are looked at. */
  readonly #any = (list: readonly Expression[], type: FunctionType): boolean =>
    list.map((x) => this.#expression(x, type)).includes(true);

  #condition(x: Condition, type: FunctionType): void {
    switch (x.kind) {
      case 'compare':
        if (this.#any([x.left, x.right], type)) this.violations.push({ kind: 'condition', line: x.line });
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

export function typeText(program: Program): Typing {
  const types = new Map(
    [...program.functions.values()].map(({ name, slots }): [string, FunctionType] => [
      name,
      { variables: new Array<boolean>(slots).fill(false), result: false },
    ]),
  );
  let pass: Pass;
  do pass = new Pass(program, types).run();
  while (pass.changed);
  const secretResults = program.exported.filter((name) => types.get(name)!.result);
  return { violations: pass.violations, secretResults };
}
