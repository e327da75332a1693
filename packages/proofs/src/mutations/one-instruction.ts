/**
 * Mutants of a kernel, made quickly: most differ from their original in one instruction, so that one is decoded, and all else
 * is the original's. To decode a large module again takes longer than to judge it.
 */
import type { Kernel } from '../kernels.ts';
import { lintModule } from '../lints/lint.ts';
import { readInstruction } from '../wasm/code.ts';
import { decode, decodesTo } from '../wasm/decode.ts';
import { Reader } from '../wasm/reader.ts';
import { DecodeError, type DecodedFunction, type DecodedModule, type Instruction } from '../wasm/types.ts';
import { flipped, type Flip, type Unfit } from './mutants.ts';

/** An instruction of a module; or the declarations of a function's locals, which come before the first one. */
export interface Place {
  readonly of: DecodedFunction;
  /** The index in the code; -1 for the declarations. */
  readonly index: number;
  /** The offsets of its first byte, and of the byte after its last one. */
  readonly from: number;
  readonly to: number;
}

export interface Mutant {
  readonly flip: Flip;
  readonly place: Place;
  readonly kernel: Kernel;
  readonly module: DecodedModule;
  /** Why a lint refuses it. */
  readonly refusal: string | undefined;
}

/** The places of a function. */
export const placesOf = (of: DecodedFunction): Place[] => [
  { of, index: -1, from: of.at, to: of.code[0].at },
  ...of.code.map(({ at }, index) => ({ of, index, from: at, to: of.code[index + 1]?.at ?? of.at + of.byteLength })),
];

/** Other instructions depend on where these are. */
const SHAPES: ReadonlySet<string> = new Set(['block', 'loop', 'if', 'else', 'end', 'br', 'br_if']);
const isShape = ({ op }: Instruction): boolean => SHAPES.has(op);

/** The instruction that a mutant has at a place; undefined unless everything after it is unchanged. */
function instructionAt(
  { functions, memory }: DecodedModule,
  bytes: Uint8Array,
  { of, index, from, to }: Place,
): Instruction | undefined {
  if (index < 0 || isShape(of.code[index])) return undefined;
  const reader = new Reader(bytes, from, of.at + of.byteLength);
  const scope = { locals: of.locals.length, functions: functions.length, memories: memory ? 1 : 0 };
  const instruction = readInstruction(reader, scope, [-1]);
  return isShape(instruction) || reader.at !== to ? undefined : instruction;
}

/** The module, and the part of it that lints have to look at. */
function decoded(
  original: DecodedModule,
  bytes: Uint8Array,
  place: Place,
): [all: DecodedModule, changed: DecodedModule] {
  const instruction = instructionAt(original, bytes, place);
  if (!instruction) {
    const all = decode(bytes);
    return [all, all];
  }
  const { of, index } = place;
  const functions = original.functions.with(of.index, { ...of, code: of.code.with(index, instruction) });
  return [
    { ...original, functions },
    { ...original, functions: [{ ...of, code: [instruction] }] },
  ];
}

export function mutantOf(original: Kernel, place: Place, flip: Flip): Mutant | Unfit {
  const bytes = flipped(original.bytes, flip);
  if (!WebAssembly.validate(bytes)) return 'invalid';
  const kernel = { ...original, bytes };
  try {
    const [module, changed] = decoded(decode(original.bytes), bytes, place);
    decodesTo(bytes, module);
    return { flip, place, kernel, module, refusal: lintModule(changed, kernel)[0]?.message };
  } catch (error) {
    if (error instanceof DecodeError) return 'undecodable';
    throw error;
  }
}
