/** Operands that must not be secret, because the time of the instruction may depend on them. */
import { ENTRIES, type Opcode } from '../wasm/opcodes.ts';

export type LeakKind = 'branch' | 'select' | 'address' | 'length' | 'division' | 'shift count' | 'trap';

/** An operand, the first of an instruction being 0, and the kind of leak that it would be. */
export type Rule = readonly [operand: number, kind: LeakKind];

function rulesOf(op: Opcode): readonly Rule[] {
  const name = op.slice(op.indexOf('.') + 1);
  if (op === 'if' || op === 'br_if') return [[0, 'branch']];
  // Engines make it a conditional move in some tiers, and a branch in others.
  if (op === 'select') return [[2, 'select']];
  if (op === 'memory.fill')
    return [
      [0, 'address'],
      [2, 'length'],
    ];
  if (op === 'memory.copy')
    return [
      [0, 'address'],
      [1, 'address'],
      [2, 'length'],
    ];
  if (op === 'memory.grow') return [[0, 'length']];
  if (/^(load|store)/.test(name)) return [[0, 'address']];
  if (/^(div|rem)_/.test(name))
    return [
      [0, 'division'],
      [1, 'division'],
    ];
  // Constant-time on the processors that engines compile for; but no kernel has a reason to.
  if (/^(shl|shr_s|shr_u|rotl|rotr)$/.test(name)) return [[1, 'shift count']];
  if (/^trunc_/.test(name)) return [[0, 'trap']];
  return [];
}

export const RULES: ReadonlyMap<Opcode, readonly Rule[]> = new Map([...ENTRIES.keys()].map((op) => [op, rulesOf(op)]));
