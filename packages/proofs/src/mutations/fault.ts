/**
 * Faults planted in real kernels, for claims to find: wrong rotations, rounds and constants, a backdoor that no test
 * vector meets, scratch that is not wiped, and writes where nothing may be written. The static checks see none of them.
 * Each room has the faults of its kernels; this file has the tools that make them.
 */
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import { exported, type DecodedFunction, type Instruction } from '../wasm/types.ts';
import { patched } from './patch.ts';

export type FaultKind = 'rotation' | 'rounds' | 'constant' | 'backdoor' | 'unwiped' | 'stray write';

export interface PlantedFault {
  readonly kind: FaultKind;
  /** The change, which names the behaviour that claims must check. */
  readonly what: string;
  /** An exported function that has the fault. */
  readonly name: string;
  readonly kernel: Kernel;
}

/** The instructions of all functions, each with the one before it. */
export const steps = (
  functions: readonly DecodedFunction[],
): { before: Instruction | undefined; step: Instruction }[] =>
  functions.flatMap(({ code }) => code.map((step, i) => ({ before: code[i - 1], step })));

export const isConstant = (
  step: Instruction | undefined,
  value: number,
): step is Instruction & { readonly value: number } => step?.op === 'i32.const' && step.value === (value | 0);

/** The kernel with each of some constants replaced. */
export function withConstants(kernel: Kernel, of: readonly Instruction[], value: number): Kernel {
  if (of.length === 0) throw new Error(`${kernel.name} has no such constant`);
  let { bytes } = kernel;
  // Edits are applied from the last to the first, so that offsets stay valid.
  for (const { at } of of.toReversed()) {
    const next = steps(decode(bytes).functions).find(({ before }) => before?.at === at)!;
    bytes = patched(bytes, at, next.step.at - at, i32.value(value));
  }
  return { ...kernel, bytes };
}

export const withCode = (kernel: Kernel, at: number, code: string): Kernel => ({
  ...kernel,
  bytes: patched(kernel.bytes, at, 0, code),
});

export const startOf = ({ bytes }: Kernel, name: string): number => exported(decode(bytes), name).code[0].at;
/** Before the `end` of the function. */
export const endOf = ({ bytes }: Kernel, name: string): number => exported(decode(bytes), name).code.at(-1)!.at;

/**
 * One rotation to the left by `count` bits becomes another one; with vectors the right one of its two shifts changes,
 * because the left one may be a multiplication.
 */
export function rotation(kernel: Kernel, count = 7): Kernel {
  const [shift, by] = kernel.form === 'scalar' ? ['i32.rotl', count] : ['i32x4.shr_u', 32 - count];
  const found = steps(decode(kernel.bytes).functions).find(
    ({ step, before }) => step.op === shift && isConstant(before, by),
  );
  return withConstants(kernel, found ? [found.before!] : [], by - 1);
}

/** Flips the lowest bit of a word of the input if that word has one certain value, a chance of 2^-32. */
export const backdoor = (address: number) =>
  i32.store(0, address, i32.xor(i32.load(0, address), i32.eq(i32.load(0, address), 0x5eed1e55)));

/** An address between MASKS and the next area, which no memory map uses. */
export const GAP = 52;
export const strayWrite = (at: number) => i32.store(0, at, 0);

/** The constants of all functions, and all other instructions. */
export const instructionsOf = ({ bytes }: Kernel): Instruction[] =>
  steps(decode(bytes).functions).map(({ step }) => step);
