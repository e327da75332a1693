// ChaCha8Rand: for every key, the output of one iteration and of several, and the key of the next.
import { KEY, KEY_BYTES, OUTPUT_BYTES, STAGE, STATE } from '../../../../lanewise/src/random/map.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import type { RunnableKernel } from '../../claims/runnable.ts';
import { onText } from '../../javascript/runner.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, wordsOf } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import type { Term } from '../../terms/term.ts';
import { iteration } from './specification.ts';

export const rangesOf = (iterations: number) => ({
  reads: [range(KEY, KEY_BYTES)],
  writes: [range(STATE, 64), range(STAGE, OUTPUT_BYTES * iterations + KEY_BYTES)],
});

function proveGenerate(kernel: RunnableKernel, iterations: number): void {
  const what = `${iterations} iterations`;
  const seed = secrets('seed', KEY_BYTES);
  const run = kernel.start(rangesOf(iterations));
  run.write(KEY, seed);
  run.call('generate', iterations);
  expectNoEvents(run, what);
  let key = wordsOf(symbols, seed);
  const output: Term[] = [];
  for (let i = 0; i < iterations; i++) {
    const made = iteration(symbols, key);
    output.push(...made.output);
    key = made.next;
  }
  const next = bytesOf(symbols, key);
  expectBytes(run, STAGE, [...output, ...next], `${what}: output`);
  expectBytes(run, KEY, next, `${what}: key`);
}

const statements = (kernel: RunnableKernel): Claim[] =>
  [1, 2, 3].map((iterations) => ({
    kernel: kernel.name,
    topic: 'chacha8rand',
    claim: `every seed, ${iterations} iterations`,
    prove() {
      proveGenerate(kernel, iterations);
    },
  }));

export const randomClaims = (kernel: Kernel): Claim[] => statements(onMachine(kernel));
export const randomTextClaims = (text: KernelText): Claim[] => statements(onText(text));
