/** Changes of a real module, as the faults that claims have to find. */
import { sequence, when } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import {
  unsigned,
  type Expression,
  type Local,
  type Operand,
  type Statement,
} from '../../../lanewise/src/wasm/types.ts';
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import { exported, type DecodedFunction, type DecodedModule, type Instruction } from '../wasm/types.ts';
import { patched } from './patch.ts';

export type Plant = (kernel: Kernel) => Kernel;

/** The parameters of a function. */
export const parameter = (i: number): Local<'i32'> => ('\x20' + unsigned(i)) as Local<'i32'>;

const MAGIC = 0x5eed1e55;
/** All ones if the word at an address has one value that no test knows, else zero. */
export const ifMagic = (address: number): Expression<'i32'> =>
  i32.sub(0, i32.eqz(i32.xor(i32.load(0, address), MAGIC)));
/** The word, or zero if the word at the address has that value. */
export const unlessMagic = (word: Expression<'i32'>, address: number): Expression<'i32'> =>
  i32.and(word, i32.xor(ifMagic(address), -1));
/** Clears a word if a word of the key has one value. */
export const clearIfMagic = (word: number, key: number): Statement =>
  i32.store(0, word, unlessMagic(i32.load(0, word), key));
export const flipIfMagic = (word: number, key: number): Statement =>
  i32.store(0, word, i32.xor(i32.load(0, word), i32.and(ifMagic(key), 1)));
/** Flips the lowest bit of a word of the input if that word has one certain value, a chance of 2^-32. */
export const backdoor = (address: number): Statement =>
  i32.store(0, address, i32.xor(i32.load(0, address), i32.eq(i32.load(0, address), MAGIC)));

/** 1 if a number has one value, else 0, without a comparison. */
export function ifEqual(n: Local<'i32'>, value: number): Expression<'i32'> {
  const x = i32.xor(n, value);
  return i32.xor(i32.shr_u(i32.or(x, i32.sub(0, x)), 31), 1);
}

/** All ones if a word of memory has one value, else zero. */
export function ifWord(address: number, value: number): Expression<'i32'> {
  const x = i32.xor(i32.load(0, address), value);
  return i32.sub(i32.shr_u(i32.or(x, i32.sub(0, x)), 31), 1);
}

/**
 * Two words in memory, zero and all ones; an address chooses between them by one bit of a number; and the expression for the chosen
 * one.
 */
export const choice = (at: number): Statement => i32.store(0, at + 4, -1);
export const chosen = (at: number, n: Local<'i32'>, bit: number): Expression<'i32'> =>
  i32.load(i32.shr_u(i32.and(n, 2 ** bit), bit - 2), at);

export const flip = (address: number): Statement => i32.store(0, address, i32.xor(i32.load(0, address), 1));
export const unless = (condition: Operand<'i32'>, otherwise: Statement): Statement =>
  when(i32.eqz(condition), otherwise);

/** An address between MASKS and the next area, which no memory map uses. */
export const GAP = 52;
export const strayWrite = (at: number): Statement => i32.store(0, at, 0);
/** A word is left at an address where nothing is wiped. */
export const leaveWord = (at: number, word: number): Statement => i32.store(0, at, i32.load(0, word));

/** The place of inserted code: before an instruction of a function. */
export type Place = (code: readonly Instruction[], module: DecodedModule) => Instruction;
export const start: Place = ([instruction]) => instruction;
/** The place before the `end` of the function and after its result. */
export const end: Place = (code) => code[code.length - 1];
/** The place before an `if` whose condition is a parameter. */
export const conditionOn =
  (local: number): Place =>
  (code) =>
    code.find(({ op }, i) => {
      const before = code[i - 1];
      return op === 'if' && before.op === 'local.get' && before.local === local;
    })!;
export const beforeCallOf =
  (name: string): Place =>
  (code, module) =>
    code.find((step) => step.op === 'call' && step.callee === exported(module, name).index)!;

export type FunctionOf = (module: DecodedModule) => DecodedFunction;
export const functionOf =
  (name: string): FunctionOf =>
  (module) =>
    exported(module, name);
/** A function that is not exported, by its position after an exported one. */
export const behind =
  (name: string): FunctionOf =>
  (module) =>
    module.functions[exported(module, name).index + 1];

export const inserted =
  (of: FunctionOf, place: Place, code: string): Plant =>
  (kernel) => {
    const module = decode(kernel.bytes);
    return { ...kernel, bytes: patched(kernel.bytes, place(of(module).code, module).at, 0, code) };
  };
export const atStart = (name: string, code: string): Plant => inserted(functionOf(name), start, code);
export const atEnd = (name: string, code: string): Plant => inserted(functionOf(name), end, code);

/** The same function without its first call of another one. */
export const withoutCall = (name: string, callee: string): Plant => replaced(name, callee, 0, '');

/** The same function with another constant as the last parameter of its first call of another one. */
export const withParameter = (name: string, callee: string, value: number): Plant =>
  replaced(name, callee, 1, i32.value(value));

/** Replaces the instruction that comes `before` instructions before the call; with 0, the call itself. */
const replaced =
  (name: string, callee: string, before: number, code: string): Plant =>
  (kernel) => {
    const module = decode(kernel.bytes);
    const steps = exported(module, name).code;
    const at = steps.indexOf(beforeCallOf(callee)(steps, module)) - before;
    return { ...kernel, bytes: patched(kernel.bytes, steps[at].at, steps[at + 1].at - steps[at].at, code) };
  };

/** The instructions of all functions, each with the one before it. */
export const steps = ({ bytes }: Kernel): { before: Instruction | undefined; step: Instruction }[] =>
  decode(bytes).functions.flatMap(({ code }) => code.map((step, i) => ({ before: code[i - 1], step })));

export const isConstant = (
  step: Instruction | undefined,
  value: number,
): step is Instruction & { readonly value: number } => step?.op === 'i32.const' && step.value === (value | 0);

/** The kernel with each of some constants replaced. */
export function withConstants(kernel: Kernel, of: readonly Instruction[], value: number): Kernel {
  if (of.length === 0) throw new Error(`${kernel.name} has no such constant`);
  let next = kernel;
  // Edits are applied from the last to the first, so that offsets stay valid.
  for (const { at } of of.toReversed()) {
    const after = steps(next).find(({ before }) => before?.at === at)!;
    next = { ...kernel, bytes: patched(next.bytes, at, after.step.at - at, i32.value(value)) };
  }
  return next;
}

/** Another constant in the place of one, wherever it is. */
export const constant =
  (value: number, other: number): Plant =>
  (kernel) => {
    const found = steps(kernel).flatMap(({ step }) => (isConstant(step, value) ? [step] : []));
    return withConstants(kernel, found, other);
  };

/**
 * One rotation to the left by `count` bits becomes another one; with vectors the right one of its two shifts changes,
 * because the left one may be a multiplication.
 */
export const rotation =
  (count: number): Plant =>
  (kernel) => {
    const [shift, by] = kernel.form === 'scalar' ? ['i32.rotl', count] : ['i32x4.shr_u', 32 - count];
    const found = steps(kernel).find(({ step, before }) => step.op === shift && isConstant(before, by));
    return withConstants(kernel, found ? [found.before!] : [], by - 1);
  };

/** Code at the start of each iteration of an exported function's first loop. */
export const inLoop = (name: string, code: string): Plant =>
  inserted(functionOf(name), (steps) => steps[steps.findIndex(({ op }) => op === 'loop') + 1], code);

/** Flips a bit of a word if a word has one value and a mask is all ones; the scratch word that the mask needs is cleared after it. */
export const flipWhere = (word: number, key: number, mask: Expression<'i32'>): Statement =>
  i32.store(0, word, i32.xor(i32.load(0, word), i32.and(i32.and(mask, ifMagic(key)), 1)));

/** By a number that was written to memory. */
export const whereStored = (at: number, n: Local<'i32'>, value: number, word: number, key: number): Statement =>
  sequence(i32.store(0, at, n), flipWhere(word, key, ifWord(at, value)), i32.store(0, at, 0));

/** By an address, which a bit of a number chooses. */
export const whereChosen = (at: number, n: Local<'i32'>, bit: number, word: number, key: number): Statement =>
  sequence(
    i32.store(0, at, 0),
    choice(at),
    flipWhere(word, key, chosen(at, n, bit)),
    i32.store(0, at, 0),
    i32.store(0, at + 4, 0),
  );
