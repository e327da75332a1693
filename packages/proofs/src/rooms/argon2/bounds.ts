// The memory that the kernels of Argon2 touch. Their calls have no lengths: only the addresses differ.
import { BLOCKS, SCRATCH, SCRATCH_BYTES } from '../../../../lanewise/src/argon2/map.ts';
import type { Claim } from '../../claims/claim.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { counted, type Way } from '../../claims/ways.ts';
import { BLOCK_BYTES, compressRanges } from './claims.ts';

/** `thread` has a scratch of its own, and a block for its result. */
function compress(kernel: FlowKernel, thread: number, onto: boolean): Called {
  const [x, y, to, z] = [
    BLOCKS,
    BLOCKS + BLOCK_BYTES,
    BLOCKS + BLOCK_BYTES * (2 + thread),
    SCRATCH + SCRATCH_BYTES * thread,
  ];
  const run = kernel.start(compressRanges(x, y, to, z, onto));
  run.write(x, BLOCK_BYTES, true);
  run.write(y, BLOCK_BYTES, true);
  if (onto) run.write(to, BLOCK_BYTES, true);
  return called(run, 'compress', x, y, to, onto ? 1 : 0, z);
}

export const argon2Bounds = (kernel: FlowKernel): Claim[] => [
  {
    kernel: kernel.name,
    claim: 'bounds: compress, with the scratch of the first eight threads',
    prove() {
      for (let thread = 0; thread < 8; thread++) for (const onto of [false, true]) compress(kernel, thread, onto);
    },
  },
];

export const argon2Ways = (kernel: FlowKernel): Way[] => [
  counted('compress', 'threads', 4, (threads) => compress(kernel, threads - 1, threads % 2 === 0)),
];
