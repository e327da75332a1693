/** One pass over one function: what is secret at each instruction, given what is known so far. */
import { ENTRIES } from '../wasm/opcodes.ts';
import type { DecodedFunction, Instruction } from '../wasm/types.ts';
import { RULES } from './rules.ts';
import { computed, joined, ofOr, ofXor, ofZero, type Label } from './labels.ts';
import type { Knowledge, Violation } from './typing.ts';

type Locals = Label[];

/** A block that is open. */
interface Open {
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
const met = (a: Locals | undefined, b: Locals | undefined): Locals | undefined =>
  a && b ? a.map((label, i) => joined(label, b[i])) : (a ?? b)?.slice();

/** Of what an instruction leaves. */
function labelOf(instruction: Instruction, operands: readonly Label[]): Label {
  // In memory there are secrets.
  if ('offset' in instruction) return 'secret';
  switch (instruction.op) {
    case 'i32.xor':
      return ofXor(operands[0], operands[1]);
    case 'i32.or':
      return ofOr(operands[0], operands[1]);
    case 'i32.eqz':
      return ofZero(operands[0]);
    default:
      return computed(operands);
  }
}

export class FunctionPass {
  readonly #known: Knowledge;
  readonly #function: DecodedFunction;
  readonly #open: Open[] = [];
  readonly #stack: Label[] = [];
  readonly #violations: Violation[] = [];
  /** Undefined where control does not come. */
  #locals: Locals | undefined;

  constructor(known: Knowledge, f: DecodedFunction, parameters: Locals) {
    this.#known = known;
    this.#function = f;
    // What a function declares starts as zero.
    this.#locals = f.locals.map((_, i) => parameters[i] ?? 'public');
  }

  run(): Violation[] {
    this.#function.code.forEach((instruction, i) => {
      const { op } = instruction;
      if (op === 'block' || op === 'loop' || op === 'if') this.#begin(instruction, i);
      else if (op === 'else') this.#otherwise();
      else if (op === 'end') this.#close();
      else if (this.#locals) this.#step(instruction, this.#locals);
    });
    return this.#violations;
  }

  #take(count: number): Label[] {
    return this.#stack.splice(this.#stack.length - count, count);
  }

  /** The operands of an instruction, which it takes from the stack, held against its rules. */
  #operands({ op, at }: Instruction, count: number): Label[] {
    const operands = this.#take(count);
    for (const [operand, kind] of RULES.get(op)!)
      if (operands[operand] !== 'public') this.#violations.push({ kind, op, at, function: this.#function.index });
    return operands;
  }

  #begin(instruction: Instruction, opens: number): void {
    const { op } = instruction;
    if (op === 'if' && this.#locals) this.#operands(instruction, 1);
    if (op === 'loop' && this.#locals) {
      const loops = this.#known.loops[this.#function.index];
      this.#locals = met(this.#locals, loops.get(opens))!;
      loops.set(opens, this.#locals.slice());
    }
    const otherwise = op === 'if' ? this.#locals?.slice() : undefined;
    this.#open.push({ opens, loop: op === 'loop', height: this.#stack.length, otherwise, exit: undefined });
  }

  #otherwise(): void {
    const block = this.#open.at(-1)!;
    block.exit = met(block.exit, this.#locals);
    this.#locals = block.otherwise;
    block.otherwise = undefined;
    this.#stack.length = block.height;
  }

  #close(): void {
    const block = this.#open.pop();
    if (!block) {
      if (this.#locals) this.#return();
      return;
    }
    // An `if` without `else` lets pass what its condition turned away.
    this.#locals = met(met(block.exit, this.#locals), block.otherwise);
    this.#stack.length = block.height;
  }

  #return(): void {
    const results = this.#known.results[this.#function.index];
    this.#known.join(results, this.#stack.slice(this.#stack.length - results.length));
    this.#locals = undefined;
  }

  /** Control also goes to where a block, loop or function is left or repeated. */
  #branch(opens: number, locals: Locals): void {
    const block = this.#open.find((one) => one.opens === opens);
    if (!block) {
      this.#return();
      this.#locals = locals;
    } else if (block.loop) this.#known.join(this.#known.loops[this.#function.index].get(opens)!, locals);
    else block.exit = met(block.exit, locals);
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
        stack.push(computed(this.#operands(instruction, 3)));
        break;
      default: {
        const { takes, leaves } = ENTRIES.get(instruction.op)!;
        const label = labelOf(instruction, this.#operands(instruction, takes.length));
        for (let i = 0; i < leaves.length; i++) stack.push(label);
      }
    }
  }
}
