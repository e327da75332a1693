/**
 * Runs the functions that call others on every length: those that choose what is encrypted, authenticated, copied and wiped. A
 * function with arithmetic on keys and messages does not run here: a contract stands for it, which another claim proves of the
 * same function. So it is with a loop, unless its number of iterations is known in each case.
 *
 * A value is a number, which may depend on the length of a case (cases.ts); an unknown parameter, such as
 * the number of bytes of additional data; or data, which may be stored and no more. A branch, address or length that
 * depends on data is a failure, and so is every instruction that is not listed here.
 */
import { Failure } from '../claims/claim.ts';
import type { Range } from '../execute/machine.ts';
import type { DecodedFunction, DecodedModule, Instruction } from '../wasm/types.ts';
import { Affine, type Case, type Num } from './cases.ts';
import { byteOf, Contents, UNKNOWN } from './content.ts';

/** A parameter that is only known not to be zero, plus a constant. */
export class Parameter {
  readonly name: string;
  readonly plus: number;

  constructor(name: string, plus = 0) {
    this.name = name;
    this.plus = plus;
  }
}

/** A value that comes from memory, or a result that a contract names. */
export class Data {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const DATA = new Data('data');

export type Value = Num | Parameter | Data;

/** The effect of a function, in place of its code; it may return its result. */
export type Contract = (outline: Outline, parameters: readonly Value[]) => Value | undefined;

export const isNumber = (x: Value | undefined): x is Num => typeof x === 'number' || x instanceof Affine;

const MOST_STEPS = 100_000;

/** Whether a comparison of a parameter holds, in the case that a claim is about; undefined if that does not say. */
export type Assumption = (comparison: string, x: Value, y: Value) => boolean | undefined;

/** For each parameter that is a length, the addresses where as many bytes may be filled, from the first on. */
export type Spans = Readonly<Record<string, Range>>;

export class Outline {
  readonly case: Case;
  readonly memory: Contents;
  readonly #module: DecodedModule;
  readonly #contracts: ReadonlyMap<number, Contract>;
  readonly #spans: Spans;
  readonly #assumption: Assumption;
  #stack: Value[] = [];
  #steps = 0;
  #at: Instruction = { op: 'end', at: 0, opens: -1 };

  constructor(
    module: DecodedModule,
    c: Case,
    memoryBytes: number,
    contracts: ReadonlyMap<number, Contract>,
    spans: Spans = {},
    assumption: Assumption = () => undefined,
  ) {
    this.#spans = spans;
    this.#assumption = assumption;
    this.#module = module;
    this.case = c;
    this.memory = new Contents(c, memoryBytes);
    this.#contracts = contracts;
  }

  failure(what: string): Failure {
    return new Failure(`${what}, in ${this.#at.op} at ${this.#at.at} (length ${this.case.example})`);
  }

  number(x: Value | undefined, use: string): Num {
    if (isNumber(x)) return x;
    throw this.failure(`a ${use} that depends on ${x instanceof Parameter ? x.name : 'data'}`);
  }

  call(name: string, ...parameters: readonly Value[]): Value | undefined {
    const callee = this.#module.functions.find((f) => f.name === name);
    if (callee?.type.parameters.length !== parameters.length) throw new Failure(`${name} has other parameters`);
    this.#stack = [...parameters];
    this.#run(callee.index);
    return this.#stack.pop();
  }

  /** Runs a function's own code, for which a contract stands where others call it. */
  within(f: DecodedFunction, parameters: readonly Value[]): void {
    const stack = this.#stack;
    this.#stack = [];
    this.#code(f, parameters);
    this.#stack = stack;
  }

  #pop(): Value {
    const value = this.#stack.pop();
    if (value === undefined) throw this.failure('an operand is missing');
    return value;
  }

  #run(index: number): void {
    const f = this.#module.functions[index];
    const { type } = f;
    const parameters = this.#stack.splice(this.#stack.length - type.parameters.length);
    const contract = this.#contracts.get(index);
    if (contract) {
      const result = contract(this, parameters);
      if (type.results.length) this.#stack.push(result ?? DATA);
      return;
    }
    this.#code(f, parameters);
  }

  #code({ locals: types, code }: DecodedFunction, parameters: readonly Value[]): void {
    const locals: Value[] = types.map((kind, i) => (i < parameters.length ? parameters[i] : kind === 'i32' ? 0 : DATA));
    for (let i = 0; i < code.length; i++) {
      const step = code[i];
      this.#at = step;
      if (++this.#steps > MOST_STEPS) throw this.failure('too many steps');
      switch (step.op) {
        case 'local.get':
          this.#stack.push(locals[step.local]);
          break;
        case 'local.set':
          locals[step.local] = this.#pop();
          break;
        case 'local.tee':
          locals[step.local] = this.#stack.at(-1)!;
          break;
        case 'if':
          if (!this.#holds()) i = step.otherwise;
          break;
        case 'else':
          i = step.end;
          break;
        case 'block':
        case 'loop':
        case 'end':
          break;
        case 'br_if':
          if (code[step.opens]?.op !== 'loop') throw this.failure('a branch that is not run on every length');
          if (this.#holds()) i = step.opens;
          break;
        case 'return':
          return;
        case 'call':
          this.#run(step.callee);
          break;
        case 'drop':
          this.#pop();
          break;
        default:
          this.#operate(step);
      }
    }
  }

  #holds(): boolean {
    const condition = this.#pop();
    // A parameter that is not zero; the case of zero is a number.
    if (condition instanceof Parameter && condition.plus === 0) return true;
    return !this.case.equal(this.number(condition, 'branch'), 0);
  }

  #operate(step: Instruction): void {
    const { op } = step;
    if (op === 'i32.const') this.#stack.push(step.value >>> 0);
    else if (op === 'i32.eqz') this.#stack.push(this.#compared((x) => this.case.equal(x, 0)));
    else if (op === 'memory.fill') this.#fill();
    else if (op === 'memory.copy') this.#copy();
    else if (/^i32\.load(8_u)?$/.test(op)) this.#load(step as Instruction & { readonly offset: number });
    else if (/^(i32|v128)\.store8?$/.test(op)) this.#store(step as Instruction & { readonly offset: number });
    else if (op === 'v128.const') this.#stack.push(DATA);
    else if (op.startsWith('i32.')) this.#binary(op.slice(4));
    else throw this.failure('an instruction that is not run on every length');
  }

  #compared(holds: (x: Num) => boolean): Value {
    const x = this.#pop();
    return isNumber(x) ? Number(holds(x)) : DATA;
  }

  #binary(name: string): void {
    const [y, x] = [this.#pop(), this.#pop()];
    if (isNumber(x) && isNumber(y)) this.#stack.push(this.#ofNumbers(name, x, y));
    else if (name === 'add' && x instanceof Parameter && typeof y === 'number')
      this.#stack.push(new Parameter(x.name, x.plus + y));
    else this.#stack.push(this.#assumed(name, x, y));
  }

  #assumed(comparison: string, x: Value, y: Value): Value {
    const holds = this.#assumption(comparison, x, y);
    return holds === undefined ? DATA : Number(holds);
  }

  #ofNumbers(name: string, x: Num, y: Num): Num {
    const c = this.case;
    switch (name) {
      case 'add':
        return c.add(x, y);
      case 'sub':
        return c.sub(x, y);
      case 'mul':
        return c.mul(x, y);
      case 'and':
        return c.and(x, y);
      case 'or':
        return c.or(x, y);
      case 'xor':
        return c.xor(x, y);
      case 'shl':
        return c.shiftedUp(x, y);
      case 'shr_u':
        return c.shiftedDown(x, y);
      case 'eq':
        return Number(c.equal(x, y));
      case 'ne':
        return Number(!c.equal(x, y));
      case 'lt_u':
        return Number(c.less(x, y));
      case 'gt_u':
        return Number(c.less(y, x));
      case 'le_u':
        return Number(c.lessOrEqual(x, y));
      case 'ge_u':
        return Number(c.lessOrEqual(y, x));
      default:
        throw this.failure('an operation that is not run on every length');
    }
  }

  #address(offset: number): Num {
    return this.case.add(this.number(this.#pop(), 'address'), offset);
  }

  /** A word that was stored whole, or constant bytes, are numbers again; all else is data. */
  #load({ op, offset }: Instruction & { readonly offset: number }): void {
    const from = this.#address(offset);
    const size = op === 'i32.load' ? 4 : 1;
    const pieces = this.memory.between(from, this.case.add(from, size));
    const [{ content }] = pieces;
    const { kind, delta, value, stream } = content;
    if (pieces.length === 1 && stream === undefined && kind === 'byte')
      this.#stack.push(((value as number) * (size === 4 ? 0x1010101 : 1)) >>> 0);
    else if (pieces.length === 1 && kind === 'word' && size === 4 && this.case.equal(this.case.add(from, delta), 0))
      this.#stack.push(value as Value);
    else this.#stack.push(DATA);
  }

  #store({ op, offset }: Instruction & { readonly offset: number }): void {
    const value = this.#pop();
    const from = this.#address(offset);
    const size = op === 'v128.store' ? 16 : op === 'i32.store8' ? 1 : 4;
    const to = this.case.add(from, size);
    if (typeof value === 'number' && size === 1) this.memory.put(from, to, byteOf(value & 0xff));
    else if (value === 0) this.memory.put(from, to, byteOf(0));
    else if (size === 4 && !(value instanceof Data))
      this.memory.put(from, to, { kind: 'word', delta: this.case.sub(0, from), value });
    else this.memory.put(from, to, UNKNOWN);
  }

  #fill(): void {
    const [length, value, to] = [this.#pop(), this.#pop(), this.number(this.#pop(), 'address')];
    if (typeof value !== 'number') throw this.failure('memory is filled with a byte that is not constant');
    if (length instanceof Parameter) this.#fillSpan(length, to, value);
    else this.memory.put(to, this.case.add(to, this.number(length, 'length')), byteOf(value & 0xff));
  }

  /** Some first bytes of a span: from then on none of it is what it was. */
  #fillSpan({ name, plus }: Parameter, to: Num, value: number): void {
    const span = this.#spans[name] as Range | undefined;
    if (!span || plus !== 0 || !this.case.equal(to, span.from))
      throw this.failure(`${name} bytes are filled where they are not`);
    this.memory.put(span.from, span.to, { kind: `filled ${name}`, delta: 0, value });
  }

  #copy(): void {
    const [length, from, to] = [this.#pop(), this.#pop(), this.#pop()].map((x) => this.number(x, 'length or address'));
    this.memory.copy(to, from, length);
  }
}
