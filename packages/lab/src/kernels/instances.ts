/**
 * ChaCha20 without the public API, each kernel over its own memory: the library's kernels, and those written by hand.
 */
import * as layout from '../../../lanewise/src/keystream/map.ts';
import { chachaModule, type Functions } from '../../../lanewise/src/chacha/module.ts';
import { integers } from '../../../lanewise/src/poly1305/kernel.ts';
import type { Module } from '../../../lanewise/src/wasm/module.ts';
import { mixedModule } from './chacha-mixed-study.ts';
import { rowsModule } from './chacha-rows-study.ts';
import * as study from './chacha-study.ts';
import type { Rotations } from './rotations.ts';

/** ChaCha20 over a fixed area of linear memory, in place. */
export interface ChaChaKernel {
  readonly name: string;
  /** Sets key and nonce, and the counter to 0. */
  start(key: Uint8Array, nonce: Uint8Array): void;
  /** The area of this length. */
  area(length: number, offset?: number): Uint8Array;
  /** XORs the keystream onto `blocks` blocks of the area, and advances the counter. */
  xor(blocks: number, offset?: number): void;
}

/** A kernel that is not yet instantiated. */
export interface ChaChaForm {
  readonly name: string;
  /** The number of blocks in a call must be a multiple of this. */
  readonly blocks: number;
  readonly module: () => Module;
  readonly over: (exports: WebAssembly.Exports) => ChaChaKernel;
}

export const memoryOf = (exports: WebAssembly.Exports): Uint8Array<ArrayBuffer> =>
  new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer);

export const compiled = (module: Module): WebAssembly.Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(module.bytes())).exports;

let relaxed: boolean | undefined;
/** Whether this host has the relaxed instructions, tried by compiling a module that uses them. */
export function hasRelaxed(): boolean {
  if (relaxed !== undefined) return relaxed;
  try {
    compiled(study.studyModule({ place: 'memory', sets: 1, rotations: 'relaxed' }));
    return (relaxed = true);
  } catch {
    return (relaxed = false);
  }
}

const SIGMA = new TextEncoder().encode('expand 32-byte k');

const starter =
  (memory: Uint8Array, state: number): ChaChaKernel['start'] =>
  (key, nonce) => {
    memory.set(SIGMA, state);
    memory.set(key, state + 16);
    memory.fill(0, state + 48, state + 52);
    memory.set(nonce, state + 52);
  };

const DOUBLE_ROUNDS = 10;

const generated = (name: string, vectors: boolean): ChaChaForm => ({
  name,
  blocks: 1,
  module: () => chachaModule({ lanes: vectors ? { relaxed: hasRelaxed() } : undefined, arithmetic: integers }),
  over(exports) {
    const run = exports as unknown as Functions;
    const memory = memoryOf(exports);
    return {
      name,
      start: starter(memory, layout.STATE),
      area: (length, offset = 0) => memory.subarray(layout.STAGE + offset, layout.STAGE + offset + length),
      xor: (blocks, offset = 0) => run.xor(layout.CONTINUE, DOUBLE_ROUNDS, layout.STAGE + offset, blocks),
    };
  },
});

const written = (name: string, blocks: number, module: () => Module): ChaChaForm => ({
  name,
  blocks,
  module,
  over(exports) {
    const run = exports as unknown as study.StudyFunctions;
    const memory = memoryOf(exports);
    return {
      name,
      start: starter(memory, study.STATE),
      area: (length) => memory.subarray(study.DATA, study.DATA + length),
      xor: (blocks) => run.xor(blocks),
    };
  },
});

export const simdKernel: ChaChaForm = generated('simd kernel', true);
export const scalarKernel: ChaChaForm = generated('scalar kernel', false);

/** With the fastest rotations that the host has. */
export const setForms: readonly ChaChaForm[] = (
  [
    ['memory', 1],
    ['memory', 2],
    ['memory', 3],
    ['memory', 4],
    ['locals', 1],
    ['locals', 2],
  ] as const
).map(([place, count]) =>
  written(`${place} ${count}x4 by hand`, 4, () =>
    study.studyModule({ place, sets: count, rotations: hasRelaxed() ? 'relaxed' : 'swizzles' }),
  ),
);

/** With each kind of rotation. */
export const rotationForms: readonly ChaChaForm[] = (['shifts', 'swizzles', 'relaxed'] as const).map(
  (rotations: Rotations) =>
    written(`memory 2x4 by hand, ${rotations}`, 4, () => study.studyModule({ place: 'memory', sets: 2, rotations })),
);

const ROWS = [1, 2, 3];

/** One block across the lanes. */
export const rowForms: readonly ChaChaForm[] = ROWS.map((blocks) =>
  written(`rows ${blocks}x1 by hand`, 1, () =>
    rowsModule({ blocks, rotations: hasRelaxed() ? 'relaxed' : 'swizzles' }),
  ),
);

/** Three blocks across the lanes, and one in integers. */
export const mixedForms: readonly ChaChaForm[] = [
  written('rows 3x1 and integers by hand', 4, () => mixedModule(hasRelaxed() ? 'relaxed' : 'swizzles')),
];
/** The same with each rotation by two shifts, as code without a shuffle of bytes has it. */
export const rowFormsByShifts: readonly ChaChaForm[] = ROWS.map((blocks) =>
  written(`rows ${blocks}x1 by hand, shifts`, 1, () => rowsModule({ blocks, rotations: 'shifts' })),
);
