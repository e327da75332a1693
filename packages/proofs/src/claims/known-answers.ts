// The self-tests that the library runs when it makes a kernel, run here on V8. They prove nothing, but the claims about
// wiping skip them, and a fault that only a self-test finds is a gap in the other claims.
import { inV8 } from '../javascript/in-v8.ts';
import type { KernelText } from '../javascript/texts.ts';
import { familyOf, type Kernel } from '../kernels.ts';
import { counted } from './amounts.ts';
import { require, type Claim } from './claim.ts';
import { slotsOf } from './wiping.ts';
import { Recorder, type Slot } from './wiping-record.ts';

/** The functions of a kernel, and its memory. */
type Made = readonly [run: object, memory: ArrayBuffer];

const claimOf = (kernel: string, isOwn: (slot: Slot) => boolean, make: () => Made | Promise<Made>): Claim => ({
  kernel,
  claim: 'known answers: what the library asks when it starts',
  async prove() {
    // The recorder must be loaded before any module of the library.
    const { asked, slots } = await Recorder.load();
    for (const slot of slots.filter(isOwn)) {
      const [run, memory] = await make();
      require(asked(slot, run, memory), () => `${slot}: another answer`);
      counted('answers', 1);
    }
  },
});

export const knownAnswer = (kernel: Kernel): Claim =>
  claimOf(
    kernel.name,
    (slot) => slotsOf(kernel).includes(slot),
    () => {
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(kernel.bytes));
      return [exports, (exports['memory'] as WebAssembly.Memory).buffer];
    },
  );

export const knownAnswerOfText = (kernel: KernelText): Claim =>
  claimOf(
    kernel.name,
    (slot) => familyOf(slot) === kernel.family,
    async () => {
      const intrinsics = await import('../../../lanewise/src/engine/intrinsics.ts');
      const memory = new ArrayBuffer(kernel.memoryBytes);
      return [inV8(kernel.text, memory, intrinsics), memory];
    },
  );
