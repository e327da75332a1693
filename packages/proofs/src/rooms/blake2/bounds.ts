// The memory that the kernels of BLAKE2 touch, at many more sizes than the claims about results have.
import { H, STAGE, STAGE_BYTES } from '../../../../lanewise/src/blake2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { counted, type Way } from '../../claims/ways.ts';
import { blockBytes, compressRanges, sizeOf } from './claims.ts';
import type { Size } from './specification.ts';

const sizeOfKernel = ({ name }: FlowKernel): Size => sizeOf(name.split(' ')[0]);

function compress(kernel: FlowKernel, blocks: number): Called {
  const size = sizeOfKernel(kernel);
  const run = kernel.start(compressRanges(size, STAGE, blocks));
  run.write(H, blockBytes(size) / 2, true);
  run.write(STAGE, blockBytes(size) * blocks, true);
  return called(run, 'compress', STAGE, blocks, blockBytes(size), 0, 0);
}

export const blake2Bounds = (kernel: FlowKernel): Claim[] => [
  {
    kernel: kernel.name,
    claim: 'bounds: compress, up to 8 blocks, and a whole stage',
    prove() {
      const most = STAGE_BYTES / blockBytes(sizeOfKernel(kernel));
      for (const blocks of [1, 2, 3, 4, 5, 6, 7, 8, most]) compress(kernel, blocks);
    },
  },
];

export const blake2Ways = (kernel: FlowKernel): Way[] => [
  counted('compress', 'blocks', 8, (blocks) => compress(kernel, blocks)),
];
