/**
 * Leaks of four kinds, planted in real kernels at the start of an exported function: a branch, an address, a division and a
 * `select` that depend on a key. Results stay as they were, so no known answer can find them.
 */
import { sequence, set, when } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import type { Expression, Local } from '../../../lanewise/src/wasm/types.ts';
import type { LeakKind } from '../constant-time/rules.ts';
import type { Kernel } from '../kernels.ts';
import { proofsOf } from '../rooms.ts';
import { decode } from '../wasm/decode.ts';
import { exported, type Opcode } from '../wasm/types.ts';
import { patched } from './patch.ts';

export interface PlantedLeak {
  readonly kind: LeakKind;
  /** The instruction that leaks, and its offset in the module. */
  readonly op: Opcode;
  readonly at: number;
  readonly kernel: Kernel;
}

/** Instructions that the assembler does not have. */
const DIV_U = '\x6e';
const SELECT = '\x1b';

const parameter = '\x20\x00' as Local<'i32'>;
/** Computes `x`, and leaves the parameter unchanged. */
const unchanged = (x: Expression<'i32'>) => set(parameter, i32.add(parameter, i32.and(x, 0)));

export function plantedLeaks(kernel: Kernel): PlantedLeak[] {
  const { name, key } = proofsOf(kernel.family).mutations.leak;
  const secret = i32.load(0, key);
  const leaks = {
    branch: ['if', when(i32.and(secret, 1), sequence())],
    address: ['i32.load8_u', unchanged(i32.load8_u(i32.and(secret, 63)))],
    division: ['i32.div_u', unchanged((secret + i32.value(3) + DIV_U) as Expression<'i32'>)],
    select: ['select', set(parameter, (parameter + parameter + secret + SELECT) as Expression<'i32'>)],
  } as const;
  const start = exported(decode(kernel.bytes), name).code[0].at;
  return Object.entries(leaks).map(([kind, [op, code]]) => {
    const bytes = patched(kernel.bytes, start, 0, code);
    const { at } = exported(decode(bytes), name).code.find((instruction) => instruction.op === op)!;
    return { kind: kind as LeakKind, op, at, kernel: { ...kernel, bytes } };
  });
}
