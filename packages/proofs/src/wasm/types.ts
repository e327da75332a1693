/** The types of a decoded module. */
import type { ImmediateKind, OpcodeWith } from './opcodes.ts';

export type { Opcode } from './opcodes.ts';
export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

interface Immediates {
  none: unknown;
  /** A block, with the indexes of the instructions that close it. All blocks have the empty type. */
  block: {
    readonly end: number;
    /** For an `if`, the index of its `else`, or of its `end` if it has no `else`. */
    readonly otherwise: number;
  };
  /** The index of the `end` that closes the `if`. */
  else: { readonly end: number };
  /** The index of the instruction that it closes; -1 for the function itself. */
  end: { readonly opens: number };
  /**
   * The number of enclosing blocks to skip, and the index of the block, loop or if that the branch leaves or repeats,
   * -1 for the function.
   */
  label: { readonly depth: number; readonly opens: number };
  function: { readonly callee: number };
  local: { readonly local: number };
  /** `align` is the exponent of the alignment hint. */
  memory: { readonly align: number; readonly offset: number };
  memories: unknown;
  /** The constant as a signed 32-bit integer. */
  i32: { readonly value: number };
  /** The constant as a signed 64-bit integer. */
  i64: { readonly value: bigint };
  f64: { readonly value: number };
  v128: { readonly bytes: Uint8Array };
  shuffle: { readonly lanes: Uint8Array };
  lane: { readonly lane: number };
}

/** An instruction; `at` is the offset of its opcode in the module. */
export type Instruction = {
  [K in ImmediateKind]: { readonly op: OpcodeWith<K>; readonly at: number } & Immediates[K];
}[ImmediateKind];

/** The instructions that have immediates of a kind. */
export type InstructionWith<K extends ImmediateKind> = Extract<Instruction, { readonly op: OpcodeWith<K> }>;

export interface FunctionType {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

export interface DecodedFunction {
  /** The index of the function in the module. */
  readonly index: number;
  /** The name of its export; undefined if it has none. */
  readonly name: string | undefined;
  readonly type: FunctionType;
  /** Parameters first, then declared locals. */
  readonly locals: readonly ValueType[];
  /** The instructions; the last is the `end` of the function. */
  readonly code: readonly Instruction[];
  /** The offset of the body's first byte in the module, and the number of bytes. */
  readonly at: number;
  readonly byteLength: number;
}

export interface DataSegment {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface Export {
  readonly name: string;
  readonly kind: 'function' | 'memory';
  readonly index: number;
}

/** The limits of a memory, in pages of 64 KiB. */
export interface MemoryLimits {
  readonly minimum: number;
  readonly maximum: number | undefined;
}

export interface DecodedModule {
  readonly types: readonly FunctionType[];
  readonly functions: readonly DecodedFunction[];
  readonly memory: MemoryLimits | undefined;
  readonly exports: readonly Export[];
  readonly data: readonly DataSegment[];
}

/** Thrown for a part of the module that the decoder does not accept, with its offset. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly at: number;

  constructor(message: string, at: number) {
    super(`offset ${at}: ${message}`);
    this.at = at;
  }
}

/** The exported function with this name. */
export function exported(module: DecodedModule, name: string): DecodedFunction {
  const found = module.functions.find((f) => f.name === name);
  if (!found) throw new Error(`the module exports no function ${name}`);
  return found;
}
