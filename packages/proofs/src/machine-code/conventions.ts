/** Where engines keep their own data in a function's code: all of it is public, and there is nothing else. */
import type { Label } from './labels.ts';
import type { Compiler, Instruction } from './instruction.ts';

export interface Conventions {
  /** Registers at a function's start, besides those of parameters. */
  readonly entry: Readonly<Record<string, Label>>;
  /** Registers that calls keep. */
  readonly kept: ReadonlySet<string>;
  /** Whether `rsp` is followed, and constants of more than 32 bits are addresses of the engine's own data. */
  readonly isTracked: boolean;
  /** The label of a place in the frame that only the engine writes. */
  readonly slot: (displacement: number) => Label | undefined;
  /** The label of a field of the engine's data. */
  readonly field: (displacement: number) => Label;
  /** A call that keeps all registers, or does not return. */
  readonly isQuiet: (instruction: Instruction, before: Instruction | undefined) => boolean;
}

/** Where V8's instance has the start of its memory. */
const MEMORY_START = 0x1f;
/** Where a frame has the instance, and Liftoff's counts of calls. */
const INSTANCE_SLOT = -0x10;
const FEEDBACK_SLOT = -0x18;
/** Before this offset Liftoff calls nothing but the function that makes its frame. */
const PROLOGUE = 16;

const v8 = (isLiftoff: boolean): Conventions => ({
  entry: { rsi: 'pointer', r13: 'pointer', rsp: 'frame', rbp: 'frame' },
  kept: new Set(['rsp', 'rbp', 'r13']),
  isTracked: false,
  slot: (displacement) =>
    displacement === INSTANCE_SLOT || (isLiftoff && displacement === FEEDBACK_SLOT) ? 'pointer' : undefined,
  // By any register that has the instance.
  field: (displacement) => (displacement === MEMORY_START ? 'linear' : 'pointer'),
  // V8's own stubs make frames, look at the end of the stack, and trap.
  isQuiet: ({ isStub, offset }) => isStub || (isLiftoff && offset < PROLOGUE),
});

/** Fields may be the start of memory, so they are public, and all that they point to is secret. */
const spiderMonkey: Conventions = {
  entry: { r14: 'pointer', r15: 'linear', rsp: 'frame', rbp: 'frame' },
  kept: new Set(['rsp', 'rbp', 'r14', 'r15']),
  isTracked: true,
  slot: () => undefined,
  field: () => 'linear',
  isQuiet: () => false,
};

const javaScriptCore: Conventions = {
  entry: { rbx: 'pointer', r14: 'linear', rsp: 'frame', rbp: 'frame' },
  kept: new Set(['rsp', 'rbp', 'rbx', 'r12', 'r13', 'r14', 'r15']),
  isTracked: true,
  slot: () => undefined,
  field: () => 'linear',
  // JavaScriptCore's functions for counts and other compilers get the frame in r10. They go on elsewhere by `jmp r10`.
  isQuiet: (_, before) => before?.op === 'mov' && before.operands.join() === 'r10,rbp',
};

export const CONVENTIONS: Readonly<Record<Compiler, Conventions>> = {
  TurboFan: v8(false),
  Liftoff: v8(true),
  Ion: spiderMonkey,
  Baseline: spiderMonkey,
  OMG: javaScriptCore,
  BBQ: javaScriptCore,
};
