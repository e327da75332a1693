/** A module as it is read from its bytes. */
import type { ImmediateKind, OpcodeWith } from './opcodes.ts';

export type { Opcode } from './opcodes.ts';
export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

interface Immediates {
  none: unknown;
  /** The indexes of the instructions that close it. All blocks are of the empty type. */
  block: {
    readonly end: number;
    /** Of an `if`: the index of its `else`, or of its `end` where it has none. */
    readonly otherwise: number;
  };
  /** The index of the `end` that closes the `if`. */
  else: { readonly end: number };
  /** The index of the instruction that it closes; -1 for the function itself. */
  end: { readonly opens: number };
  /** How many blocks out; and the index of the block, loop or if that it leaves or repeats, -1 for the function. */
  label: { readonly depth: number; readonly opens: number };
  function: { readonly callee: number };
  local: { readonly local: number };
  /** `align` is the exponent of the alignment hint. */
  memory: { readonly align: number; readonly offset: number };
  memories: unknown;
  /** As a signed 32-bit integer. */
  i32: { readonly value: number };
  /** As a signed 64-bit integer. */
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
  /** Its index in the module. */
  readonly index: number;
  /** The name of its export; undefined if it has none. */
  readonly name: string | undefined;
  readonly type: FunctionType;
  /** Parameters first, then declared locals. */
  readonly locals: readonly ValueType[];
  /** The last is the `end` of the function. */
  readonly code: readonly Instruction[];
  /** The first byte of its body in the module, and how many there are. */
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

/** In pages of 64 KiB. */
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

/** The part of the module that was not understood, and its place. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly at: number;

  constructor(message: string, at: number) {
    super(`offset ${at}: ${message}`);
    this.at = at;
  }
}

/** The exported function of a name. */
export function exported(module: DecodedModule, name: string): DecodedFunction {
  const found = module.functions.find((f) => f.name === name);
  if (!found) throw new Error(`the module exports no function ${name}`);
  return found;
}
