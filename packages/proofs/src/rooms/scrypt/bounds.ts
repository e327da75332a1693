// The memory that the kernels of scrypt touch, at many more sizes than the claims about results have.
import { ROWS, STAGE, STAGE_BYTES, STATE, STATE_BYTES } from '../../../../lanewise/src/scrypt/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { range } from '../../claims/compare.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { counted, type Way } from '../../claims/ways.ts';
import { compressRanges, fillRanges, rowOf } from './claims.ts';

function compress(kernel: FlowKernel, blocks: number): Called {
  const run = kernel.start(compressRanges(STAGE, blocks));
  run.write(STATE, STATE_BYTES, true);
  run.write(STAGE, 64 * blocks, true);
  return called(run, 'compress', STAGE, blocks);
}

function fill(kernel: FlowKernel, r: number, count: number): Called {
  const run = kernel.start(fillRanges(ROWS, r, count));
  run.write(ROWS, rowOf(r), true);
  return called(run, 'fill', ROWS, r, count);
}

function mix(kernel: FlowKernel, r: number): Called {
  const [v, x, y] = [0, 1, 2].map((i) => ROWS + i * rowOf(r));
  const run = kernel.start({ reads: [range(v, 2 * rowOf(r))], writes: [range(y, rowOf(r))] });
  run.write(v, 2 * rowOf(r), true);
  return called(run, 'mix', x, v, y, r);
}

const MOST_BLOCKS = STAGE_BYTES / 64;
const upTo = (most: number): number[] => Array.from({ length: most }, (_, i) => i + 1);

export const scryptBounds = (kernel: FlowKernel): Claim[] => [
  {
    kernel: kernel.name,
    claim: `bounds: compress, up to 8 blocks, and a whole stage; rows of r up to 12, 40 and 150`,
    prove() {
      for (const blocks of [...upTo(8), MOST_BLOCKS]) compress(kernel, blocks);
      for (const r of [...upTo(12), 40, 150]) {
        fill(kernel, r, 1);
        mix(kernel, r);
      }
      for (const count of upTo(8)) fill(kernel, 8, count);
    },
  },
];

export const scryptWays = (kernel: FlowKernel): Way[] => [
  counted('compress', 'blocks', 8, (blocks) => compress(kernel, blocks)),
  counted('fill', 'rows', 8, (count) => fill(kernel, 3, count)),
  counted('mix', 'r', 12, (r) => mix(kernel, r)),
];
