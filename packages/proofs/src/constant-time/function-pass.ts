/** One pass over one function: what is secret at each instruction, given what is known so far. */
import { ENTRIES } from '../wasm/opcodes.ts';
import type { DecodedFunction, Instruction } from '../wasm/types.ts';
import { RULES } from './rules.ts';
import type { Knowledge, Secret, Violation } from './typing.ts';

type Locals = Secret[];

/** A block that is open. */
interface Label {
  /** The index of the instruction that opened it. */
  readonly opens: number;
  readonly loop: boolean;
  /** Of the stack. */
  readonly height: number;
  /** The locals with which an `if` goes on where its condition is 0. */
  otherwise: Locals | undefined;
  /** The locals with which control comes behind its end. */
  exit: Locals | undefined;
}

/** What two ways that meet make of the locals; always a copy. */
const joined = (a: Locals | undefined, b: Locals | undefined): Locals | undefined =>
  a && b ? a.map((secret, i) => secret || b[i]) : (a ?? b)?.slice();

export class FunctionPass {
  readonly #known: Knowledge;
  readonly #function: DecodedFunction;
  readonly #labels: Label[] = [];
  readonly #stack: Secret[] = [];
  readonly #violations: Violation[] = [];
  /** Undefined where control does not come. */
  #locals: Locals | undefined;

  constructor(known: Knowledge, f: DecodedFunction, parameters: Locals) {
    this.#known = known;
    this.#function = f;
    // What a function declares starts as zero.
    this.#locals = f.locals.map((_, i) => parameters[i] ?? false);
  }

  run(): Violation[] {
    this.#function.code.forEach((instruction, i) => {
      const { op } = instruction;
      if (op === 'block' || op === 'loop' || op === 'if') this.#open(instruction, i);
      else if (op === 'else') this.#otherwise();
      else if (op === 'end') this.#close();
      else if (this.#locals) this.#step(instruction, this.#locals);
    });
    return this.#violations;
  }

  #take(count: number): Secret[] {
    return this.#stack.splice(this.#stack.length - count, count);
  }

  /** The operands of an instruction, which it takes from the stack, held against its rules. */
  #operands({ op, at }: Instruction, count: number): Secret[] {
    const operands = this.#take(count);
    for (const [operand, kind] of RULES.get(op)!)
      if (operands[operand]) this.#violations.push({ kind, op, at, function: this.#function.index });
    return operands;
  }

  #open(instruction: Instruction, opens: number): void {
    const { op } = instruction;
    if (op === 'if' && this.#locals) this.#operands(instruction, 1);
    if (op === 'loop' && this.#locals) {
      const loops = this.#known.loops[this.#function.index];
      this.#locals = joined(this.#locals, loops.get(opens))!;
      loops.set(opens, this.#locals.slice());
    }
    const otherwise = op === 'if' ? this.#locals?.slice() : undefined;
    this.#labels.push({ opens, loop: op === 'loop', height: this.#stack.length, otherwise, exit: undefined });
  }

  #otherwise(): void {
    const label = this.#labels.at(-1)!;
    label.exit = joined(label.exit, this.#locals);
    this.#locals = label.otherwise;
    label.otherwise = undefined;
    this.#stack.length = label.height;
  }

  #close(): void {
    const label = this.#labels.pop();
    if (!label) {
      if (this.#locals) this.#return();
      return;
    }
    // An `if` without `else` lets pass what its condition turned away.
    this.#locals = joined(joined(label.exit, this.#locals), label.otherwise);
    this.#stack.length = label.height;
  }

  #return(): void {
    const results = this.#known.results[this.#function.index];
    this.#known.join(results, this.#stack.slice(this.#stack.length - results.length));
    this.#locals = undefined;
  }

  /** Control also goes to where a block, loop or function is left or repeated. */
  #branch(opens: number, locals: Locals): void {
    const label = this.#labels.find((l) => l.opens === opens);
    if (!label) {
      this.#return();
      this.#locals = locals;
    } else if (label.loop) this.#known.join(this.#known.loops[this.#function.index].get(opens)!, locals);
    else label.exit = joined(label.exit, locals);
  }

  #step(instruction: Instruction, locals: Locals): void {
    const stack = this.#stack;
    switch (instruction.op) {
      case 'br_if':
        this.#operands(instruction, 1);
        this.#branch(instruction.opens, locals);
        break;
      case 'br':
        this.#branch(instruction.opens, locals);
        this.#locals = undefined;
        break;
      case 'return':
        this.#return();
        break;
      case 'unreachable':
        this.#locals = undefined;
        break;
      case 'call':
        stack.push(...this.#known.call(instruction.callee, this.#take(this.#known.parameterCount(instruction.callee))));
        break;
      case 'local.get':
        stack.push(locals[instruction.local]);
        break;
      case 'local.set':
        locals[instruction.local] = this.#take(1)[0];
        break;
      case 'local.tee':
        locals[instruction.local] = stack[stack.length - 1];
        break;
      case 'drop':
        this.#take(1);
        break;
      case 'select':
        stack.push(this.#operands(instruction, 3).includes(true));
        break;
      default: {
        const { takes, leaves } = ENTRIES.get(instruction.op)!;
        const operands = this.#operands(instruction, takes.length);
        const secret = 'offset' in instruction || operands.includes(true);
        for (let i = 0; i < leaves.length; i++) stack.push(secret);
      }
    }
  }
}
