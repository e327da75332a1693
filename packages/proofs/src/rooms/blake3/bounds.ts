// The memory that the kernels of BLAKE3 touch, at many more lengths than the claims about results have.
import { BLOCK, CV, KEY, STAGE, STAGE_BYTES } from '../../../../lanewise/src/blake3/map.ts';
import { rangesOfBlake3, rangesOfMany, rangesOfOutput } from './claims.ts';
import type { Claim } from '../../claims/claim.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import type { CallForm } from '../../claims/form.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { bytes, counted, type Way } from '../../claims/ways.ts';

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

function hashBlake3(kernel: FlowKernel, form: CallForm, length: number): Called {
  const run = kernel.start(rangesOfBlake3(form, length));
  run.write(KEY, 32, true);
  run.write(STAGE, length, true);
  return called(run, 'hash', length, 16);
}

export function blake3Bounds(kernel: FlowKernel, form: CallForm): Claim[] {
  const around = (chunks: number): number[] => upTo(1024 * chunks - 1, 1024 * chunks + 1);
  const lengths = [...upTo(0, 200), ...upTo(1020, 1100), ...[2, 3, 4, 5, 7, 8, 9, 16, 17, 33].flatMap(around)];
  return [
    {
      kernel: kernel.name,
      claim: 'bounds: hash, every length up to 200, around chunks, and the most',
      prove() {
        for (const length of [...lengths, STAGE_BYTES - 1, STAGE_BYTES]) hashBlake3(kernel, form, length);
      },
    },
  ];
}

/** Follows the output of blocks from an arbitrary block number on. */
function outputBlake3(kernel: FlowKernel, form: CallForm, blocks: number): Called {
  const run = kernel.start(rangesOfOutput(form, blocks));
  run.write(CV, 32, true);
  run.write(BLOCK, 64, true);
  return called(run, 'output', 64, 7, 0, 27, blocks);
}

/** Messages of 65 bytes side by side. */
function manyBlake3(kernel: FlowKernel, form: CallForm, count: number): Called {
  const run = kernel.start(rangesOfMany(form, count, 2));
  run.write(KEY, 32, true);
  run.write(STAGE, 128 * count, true);
  return called(run, 'many', count, 2, 1, 16);
}

export const blake3Ways = (kernel: FlowKernel, form: CallForm, most: number): Way[] => [
  bytes('hash', most, (length) => hashBlake3(kernel, form, length)),
  counted('output', 'blocks', 33, (blocks) => outputBlake3(kernel, form, blocks)),
  counted('many', 'messages', 64, (count) => manyBlake3(kernel, form, count)),
];
