/**
 * Judges many mutants of a kernel. The verdicts are those of judge.ts, in another order: first the fastest claims that execute
 * the changed instruction, because nearly all mutants fail the first of them, and slower ones at the end.
 */
import { getHeapStatistics } from 'node:v8';
import { checkClaims } from '../claims/checks.ts';
import type { Claim } from '../claims/claim.ts';
import { kernelClaims } from '../claims/index.ts';
import { plainFormClaim, relaxedOf } from '../claims/plain-form.ts';
import { patience } from '../execute/machine.ts';
import type { Kernel } from '../kernels.ts';
import { limit } from '../terms/node.ts';
import { decode } from '../wasm/decode.ts';
import type { DecodedModule } from '../wasm/types.ts';
import { callNames } from './calls.ts';
import { difference } from './difference.ts';
import { failing, type Verdict } from './judge.ts';
import type { Mutant } from './one-instruction.ts';
import { processorTime } from './processor-time.ts';
import { reasonFor, type Reason } from './same.ts';
import { executing, survey, type Probe } from './survey.ts';

const ENGINE_CALLS = 30;
/** After so many claims that execute the instruction and hold, a look at the engine takes less time than more of them. */
const FIRST_CLAIMS = 4;

/** The most that a claim may take. The terms of a wrong cipher may grow without end. */
interface Patience {
  readonly milliseconds: number;
  readonly terms: number;
}
/** More than claims about a kernel as it ships need, and less than a worker has, whose end would be that of the run. */
const MOST_HEAP_BYTES = 1.2e9;
/** Claims about a kernel as it ships take 3 seconds at most. */
const PATIENCE: Patience = { milliseconds: 30_000, terms: limit.asked };
/** A claim that was surveyed gets a multiple of its effort on the kernel as it ships, and time for a busy machine. */
const patienceFor = ({ milliseconds, terms }: Probe): Patience => ({
  milliseconds: 2000 + 10 * milliseconds,
  terms: terms === 0 ? PATIENCE.terms : Math.min(PATIENCE.terms, 10_000 + 2 * terms),
});

const patient = (claim: Claim, { milliseconds, terms }: Patience): Claim => ({
  ...claim,
  async prove() {
    const end = processorTime() + milliseconds;
    patience.isOver = () => processorTime() > end || getHeapStatistics().used_heap_size > MOST_HEAP_BYTES;
    limit.asked = terms;
    try {
      await claim.prove();
    } finally {
      delete patience.isOver;
      limit.asked = PATIENCE.terms;
    }
  },
});

const startsWith =
  (...beginnings: readonly string[]) =>
  ({ claim }: Claim): boolean =>
    beginnings.some((beginning) => claim.startsWith(beginning));
const isStatic = startsWith('constant time', 'public numbers');
/** Of the bytes as they were committed, on the engine without a limit, of a binding. The lints have been asked before. */
const isNotAsked = startsWith('golden', 'lints', 'known answers', 'constants');
/** The calls that are recorded take seconds. */
const isSlow = startsWith('wiped');

export class FullJudge {
  readonly #kernel: Kernel;
  readonly #original: DecodedModule;
  readonly #probes: readonly Probe[];

  private constructor(kernel: Kernel, probes: readonly Probe[]) {
    this.#kernel = kernel;
    this.#original = decode(kernel.bytes);
    this.#probes = probes;
  }

  static readonly of = async (kernel: Kernel): Promise<FullJudge> => new FullJudge(kernel, await survey(kernel));

  reasonFor({ module }: Mutant): Reason | undefined {
    return reasonFor(this.#original, module, callNames(this.#kernel));
  }

  #patience({ claim }: Claim): Patience {
    const probe = this.#probes.find((each) => each.claim === claim);
    return probe ? patienceFor(probe) : PATIENCE;
  }

  /** The claims that ship about the mutant. */
  #claims(mutant: Kernel): readonly Claim[] {
    const relaxed = relaxedOf(this.#kernel);
    const claims = relaxed ? [...checkClaims(mutant), plainFormClaim(mutant, relaxed)] : kernelClaims(mutant);
    return claims.map((claim) => patient(claim, this.#patience(claim)));
  }

  /** The verdict on a mutant that no lint refuses and no rule explains. */
  async judge({ flip, place, kernel, module }: Mutant): Promise<Verdict> {
    const claims = this.#claims(kernel);
    const byText = new Map(claims.map((claim) => [claim.claim, claim]));
    const probes = this.#probes.filter((probe) => probe.executes(place));
    const running = probes.flatMap(({ claim }) => byText.get(claim) ?? []);
    const early = running.slice(0, FIRST_CLAIMS);
    const kill = (await failing(early)) ?? (await failing(claims.filter(isStatic)));
    if (kill) return kill;

    const seen = difference(this.#kernel, kernel.bytes, module, ENGINE_CALLS, flip.at * 8 + flip.bit);
    const tried = new Set(early);
    const rest = (some: readonly Claim[]): Claim[] =>
      some.filter((claim) => !tried.has(claim) && !isStatic(claim) && !isNotAsked(claim));
    const others = claims.filter((claim) => !running.includes(claim));
    const run = others.filter((claim) => !claim.after && !isSlow(claim));
    const late =
      seen?.where === 'results'
        ? // Coverage and thresholds are about all that has been run by then.
          [...running, ...run, ...others.filter(isSlow), ...others.filter(({ after }) => after)]
        : [...running, ...run.filter(startsWith('bounds', 'left in memory'))];
    const killed = await failing(rest(late));
    if (killed) return killed;
    if (seen)
      return seen.where === 'results' ? { fate: 'gap', what: seen.what } : { fate: 'explained', reason: seen.where };
    const lengths = new Set(probes.flatMap(({ claim, everyLength }) => (everyLength ? claim : [])));
    const proved = await executing(this.#kernel, place, lengths);
    return proved.length > 0 ? { fate: 'explained', reason: 'holds at every length' } : { fate: 'equal' };
  }
}
