/**
 * Whether the checks and claims notice that a kernel's bytes have changed. Every mutant that the engine can distinguish
 * from the original must be noticed; every other mutant must have the same meaning.
 */
import { Failure, type Claim } from '../claims/claim.ts';
import { describeViolation, typeModule } from '../constant-time/typing.ts';
import { Stopped } from '../execute/machine.ts';
import type { Kernel } from '../kernels.ts';
import { lint } from '../lints/lint.ts';
import { TooManyTerms } from '../terms/node.ts';
import { decode } from '../wasm/decode.ts';
import { callNames } from './calls.ts';
import { claimsAbout } from './claims.ts';
import { difference } from './difference.ts';
import { asModule, flipped, type Flip, type Unfit } from './mutants.ts';
import { reasonFor, type Reason } from './same.ts';

export type Verdict =
  /** The bytes are not a valid mutant. */
  | { readonly fate: 'unfit'; readonly by: Unfit }
  | { readonly fate: 'killed'; readonly by: 'lint' | 'constant time' | 'claim'; readonly what: string }
  /**
   * The mutant has the same meaning, as its instructions show; or it wipes with other bytes, or leaves other bytes
   * that are never read; or all claims that execute the instruction hold, and one of these is about every length; or
   * a person has read why (readings.ts).
   */
  | {
      readonly fate: 'explained';
      readonly reason: Reason | 'wiped' | 'scratch' | 'holds at every length' | 'read by a person';
    }
  /** The engine sees no difference in `calls` calls, nor do claims if they were run. */
  | { readonly fate: 'equal' }
  /** The engine sees a difference that no check and no claim has seen. */
  | { readonly fate: 'gap'; readonly what: string };

export interface Effort {
  /** The number of calls of each exported function on the engine. */
  readonly calls: number;
  /** Whether claims are also run on mutants that the engine cannot distinguish from the original. */
  readonly all: boolean;
}

/**
 * The message of the error by which a run or claim rejects a kernel; any other error is the prover's own, and not a
 * kill.
 */
function objection(error: unknown): string {
  if (error instanceof Failure || error instanceof Stopped || error instanceof TooManyTerms)
    return `${error.name}: ${error.message}`;
  // Mutants may call themselves.
  if (error instanceof RangeError && error.message.includes('call stack')) return error.message;
  throw error;
}

/** The verdict of the first claim that does not hold. */
export async function failing(claims: readonly Claim[]): Promise<Verdict | undefined> {
  for (const claim of claims)
    try {
      await claim.prove();
    } catch (error) {
      return { fate: 'killed', by: 'claim', what: `${claim.claim}: ${objection(error)}` };
    }
  return undefined;
}

export async function judge(kernel: Kernel, flip: Flip, { calls, all }: Effort): Promise<Verdict> {
  const bytes = flipped(kernel.bytes, flip);
  const module = asModule(bytes);
  if (typeof module === 'string') return { fate: 'unfit', by: module };
  const mutant = { ...kernel, bytes };
  const [finding] = lint(mutant);
  if (finding) return { fate: 'killed', by: 'lint', what: finding.message };
  const [violation] = typeModule(module).violations;
  if (violation) return { fate: 'killed', by: 'constant time', what: describeViolation(violation) };

  const seen = difference(kernel, bytes, module, calls, flip.at * 8 + flip.bit);
  const reason = reasonFor(decode(kernel.bytes), module, callNames(kernel));
  if (!seen && reason !== undefined) return { fate: 'explained', reason };
  const matters = seen !== undefined && seen.where !== 'scratch';
  const kill = matters || all ? await failing(claimsAbout(mutant, seen?.name ?? callNames(kernel)[0])) : undefined;
  if (kill) return kill;
  if (!seen) return { fate: 'equal' };
  return seen.where === 'results' ? { fate: 'gap', what: seen.what } : { fate: 'explained', reason: seen.where };
}
