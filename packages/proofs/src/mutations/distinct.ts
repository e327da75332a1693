/**
 * The distinct functions of all kernels. Forms and sizes of a primitive share functions: each is judged once, in the first
 * kernel that has it, and in others where that explains nothing.
 */
import { createHash } from 'node:crypto';
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import type { DecodedFunction } from '../wasm/types.ts';

/** A function of a kernel. */
export interface Copy {
  readonly kernel: Kernel;
  readonly function: DecodedFunction;
}

export interface Distinct extends Copy {
  /** Those of other kernels. */
  readonly copies: Copy[];
}

/** Equal for functions that have the same type and bytes, except that the functions which they call may have other indexes. */
function hashesOf({ bytes }: Kernel): readonly string[] {
  const { functions } = decode(bytes);
  const known: string[] = [];
  const hashOf = ({ index, type, at, byteLength, code }: DecodedFunction): string => {
    if (known[index]) return known[index];
    const hash = createHash('sha256').update(JSON.stringify(type));
    let from = at;
    code.forEach((step, i) => {
      if (step.op !== 'call') return;
      // The opcode, and in place of the index the function that it stands for.
      hash.update(bytes.subarray(from, step.at + 1)).update(hashOf(functions[step.callee]));
      from = code[i + 1].at;
    });
    return (known[index] = hash.update(bytes.subarray(from, at + byteLength)).digest('hex'));
  };
  return functions.map(hashOf);
}

export function distinctFunctions(kernels: readonly Kernel[]): Distinct[] {
  const found = new Map<string, Distinct>();
  for (const kernel of kernels)
    hashesOf(kernel).forEach((hash, i) => {
      const known = found.get(hash);
      const copy = { kernel, function: decode(kernel.bytes).functions[i] };
      if (known) known.copies.push(copy);
      else found.set(hash, { ...copy, copies: [] });
    });
  return [...found.values()];
}
