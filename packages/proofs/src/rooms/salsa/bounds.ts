// The memory that the kernels of secretbox touch, at many more lengths than the claims about results have.
import { STAGE_BYTES, EXTENDED, SHORT_BYTES, STATE } from '../../../../lanewise/src/keystream/map.ts';
import { FIRST_BYTES, TAG_BYTES } from '../../../../lanewise/src/salsa/map.ts';
import type { Claim } from '../../claims/claim.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import type { CallForm } from '../../claims/form.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { rangesOfBox, TAG_PLACE } from './claims.ts';
import { bytes, SEALING, type Way } from '../../claims/ways.ts';
import { absorbBounds } from '../keystream/bounds.ts';

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
function sealBox(kernel: FlowKernel, name: 'seal' | 'open', length: number): Called {
  const run = kernel.start(rangesOfBox(length));
  run.write(STATE, 80, true);
  run.write(TAG_PLACE, TAG_BYTES + length, name === 'seal');
  return called(run, name, EXTENDED, length);
}

/** Where MAC blocks and the cipher's end, sets, and groups of the woven loop; with every length of a message in one set. */
const boxLengths = [
  ...upTo(0, 130),
  ...[160, 192, 224, 256, 480, 512, 544, 992, 1056, 1504].flatMap((n) => upTo(n - 1, n + 1)),
];

export function secretboxBounds(kernel: FlowKernel, { short, aligned }: CallForm): Claim[] {
  // The longest message takes long in the interpreter of the text, which does the same as the scalar kernel.
  const most = aligned ? [] : [FIRST_BYTES + STAGE_BYTES];
  const lengths = short ? upTo(0, 64) : [...boxLengths, ...most];
  const every = short
    ? 'every length up to 64'
    : `every length up to 130, around sets and groups${aligned ? '' : ', the most'}`;
  const messages = SEALING.map((name) => ({
    kernel: kernel.name,
    claim: `bounds: ${name}, ${every}`,
    prove() {
      for (const length of lengths) sealBox(kernel, name, length);
    },
  }));
  return [...messages, ...(short ? [] : [absorbBounds(kernel)])];
}

export const secretboxWays = (kernel: FlowKernel, { short }: CallForm, most: number): Way[] =>
  SEALING.map((name) => bytes(name, short ? SHORT_BYTES : most, (length) => sealBox(kernel, name, length)));
