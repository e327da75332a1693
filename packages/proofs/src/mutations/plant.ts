/** Code put into a function of a real module, as the fault that a claim has to find. */
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import { unsigned, type Expression, type Local } from '../../../lanewise/src/wasm/types.ts';
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
