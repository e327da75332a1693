/**
 * Which claims about a kernel are likely to notice a change, and how long they take, found on the kernel as it ships: claims
 * about results mark the code that they execute, and the claims about every length fail if a function traps that they run.
 */
import { kernelClaims } from '../claims/index.ts';
import { plainFormClaim, relaxedOf } from '../claims/plain-form.ts';
import type { Claim } from '../claims/claim.ts';
import { Coverage } from '../execute/coverage.ts';
import type { Kernel } from '../kernels.ts';
import { proofsOf } from '../rooms.ts';
import { takeMostAsked } from '../terms/node.ts';
import { decode, decodesTo } from '../wasm/decode.ts';
import type { Instruction } from '../wasm/types.ts';
import { placesOf, type Place } from './one-instruction.ts';
import { processorTime } from './processor-time.ts';

/** A claim that runs code, by its statement. */
export interface Probe {
  readonly claim: string;
  readonly milliseconds: number;
  /** The most terms that it asks for in a comparison with cuts; 0 if it has none. */
  readonly terms: number;
  /** Whether it is about every length, or about any number of iterations. */
  readonly everyLength: boolean;
  /** Whether it executes an instruction; of claims about every length, whether it runs its function. */
  executes(place: Place): boolean;
}

async function holds(claim: Claim): Promise<boolean> {
  try {
    await claim.prove();
    return true;
  } catch {
    return false;
  }
}

/** The shorter time of two, because terms that are known make the second one faster, as they do among mutants. */
async function effortOf(claim: Claim): Promise<Pick<Probe, 'milliseconds' | 'terms'>> {
  const times: number[] = [];
  takeMostAsked();
  for (let i = 0; i < 2; i++) {
    const start = processorTime();
    if (!(await holds(claim))) throw new Error(`${claim.kernel}: ${claim.claim} does not hold`);
    times.push(processorTime() - start);
  }
  return { milliseconds: Math.min(...times), terms: takeMostAsked() };
}

/** The index of a place's instruction: that of declarations is the first one. */
const indexOf = ({ index }: Place): number => Math.max(index, 0);

/** The kernel with an instruction that traps in the place of another one. */
function trapping(kernel: Kernel, place: Place): Kernel {
  const { of } = place;
  const index = indexOf(place);
  const module = decode(kernel.bytes);
  const trap: Instruction = { op: 'unreachable', at: of.code[index].at };
  const bytes = kernel.bytes.slice();
  const functions = module.functions.with(of.index, { ...of, code: of.code.with(index, trap) });
  decodesTo(bytes, { ...module, functions });
  return { ...kernel, bytes };
}

/** Those of some claims that do not hold if an instruction traps, so that they execute it. */
export async function executing(kernel: Kernel, place: Place, claims: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for (const claim of kernelClaims(trapping(kernel, place)))
    if (claims.has(claim.claim) && !(await holds(claim))) found.push(claim.claim);
  return found;
}

async function surveyResults(kernel: Kernel, later: ReadonlySet<string>): Promise<Probe[]> {
  const coverage = new Coverage(kernel.bytes.length);
  const marks = new Uint8Array(coverage.marks);
  const probes: Probe[] = [];
  for (const claim of kernelClaims(kernel, coverage)) {
    if (later.has(claim.claim) || !isOfResults(claim)) continue;
    marks.fill(0);
    const effort = await effortOf(claim);
    const ran = marks.slice(0, kernel.bytes.length);
    if (ran.includes(1))
      probes.push({
        claim: claim.claim,
        ...effort,
        everyLength: false,
        executes: (place) => ran[place.of.code[indexOf(place)].at] === 1,
      });
  }
  return probes;
}

/** No other claims execute code on terms and mark it; these, besides, are slow. */
const isOfResults = ({ claim, after }: Claim): boolean =>
  after === undefined &&
  !/^(?:golden|lints|constant time|public numbers|known answers|constants|bounds|left in|wiped)/.test(claim);

async function surveyEveryLength(kernel: Kernel, claims: readonly Claim[]): Promise<Probe[]> {
  const texts = new Set(claims.map(({ claim }) => claim));
  const ran = new Map(claims.map(({ claim }) => [claim, new Set<number>()]));
  for (const f of decode(kernel.bytes).functions)
    for (const claim of await executing(kernel, placesOf(f)[1], texts)) ran.get(claim)!.add(f.index);
  const probes: Probe[] = [];
  for (const claim of claims)
    probes.push({
      claim: claim.claim,
      ...(await effortOf(claim)),
      everyLength: true,
      executes: ({ of }) => ran.get(claim.claim)!.has(of.index),
    });
  return probes;
}

/** All claims that run code of a kernel, the fastest first. */
export async function survey(kernel: Kernel): Promise<Probe[]> {
  const relaxed = relaxedOf(kernel);
  if (relaxed) {
    const { claim } = plainFormClaim(kernel, relaxed);
    return [{ claim, milliseconds: 0, terms: 0, everyLength: false, executes: () => true }];
  }
  const everyLength = proofsOf(kernel.family).everyLength?.(kernel) ?? [];
  const texts = new Set(everyLength.map(({ claim }) => claim));
  const claims = kernelClaims(kernel).filter(({ claim }) => texts.has(claim));
  const probes = [...(await surveyResults(kernel, texts)), ...(await surveyEveryLength(kernel, claims))];
  return probes.sort((a, b) => a.milliseconds - b.milliseconds);
}
