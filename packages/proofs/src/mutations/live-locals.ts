/**
 * The locals whose values still matter at a place of a function: those that a later instruction reads, unless it only computes a value for
 * a local that doesn't matter itself.
 */
import { ENTRIES } from '../wasm/opcodes.ts';
import type { Instruction } from '../wasm/types.ts';

type Code = readonly Instruction[];
type Locals = ReadonlySet<number>;
/** Whether an instruction computes, and neither traps nor touches memory, locals or the flow of control. */
type IsComputation = (step: Instruction) => boolean;

/** Instructions that two functions have differently, and the locals that either reads there. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly reads: Locals;
}

const NONE: Locals = new Set();

/** The first index of the expression whose value the `local.set` at `at` takes, if that only computes; else `at`. */
function expressionOf(code: Code, at: number, isComputation: IsComputation): number {
  let wanted = 1;
  for (let i = at - 1; i >= 0; i--) {
    const step = code[i];
    if (step.op !== 'local.get' && !isComputation(step)) return at;
    wanted += (step.op === 'local.get' ? 0 : ENTRIES.get(step.op)!.takes.length) - 1;
    if (wanted === 0) return i;
  }
  return at;
}

/** The live locals at the places from which an instruction goes on. */
function liveAfter(code: Code, i: number, live: readonly Locals[]): readonly Locals[] {
  const step = code[i];
  const next = live[i + 1] ?? NONE;
  const target = (opens: number): Locals => {
    const block = code[opens] as Instruction | undefined;
    if (!block || !('otherwise' in block)) return NONE;
    return live[block.op === 'loop' ? opens : block.end];
  };
  switch (step.op) {
    case 'if':
      return [next, live[step.otherwise + 1]];
    case 'else':
      return [live[step.end]];
    case 'br_if':
      return [next, target(step.opens)];
    case 'br':
      return [target(step.opens)];
    case 'return':
    case 'unreachable':
      return [];
    default:
      return [next];
  }
}

/** The live locals before each instruction, in both functions: the least sets that satisfy the equations. */
export function liveLocals(code: Code, { from, to, reads }: Window, isComputation: IsComputation): readonly Locals[] {
  const expressions = code.map(({ op }, i) => (op === 'local.set' ? expressionOf(code, i, isComputation) : i));
  const live = code.map(() => new Set<number>());
  for (let grown = true; grown;) {
    grown = false;
    /** From here on to the set that takes it, instructions compute a value that doesn't matter. */
    let idle = code.length;
    for (let i = code.length - 1; i >= 0; i--) {
      const step = code[i];
      const before = new Set(liveAfter(code, i, live).flatMap((locals) => [...locals]));
      if (i >= from && i < to) for (const local of reads) before.add(local);
      else if (step.op === 'local.get' && i < idle) before.add(step.local);
      else if (step.op === 'local.set' || step.op === 'local.tee') {
        if (step.op === 'local.set' && !before.has(step.local)) idle = expressions[i];
        before.delete(step.local);
      }
      for (const local of before) {
        grown ||= !live[i].has(local);
        live[i].add(local);
      }
    }
  }
  return live;
}
