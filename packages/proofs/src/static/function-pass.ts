/** One pass over one function: computes the abstract state at each instruction from the results of earlier passes. */
import { ENTRIES } from '../wasm/opcodes.ts';
import type { DecodedFunction, Instruction } from '../wasm/types.ts';
import type { Known } from './lattice.ts';

/** A block that control is inside of. */
interface Label<V> {
  /** The index of the instruction that opened it. */
  readonly opens: number;
  readonly loop: boolean;
  /** The height of the stack at the start of the block. */
  readonly height: number;
  /** The locals with which control skips an `if` because its condition is 0. */
  otherwise: V[] | undefined;
  /** The locals with which branches reach the end of the block. */
  exit: V[] | undefined;
}

export class FunctionPass<V> {
  readonly #known: Known<V>;
  readonly #function: DecodedFunction;
  readonly #labels: Label<V>[] = [];
  readonly #stack: V[] = [];
  /** The locals at the current instruction; undefined where the code is unreachable. */
  #locals: V[] | undefined;

  constructor(known: Known<V>, f: DecodedFunction, parameters: readonly V[]) {
    this.#known = known;
    this.#function = f;
    this.#locals = f.locals.map((_, i) => (i < parameters.length ? parameters[i] : known.lattice.zero));
  }

  run(): void {
    this.#function.code.forEach((instruction, i) => {
      const { op } = instruction;
      if (op === 'block' || op === 'loop' || op === 'if') this.#open(instruction, i);
      else if (op === 'else') this.#otherwise();
      else if (op === 'end') this.#close();
      else if (this.#locals) this.#step(instruction, this.#locals);
    });
  }

  /** The join of the locals of two paths that meet; always a copy. */
  #joined(a: V[] | undefined, b: V[] | undefined): V[] | undefined {
    return a && b ? this.#known.joined(a, b) : (a ?? b)?.slice();
  }

  #take(count: number): V[] {
    return this.#stack.splice(this.#stack.length - count, count);
  }

  #compute(instruction: Instruction, count: number): readonly V[] {
    return this.#known.lattice.compute(instruction, this.#take(count), this.#function);
  }

  #open(instruction: Instruction, opens: number): void {
    const { op } = instruction;
    if (op === 'if' && this.#locals) this.#compute(instruction, 1);
    if (op === 'loop' && this.#locals)
      this.#locals = this.#known.loop(this.#function.index, opens, this.#locals, false);
    const otherwise = op === 'if' ? this.#locals?.slice() : undefined;
    this.#labels.push({ opens, loop: op === 'loop', height: this.#stack.length, otherwise, exit: undefined });
  }

  #otherwise(): void {
    const label = this.#labels.at(-1)!;
    label.exit = this.#joined(label.exit, this.#locals);
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
    // An `if` without `else` is skipped when its condition is 0, with the locals from before it.
    this.#locals = this.#joined(this.#joined(label.exit, this.#locals), label.otherwise);
    this.#stack.length = label.height;
  }

  #return(): void {
    const { index, type } = this.#function;
    this.#known.return(index, this.#stack.slice(this.#stack.length - type.results.length));
    this.#locals = undefined;
  }

  /** Records that control also branches to the end of a block or function, or to the start of a loop. */
  #branch(opens: number, locals: V[]): void {
    const label = this.#labels.find((l) => l.opens === opens);
    if (!label) {
      this.#return();
      this.#locals = locals;
    } else if (label.loop) this.#known.loop(this.#function.index, opens, locals, true);
    else label.exit = this.#joined(label.exit, locals);
  }

  #step(instruction: Instruction, locals: V[]): void {
    const stack = this.#stack;
    switch (instruction.op) {
      case 'br_if':
        this.#compute(instruction, 1);
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
      case 'call': {
        const results = this.#known.call(
          instruction.callee,
          this.#take(this.#known.parameterCount(instruction.callee)),
        );
        // The results of a function that comes later are known in the next pass.
        if (results) stack.push(...results);
        else this.#locals = undefined;
        break;
      }
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
        stack.push(...this.#compute(instruction, 3));
        break;
      default:
        stack.push(...this.#compute(instruction, ENTRIES.get(instruction.op)!.takes.length));
    }
  }
}
