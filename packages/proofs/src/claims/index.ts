// All claims about a kernel, and about all shipped kernels.
import { flowOfText } from '../javascript/flow.ts';
import { texts, type KernelText } from '../javascript/texts.ts';
import { kernels, type Family, type Kernel } from '../kernels.ts';
import { proofsOf, rooms } from '../rooms.ts';
import type { ModuleProofs } from '../rooms/room.ts';
import { Coverage } from '../execute/coverage.ts';
import { checkClaims } from './checks.ts';
import { Failure, type Claim } from './claim.ts';
import { moduleCoverage, textCoverage } from './coverage.ts';
import { flowOf } from './flow.ts';
import { formOf, TEXT_FORM } from './form.ts';
import { textChecks } from './javascript.ts';
import { textFunctionsClaims } from './text-functions.ts';
import { knownAnswer, knownAnswerOfText } from './known-answers.ts';
import { leftClaims, leftTextClaims } from './left-lengths.ts';
import { plainFormClaim, relaxedOf } from './plain-form.ts';
import { thresholdsClaim } from './public-numbers.ts';
import { wipingClaims, wipingTextClaims } from './wiping.ts';

/** Claims about the memory that a kernel touches. */
export const boundsClaims = (kernel: Kernel): Claim[] => proofsOf(kernel.family).bounds(flowOf(kernel), formOf(kernel));

/** The claims that other rooms make about a module which they use. */
const borrowedBy = (
  family: Family,
  claimsOf: (borrowed: Pick<ModuleProofs, 'results' | 'textResults'>) => readonly Claim[],
): Claim[] =>
  rooms.flatMap(({ name, borrowed = {} }) =>
    Object.hasOwn(borrowed, family) ? claimsOf(borrowed[family]).map((claim) => ({ ...claim, room: name })) : [],
  );

/**
 * The claim, which fails where a damaged kernel lacks what it looks for: a function, a loop, or a variable that an earlier
 * iteration has not set.
 */
const refusing = (claim: Claim): Claim => ({
  ...claim,
  async prove() {
    try {
      await claim.prove();
    } catch (error) {
      throw error instanceof TypeError
        ? new Failure(`the kernel is not of the form that is claimed: ${error.message}`)
        : error;
    }
  },
});

/** All claims about a module, whatever its bytes are. Claims about results mark the code that they execute in `coverage`. */
export function kernelClaims(kernel: Kernel, coverage = new Coverage(kernel.bytes.length)): Claim[] {
  const proofs = proofsOf(kernel.family);
  const covered = { ...kernel, coverage };
  const results = [...proofs.results(covered), ...borrowedBy(kernel.family, (borrowed) => borrowed.results(covered))];
  return [
    ...checkClaims(kernel),
    ...results,
    ...(proofs.everyLength?.(kernel) ?? []).map(refusing),
    moduleCoverage(kernel, results, coverage),
    thresholdsClaim(kernel, results, coverage),
    ...boundsClaims(kernel),
    ...leftClaims(kernel),
    ...wipingClaims(kernel),
    knownAnswer(kernel),
  ];
}

/** Claims about a module that ships: of a plain form, that it computes what its relaxed form does, about which all is claimed. */
function shippedClaims(kernel: Kernel, coverage: Coverage): Claim[] {
  const relaxed = relaxedOf(kernel);
  if (!relaxed) return kernelClaims(kernel, coverage);
  return [...checkClaims(kernel), plainFormClaim(kernel, relaxed), knownAnswer(kernel)];
}

/** All claims about a text of the `js` engine. */
export function textClaims(text: KernelText, coverage = new Coverage(text.text.length)): Claim[] {
  const proofs = proofsOf(text.family);
  const covered = { ...text, coverage };
  const results = [
    ...proofs.textResults(covered),
    ...borrowedBy(text.family, (borrowed) => borrowed.textResults(covered)),
  ];
  return [
    ...textChecks(text),
    ...textFunctionsClaims(text),
    ...results,
    ...(proofs.ownInText?.induction?.(text) ?? []),
    textCoverage(text, results, coverage),
    ...proofs.bounds(flowOfText(text), TEXT_FORM),
    ...leftTextClaims(text),
    ...wipingTextClaims(text),
    knownAnswerOfText(text),
  ];
}

/** The marks of executed code for all shipped kernels, in the order of allClaims; threads may share them. */
export const marksOfAll = (): SharedArrayBuffer[] => [
  ...kernels.map(({ bytes }) => new Coverage(bytes.length).marks),
  ...texts.map(({ text }) => new Coverage(text.length).marks),
];

/** All claims about the shipped kernels and texts, always in the same order. */
export const allClaims = (marks = marksOfAll()): Claim[] => [
  ...kernels.flatMap((kernel, i) => shippedClaims(kernel, new Coverage(kernel.bytes.length, marks[i]))),
  ...texts.flatMap((text, i) => textClaims(text, new Coverage(text.text.length, marks[kernels.length + i]))),
];
