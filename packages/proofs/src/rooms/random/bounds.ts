// The memory that the kernels of ChaCha8Rand touch, at every number of iterations.
import { KEY, KEY_BYTES, MOST_ITERATIONS } from '../../../../lanewise/src/random/map.ts';
import type { Claim } from '../../claims/claim.ts';
import type { FlowKernel } from '../../claims/flow.ts';
import { called, type Called } from '../../claims/runnable.ts';
import { counted, type Way } from '../../claims/ways.ts';
import { rangesOf } from './claims.ts';

function generate(kernel: FlowKernel, iterations: number): Called {
  const run = kernel.start(rangesOf(iterations));
  run.write(KEY, KEY_BYTES, true);
  return called(run, 'generate', iterations);
}

/** An iteration is the same wherever it is; more of them take long. */
const FEW = 8;

export const randomBounds = (kernel: FlowKernel): Claim[] => [
  {
    kernel: kernel.name,
    claim: `bounds: generate, up to ${FEW} iterations, and the most`,
    prove() {
      for (const iterations of [...Array.from({ length: FEW }, (_, i) => i + 1), MOST_ITERATIONS])
        generate(kernel, iterations);
    },
  },
];

export const randomWays = (kernel: FlowKernel): Way[] => [
  counted('generate', 'iterations', FEW, (iterations) => generate(kernel, iterations)),
];
