// The memory that kernels with a keystream touch when a message comes in parts.
import { STAGE, STAGE_BYTES, POLY } from '../../../../lanewise/src/keystream/map.ts';
import { STATE_BYTES } from '../../../../lanewise/src/poly1305/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { range } from '../../claims/compare.ts';
import type { FlowKernel } from '../../claims/flow.ts';

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const ACCUMULATOR_BYTES = 20;

/** The bounds for a message in parts: only the accumulator and the padding of the last block are written. */
export const absorbBounds = (kernel: FlowKernel): Claim => ({
  kernel: kernel.name,
  claim: 'bounds: absorb, every length up to 66, and the most',
  prove() {
    for (const length of [...upTo(0, 66), STAGE_BYTES - 1, STAGE_BYTES]) {
      const padding = range(STAGE + length, -length & 15);
      const poly = range(POLY, ACCUMULATOR_BYTES);
      const run = kernel.start({ reads: [padding], writes: [poly, padding] });
      run.write(POLY, STATE_BYTES, true);
      run.write(STAGE, length, true);
      run.call('absorb', STAGE, length);
    }
  },
});
