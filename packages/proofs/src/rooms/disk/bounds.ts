// The memory that the kernels of disk encryption touch, at every length around blocks and sets, and at the largest
// length.
import { STAGE, STAGE_BYTES, HEADS, HEADS_BYTES, KEY, KEYS_BYTES, MIDDLE } from '../../../../lanewise/src/disk/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { range } from '../../claims/compare.ts';
import { rangesOf } from './page-claims.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import type { CallForm } from '../../claims/form.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { bytes, type Way } from '../../claims/ways.ts';

const BLOCK = 16;
const PIECE = 1024;
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const around = (...places: readonly number[]): number[] => places.flatMap((n) => [n - 1, n, n + 1]);
const SHORT = [...upTo(BLOCK, 50), ...around(64, 80, 144, 208, 256, 272)];
const LONG = [...around(528, 1040, 2064), 4096, STAGE_BYTES];
/** The lengths of pages, each with the largest number of pages that fits the memory. */
const MANY = [
  [512, STAGE_BYTES / 512],
  [4096, STAGE_BYTES / 4096],
  [100, 170],
];
const PARTS = [BLOCK, PIECE, 3 * PIECE, STAGE_BYTES];

const slotOf = (tweakLength: number): number => (BLOCK + tweakLength + BLOCK - 1) & -BLOCK;

function started(kernel: FlowKernel, end: number, headBytes: number) {
  const run = kernel.start(rangesOf(end));
  // The host has wiped the middle block.
  run.write(MIDDLE, KEY - MIDDLE, false);
  run.write(KEY, KEYS_BYTES, true);
  run.write(HEADS, headBytes, true);
  return run;
}

function pages(kernel: FlowKernel, nh: number, back: number, length: number, count: number): Called {
  const stride = (length + 255) & -256;
  const tweakLength = 32;
  const run = started(kernel, STAGE + stride * count, slotOf(tweakLength) * count);
  run.write(STAGE, stride * count, true);
  return called(
    run,
    'pages',
    back,
    nh,
    6,
    nh ? BLOCK + tweakLength : slotOf(tweakLength),
    slotOf(tweakLength),
    length,
    stride,
    count,
  );
}

export function diskBounds(kernel: FlowKernel): Claim[] {
  const claim = (text: string, prove: () => void): Claim => ({ kernel: kernel.name, claim: `bounds: ${text}`, prove });
  return [
    ...['hpolyc', 'adiantum'].map((cipher, nh) =>
      claim(`${cipher}, every length up to 50, around blocks, sets and pieces, the most`, () => {
        for (const length of SHORT) for (const back of [0, 1]) pages(kernel, nh, back, length, 1);
        for (const length of LONG) pages(kernel, nh, length % 2, length, 1);
        for (const [length, count] of MANY) pages(kernel, nh, 0, length, count);
      }),
    ),
    claim('a page in parts', () => {
      for (const nh of [0, 1])
        for (const size of PARTS) {
          const run = started(kernel, STAGE + size, slotOf(32));
          run.call('begin', nh, 48);
          run.write(STAGE, size, true);
          run.call('absorb', nh, size);
          run.call('turn', 0, nh, 6);
          run.write(STAGE, size, true);
          run.call('stream', nh, 6, size);
          run.call('end', nh);
        }
    }),
    claim('heads for as many pages as there is room for', () => {
      for (const slot of [BLOCK, 48, 4112]) {
        const count = Math.floor(HEADS_BYTES / slot);
        const run = kernel.start({ reads: [range(HEADS, slot)], writes: [range(HEADS, slot * count)] });
        run.write(HEADS, slot, true);
        run.call('heads', 4, slot, 8, count);
      }
    }),
  ];
}

export const diskWays = (kernel: FlowKernel, _form: CallForm, most: number): Way[] =>
  ['hpolyc', 'adiantum'].flatMap((cipher, nh) =>
    ['encrypted', 'decrypted'].map((what, back) =>
      bytes(`pages of ${cipher}, ${what}`, most, (length) => pages(kernel, nh, back, length, 1), 16),
    ),
  );
