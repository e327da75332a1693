// All that is claimed of a kernel, and of all that ship.
import { texts, type KernelText } from '../javascript/texts.ts';
import { kernels, type Family, type Kernel } from '../kernels.ts';
import { aeadClaims } from './aead.ts';
import { blake3Claims } from './blake3.ts';
import { Coverage } from '../execute/coverage.ts';
import { boundsClaims, boundsTextClaims } from './bounds.ts';
import { chachaClaims } from './chacha.ts';
import { checkClaims } from './checks.ts';
import type { Claim } from './claim.ts';
import { moduleCoverage, textCoverage } from './coverage.ts';
import { diskClaims } from './disk.ts';
import { equivalenceClaims, textChecks } from './javascript.ts';
import { knownAnswer, knownAnswerOfText } from './known-answers.ts';
import { leftClaims, leftTextClaims } from './left-lengths.ts';
import { poly1305Claims } from './poly1305.ts';
import { thresholdsClaim } from './public-numbers.ts';
import { secretboxClaims } from './secretbox.ts';
import { serpentClaims } from './serpent.ts';
import { wipingClaims, wipingTextClaims } from './wiping.ts';

const RESULTS: Readonly<Record<Family, (kernel: Kernel) => Claim[]>> = {
  chacha: (kernel) => [...chachaClaims(kernel), ...aeadClaims(kernel)],
  secretbox: secretboxClaims,
  poly1305: poly1305Claims,
  blake3: blake3Claims,
  serpent: serpentClaims,
  'serpent-ctr': serpentClaims,
  disk: diskClaims,
};

/** Of a module, whatever its bytes are; what claims about results run is marked in `coverage`. */
export function kernelClaims(kernel: Kernel, coverage = new Coverage(kernel.bytes.length)): Claim[] {
  const results = RESULTS[kernel.family]({ ...kernel, coverage });
  return [
    ...checkClaims(kernel),
    ...results,
    moduleCoverage(kernel, results, coverage),
    thresholdsClaim(kernel, results, coverage),
    ...boundsClaims(kernel),
    ...leftClaims(kernel),
    ...wipingClaims(kernel),
    knownAnswer(kernel),
  ];
}

/** Of a text of the `js` engine. */
export function textClaims(text: KernelText, coverage = new Coverage(text.text.length)): Claim[] {
  const results = equivalenceClaims({ ...text, coverage });
  return [
    ...textChecks(text),
    ...results,
    textCoverage(text, results, coverage),
    ...boundsTextClaims(text),
    ...leftTextClaims(text),
    ...wipingTextClaims(text),
    knownAnswerOfText(text),
  ];
}

/** Where what is run of everything that ships is marked, in the order of allClaims: threads may share it. */
export const marksOfAll = (): SharedArrayBuffer[] => [
  ...kernels.map(({ bytes }) => new Coverage(bytes.length).marks),
  ...texts.map(({ text }) => new Coverage(text.length).marks),
];

/** Of everything that ships, always in the same order. */
export const allClaims = (marks = marksOfAll()): Claim[] => [
  ...kernels.flatMap((kernel, i) => kernelClaims(kernel, new Coverage(kernel.bytes.length, marks[i]))),
  ...texts.flatMap((text, i) => textClaims(text, new Coverage(text.text.length, marks[kernels.length + i]))),
];
