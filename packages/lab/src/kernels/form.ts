/**
 * Kernels as contests use them: bytes are put into linear memory, one call is timed, the result is read from memory. Each
 * belongs to a module with a name, under which an engine that compiles nothing at run time is given the module compiled.
 */
import type { Work } from '../client/operation.ts';
import type { Module } from '../../../lanewise/src/wasm/module.ts';

/** A kernel with its input in memory. */
export interface Placed {
  readonly run: () => void;
  readonly output: () => Uint8Array;
}

export interface KernelForm {
  /** Unique among the kernels of one operation. */
  readonly name: string;
  readonly library: 'lanewise' | 'study';
  readonly engine?: 'simd' | 'scalar';
  /** The id of the operation that the kernel implements. */
  readonly operation: string;
  /** The name of its module, which several forms may share. */
  readonly moduleName: string;
  readonly module: () => Module;
  /** Decodes the text that the library makes the module of, if that is not in hexadecimal. */
  readonly unpack?: () => Uint8Array;
  /** The longest message that its memory holds, in bytes; its length must be a multiple of `multiple`. */
  readonly mostBytes: number;
  readonly multiple: number;
  /** Puts everything into memory; may be called again. */
  readonly place: (exports: WebAssembly.Exports, work: Work, offset?: number) => Placed;
}

/** The length of messages up to which kernels are measured. */
export const MOST_BYTES: number = 2 ** 16;
