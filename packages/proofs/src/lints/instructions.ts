/** Instructions that no kernel needs, with the reason why they are refused. */
import { ENTRIES } from '../wasm/opcodes.ts';
import type { Opcode } from '../wasm/types.ts';
import type { Form } from '../kernels.ts';

/** The reason why no kernel may contain an instruction; undefined if it is permitted. */
export function refusal(op: Opcode, form: Form): string | undefined {
  const [type, name = ''] = op.split('.');
  // A length of 2^31 or more would be negative: proofs at bounded lengths do not see the difference.
  if (/^(lt|gt|le|ge|shr)_s$/.test(name)) return 'signed, where numbers are lengths';
  if (/^(div|rem)_/.test(name)) return 'takes a time that depends on its operands, and traps';
  if (op === 'unreachable') return 'traps';
  if (op === 'memory.grow' || op === 'memory.size') return 'the memory has one size';
  if (op === 'select') return 'may become a branch';
  // Lanes of f64x2 are only moved: every number of 64 bits keeps its bits.
  if (type === 'f64' || name.includes('f64')) return 'floating point is for the engine without WebAssembly';
  if (!ENTRIES.get(op)!.emitted) return 'the assembler has no such instruction';
  if (form === 'scalar' && vectors.test(op)) return 'a form without vectors';
  if (form !== 'relaxed' && op.includes('relaxed')) return 'a form without relaxed instructions';
  return undefined;
}

const vectors = /^(v128|i8x16|i32x4|i64x2|f64x2)\b/;
