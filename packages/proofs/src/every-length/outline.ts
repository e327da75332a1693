/**
 * Runs the functions that call others on every length: those that choose what is encrypted, authenticated, copied and wiped. A
 * function with arithmetic on keys and messages does not run here: a contract stands for it, which another claim proves of the
 * same function. So it is with a loop, unless its number of iterations is known in each case.
 *
 * The values are those of values.ts. A branch, address or length that depends on data is a failure, and so is every instruction
 * that is not listed here.
 */
import { Failure } from '../claims/claim.ts';
import type { Range } from '../execute/machine.ts';
import type { DecodedFunction, DecodedModule, Instruction } from '../wasm/types.ts';
import type { Case, Num } from './cases.ts';
import { byteOf, Contents, UNKNOWN, type Content } from './content.ts';
import { combined, Data, DATA, isNumber, ofNumbers, Parameter, Place, type Base, type Value } from './values.ts';

export { Data, isNumber, Parameter, type Value } from './values.ts';

/** The effect of a function, in place of its code; it may return its result. */
export type Contract = (outline: Outline, parameters: readonly Value[]) => Value | undefined;

const MOST_STEPS = 100_000;

/** Whether a comparison of a parameter holds, in the case that a claim is about; undefined if that does not say. */
export type Assumption = (comparison: string, x: Value, y: Value) => boolean | undefined;

/** For each parameter that is a length, the addresses where as many bytes may be filled, from the first on. */
export type Spans = Readonly<Record<string, Range>>;

export class Outline {
  readonly case: Case;
  readonly memory: Contents;
  readonly #memoryBytes: number;
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
    bases: readonly Base[] = [],
  ) {
    this.#memoryBytes = memoryBytes;
    this.#spans = spans;
    this.#assumption = assumption;
    this.#module = module;
    this.case = c;
    // Regions come after memory.
    this.memory = new Contents(c, Math.max(memoryBytes, ...bases.map(({ home = 0 }) => home + memoryBytes)));
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

  /** The address of so many bytes, which have to be in memory, or within a memory's length of a region's first one. */
  at(x: Value | undefined, size: Num, use = 'address'): Num {
    const c = this.case;
    const from = x instanceof Place ? x.plus : this.number(x, use);
    const most = this.#memoryBytes;
    // Neither is above it, so their sum does not wrap around.
    const isInside = [from, size].every((n) => c.lessOrEqual(n, most)) && c.lessOrEqual(c.add(from, size), most);
    if (!isInside) throw this.failure('an access past the end of memory');
    if (!(x instanceof Place)) return from;
    if (x.base.home === undefined) throw this.failure(`an access to ${x.base.name}`);
    return c.add(x.base.home, from);
  }

  /**
   * Runs a part of a function's code, without any jump in or out of it, with these locals, which it changes. Returns what it leaves on
   * the stack.
   */
  slice({ code }: DecodedFunction, from: number, to: number, locals: Value[]): readonly Value[] {
    const stack = this.#stack;
    this.#stack = [];
    this.#execute(code, from, to, locals);
    const left = this.#stack;
    this.#stack = stack;
    return left;
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
    this.#execute(code, 0, code.length, locals);
  }

  #execute(code: readonly Instruction[], from: number, to: number, locals: Value[]): void {
    for (let i = from; i < to; i++) {
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
          if (to < code.length) throw this.failure('a return from a part of a function');
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
    if (isNumber(x) && isNumber(y)) {
      const result = ofNumbers(this.case, name, x, y);
      if (result === undefined) throw this.failure('an operation that is not run on every length');
      this.#stack.push(result);
    } else this.#stack.push(combined(this.case, name, x, y) ?? this.#assumed(name, x, y));
  }

  #assumed(comparison: string, x: Value, y: Value): Value {
    const holds = this.#assumption(comparison, x, y);
    return holds === undefined ? DATA : Number(holds);
  }

  #address(offset: number, size: number): Num {
    const x = this.#pop();
    const sum = isNumber(x) ? this.case.add(x, offset) : combined(this.case, 'add', x, offset);
    return this.at(sum, size);
  }

  #load({ op, offset }: Instruction & { readonly offset: number }): void {
    const size = op === 'i32.load' ? 4 : 1;
    this.#stack.push(this.loaded(this.#address(offset, size), size));
  }

  /** A word that was stored whole, or constant bytes, are numbers again, or what they were; all else is data. */
  loaded(from: Num, size = 4): Value {
    const pieces = this.memory.between(from, this.case.add(from, size));
    if (pieces.length !== 1) return DATA;
    const [{ content }] = pieces;
    const { kind, delta, value, stream } = content;
    if (stream === undefined && kind === 'byte') return ((value as number) * (size === 4 ? 0x1010101 : 1)) >>> 0;
    if (size !== 4) return DATA;
    if (stream === undefined && kind === 'word' && this.case.equal(this.case.add(from, delta), 0))
      return value as Value;
    return new Data('data', this.memory.moved(content, this.case.sub(0, from)));
  }

  #store({ op, offset }: Instruction & { readonly offset: number }): void {
    const value = this.#pop();
    const size = op === 'v128.store' ? 16 : op === 'i32.store8' ? 1 : 4;
    const from = this.#address(offset, size);
    const to = this.case.add(from, size);
    this.memory.put(from, to, this.#stored(from, size, value));
  }

  #stored(from: Num, size: number, value: Value): Content {
    if (typeof value === 'number' && size === 1) return byteOf(value & 0xff);
    if (value === 0) return byteOf(0);
    if (size !== 4) return UNKNOWN;
    if (!(value instanceof Data)) return { kind: 'word', delta: this.case.sub(0, from), value };
    if (value.origin) return this.memory.moved(value.origin, from);
    return value.term ? { kind: 'word', delta: this.case.sub(0, from), value } : UNKNOWN;
  }

  #fill(): void {
    const [length, value, to] = [this.#pop(), this.#pop(), this.#pop()];
    if (typeof value !== 'number') throw this.failure('memory is filled with a byte that is not constant');
    if (length instanceof Parameter) this.#fillSpan(length, this.number(to, 'address'), value);
    else {
      const size = this.number(length, 'length');
      const from = this.at(to, size);
      this.memory.put(from, this.case.add(from, size), byteOf(value & 0xff));
    }
  }

  /** Some first bytes of a span: from then on none of it is what it was. */
  #fillSpan({ name, plus }: Parameter, to: Num, value: number): void {
    const span = this.#spans[name] as Range | undefined;
    if (!span || plus !== 0 || !this.case.equal(to, span.from))
      throw this.failure(`${name} bytes are filled where they are not`);
    this.memory.put(span.from, span.to, { kind: `filled ${name}`, delta: 0, value });
  }

  #copy(): void {
    const [size, from, to] = [this.#pop(), this.#pop(), this.#pop()];
    const length = this.number(size, 'length or address');
    const [source, target] = [from, to].map((x) => this.at(x, length, 'length or address'));
    this.memory.copy(target, source, length);
  }
}
