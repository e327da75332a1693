// WebAssembly as something that a claim can run.
import { Machine } from '../execute/machine.ts';
import type { Kernel } from '../kernels.ts';
import { decode } from '../wasm/decode.ts';
import type { Term } from '../terms/term.ts';
import type { RunnableKernel } from './runnable.ts';

/** A kernel's bytes on the executor. Values of 64 bits are terms of 64 bits. */
export function onMachine({ name, bytes, memoryBytes, mostSteps, coverage }: Kernel): RunnableKernel {
  // Once, and when first needed: bytes that cannot be decoded are a claim's failure, not that of making it.
  let module: ReturnType<typeof decode> | undefined;
  return {
    name,
    memoryBytes,
    start: (ranges = {}, instead = {}, bases = []) =>
      new Machine<Term>((module ??= decode(bytes)), { ranges, instead, bases, mostSteps, coverage }),
  };
}
