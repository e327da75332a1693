// The memory that the kernels of ChaCha touch, at many more lengths than the claims about results have: every one around
// blocks and sets, and the last ones for which memory has room.
import {
  AAD,
  AAD_BYTES,
  STAGE,
  STAGE_BYTES,
  PLAIN,
  SHORT_BYTES,
  STATE,
} from '../../../../lanewise/src/keystream/map.ts';
import { rangesOfMessage, rangesOfXor } from '../keystream/inputs.ts';
import type { Claim } from '../../claims/claim.ts';
import { range } from '../../claims/compare.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import type { CallForm } from '../../claims/form.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { bytes, counted, sealing, SEALING, type Way } from '../../claims/ways.ts';
import { absorbBounds } from '../keystream/bounds.ts';

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Lengths around three groups of eight blocks, and around the two blocks before a group. */
const aroundBlocks = upTo(6, 26).flatMap((blocks) => upTo(64 * blocks - 1, 64 * blocks + 1));
const TAG_BYTES = 16;

function sealChacha(
  kernel: FlowKernel,
  form: CallForm,
  name: 'seal' | 'open',
  aadLength: number,
  length: number,
): Called {
  const aad = range(AAD, aadLength);
  const run = kernel.start(rangesOfMessage(form, aad, length));
  run.write(STATE, 80, true);
  run.write(AAD, aadLength, true);
  // Ciphertext and tag are public.
  run.write(STAGE, length + (name === 'open' ? TAG_BYTES : 0), name === 'seal');
  return called(run, name, PLAIN, aadLength, length);
}

/** The part of a message without additional data, as SIV calls it. */
function encryptChacha(kernel: FlowKernel, form: CallForm, length: number): Called {
  const run = kernel.start(rangesOfMessage(form, range(AAD, 0), length));
  run.write(STATE, STAGE - STATE, true);
  run.write(STAGE, length, true);
  return called(run, 'encrypt', 0, 0, length);
}

function xorChacha(kernel: FlowKernel, form: CallForm, blocks: number): Called {
  const run = kernel.start(rangesOfXor(form, STAGE, blocks));
  run.write(STATE, 64, true);
  run.write(STAGE, 64 * blocks, true);
  return called(run, 'xor', PLAIN, 10, STAGE, blocks);
}

export function chachaBounds(kernel: FlowKernel, form: CallForm): Claim[] {
  const lengths = form.short ? upTo(0, 64) : [...upTo(0, 320), ...aroundBlocks, STAGE_BYTES - 1, STAGE_BYTES];
  const every = form.short
    ? 'every length up to 64'
    : 'every length up to 320, around every block up to 1664, the most';
  const claim = (text: string, prove: () => void): Claim => ({ kernel: kernel.name, claim: text, prove });
  return [
    claim(`bounds: xor, every number of blocks up to ${form.short ? '2' : '66, and the most'}`, () => {
      for (const blocks of [...upTo(0, form.short ? 2 : 66), ...(form.short ? [] : [STAGE_BYTES / 64])]) {
        xorChacha(kernel, form, blocks);
      }
    }),
    ...SEALING.map((name) =>
      claim(`bounds: ${name}, ${every}`, () => {
        for (const length of lengths) sealChacha(kernel, form, name, 0, length);
      }),
    ),
    claim(`bounds: additional data, every length up to ${form.short ? '64' : '66, and the most'}`, () => {
      for (const aadLength of [...upTo(0, form.short ? 64 : 66), ...(form.short ? [] : [AAD_BYTES - 1, AAD_BYTES])])
        for (const name of SEALING) sealChacha(kernel, form, name, aadLength, form.short ? 64 - aadLength : 100);
    }),
    ...(form.short ? [] : [absorbBounds(kernel)]),
  ];
}

/** The ways to call the kernel for messages of up to `most` bytes. */
export const chachaWays = (kernel: FlowKernel, form: CallForm, most: number): Way[] => [
  ...sealing(form.short ? SHORT_BYTES : most, (name, aadLength, length) =>
    sealChacha(kernel, form, name, aadLength, length),
  ),
  bytes('encrypt', form.short ? SHORT_BYTES : 320, (length) => encryptChacha(kernel, form, length)),
  counted('xor', 'blocks', form.short ? 2 : 33, (blocks) => xorChacha(kernel, form, blocks)),
];
