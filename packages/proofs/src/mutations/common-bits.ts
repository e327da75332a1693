/**
 * Whether the operands of an OR or an XOR of words have no bit in common: then either instruction gives the other's result. The bits that
 * values may have are followed from the start of the function, from any state, through code without branches, through the functions
 * that it calls, and through memory at constant addresses. A branch, or the target of one, makes everything unknown again.
 */
import { ENTRIES } from '../wasm/opcodes.ts';
import type { DecodedFunction, DecodedModule, Instruction, InstructionWith } from '../wasm/types.ts';

/** For each word of a value, the bits that it may have; words that are not there may have any. */
type Bits = readonly number[];
const ANY: Bits = [];
const ALL_BITS = -1;

const wordOf = (bits: Bits, i: number): number => bits[i] ?? ALL_BITS;
const combined = (x: Bits, y: Bits, combine: (a: number, b: number) => number): Bits =>
  Array.from({ length: Math.max(x.length, y.length) }, (_, i) => combine(wordOf(x, i), wordOf(y, i)));

const wordsOf = (op: string): number => (op.startsWith('v128') ? 4 : 1);
/** Instructions without a type in their names are those of control, calls, `drop` and `select`. */
const isControl = ({ op }: Instruction): boolean => !op.includes('.');

class PossibleBits {
  readonly #module: DecodedModule;
  /** The bits of words at addresses that are multiples of four. */
  readonly #memory = new Map<number, number>();

  constructor(module: DecodedModule) {
    this.#module = module;
  }

  /** The stack after the first `count` instructions of a function. Values below it may have any bits. */
  after({ code, type }: DecodedFunction, count: number, operands: readonly Bits[]): Bits[] {
    const locals = new Map(type.parameters.map((_, i) => [i, operands[i] ?? ANY]));
    const stack: Bits[] = [];
    const pop = (): Bits => stack.pop() ?? ANY;
    /** The last operand but one, shifted by the last one, if that is a constant. */
    const shifted = (i: number, by: (word: number, count: number) => number): Bits => {
      pop();
      const x = pop();
      const count = code[i - 1];
      return count.op === 'i32.const' ? x.map((word) => by(word, count.value)) : ANY;
    };
    for (const [i, step] of code.slice(0, count).entries()) {
      switch (step.op) {
        case 'i32.const':
          stack.push([step.value]);
          break;
        case 'local.get':
          stack.push(locals.get(step.local) ?? ANY);
          break;
        case 'local.set':
          locals.set(step.local, pop());
          break;
        case 'local.tee':
          stack.push(pop());
          locals.set(step.local, stack.at(-1)!);
          break;
        case 'i32.and':
        case 'v128.and':
          stack.push(combined(pop(), pop(), (a, b) => a & b));
          break;
        case 'i32.or':
        case 'i32.xor':
        case 'v128.or':
        case 'v128.xor':
          stack.push(combined(pop(), pop(), (a, b) => a | b));
          break;
        case 'i32.shl':
          stack.push(shifted(i, (word, by) => word << by));
          break;
        case 'i32.shr_u':
          stack.push(shifted(i, (word, by) => word >>> by));
          break;
        case 'i32.load':
        case 'v128.load':
          stack.push(this.#load(step, pop()));
          break;
        case 'i32.store':
        case 'v128.store': {
          const value = pop();
          this.#store(step, pop(), value);
          break;
        }
        case 'call':
          stack.push(...this.#call(this.#module.functions[step.callee], pop));
          break;
        default:
          if (isControl(step)) {
            stack.length = 0;
            locals.clear();
            this.#memory.clear();
          } else {
            if (/store|^memory/.test(step.op)) this.#memory.clear();
            const { takes, leaves } = ENTRIES.get(step.op)!;
            takes.forEach(pop);
            leaves.forEach(() => stack.push(ANY));
          }
      }
    }
    return stack;
  }

  /** A base without bits is zero. */
  #address({ offset }: InstructionWith<'memory'>, base: Bits): number | undefined {
    return base[0] === 0 && offset % 4 === 0 ? offset : undefined;
  }

  #load(step: InstructionWith<'memory'>, base: Bits): Bits {
    const address = this.#address(step, base);
    if (address === undefined) return ANY;
    return Array.from({ length: wordsOf(step.op) }, (_, i) => this.#memory.get(address + 4 * i) ?? ALL_BITS);
  }

  #store(step: InstructionWith<'memory'>, base: Bits, value: Bits): void {
    const address = this.#address(step, base);
    if (address === undefined) this.#memory.clear();
    else for (let i = 0; i < wordsOf(step.op); i++) this.#memory.set(address + 4 * i, wordOf(value, i));
  }

  /** The results of a call. A function that branches is not followed, and may have stored anything. */
  #call(f: DecodedFunction, pop: () => Bits): Bits[] {
    const { code, type } = f;
    const operands = type.parameters.map(pop).reverse();
    const count = code.length - 1;
    if (code.slice(0, count).some((step) => isControl(step) && step.op !== 'call')) {
      this.#memory.clear();
      return type.results.map(() => ANY);
    }
    const left = this.after(f, count, operands);
    return type.results.map(() => left.pop() ?? ANY).reverse();
  }
}

/** `index` is that of an OR or an XOR of words in the code of a function of the module. */
export function haveNoCommonBit(module: DecodedModule, f: DecodedFunction, index: number): boolean {
  const [y = ANY, x = ANY] = new PossibleBits(module).after(f, index, []).reverse();
  return (wordOf(x, 0) & wordOf(y, 0)) === 0;
}
