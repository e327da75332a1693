/** Kernels of keystreams, each over its own memory: those of the library, and ChaCha20 written by hand. */
import * as layout from '../../../lanewise/src/keystream/map.ts';
import type { Module } from '../../../lanewise/src/wasm/module.ts';
import { MOST_BYTES, type KernelForm } from './form.ts';
import { rowsModule } from './chacha-rows-study.ts';
import * as study from './chacha-study.ts';
import type { Rotations } from './rotations.ts';

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

const BLOCK = 64;

/** Where a kernel has its state, whose constants and key come first, its nonce and its data; and its function of an address and blocks. */
interface Keystream {
  readonly state: number;
  readonly nonce: number;
  readonly data: number;
  readonly xor: (exports: WebAssembly.Exports) => (at: number, blocks: number) => void;
}

/** Encrypts in place, from a counter of 0 on. */
const keystream = (
  about: Omit<KernelForm, 'mostBytes' | 'place'>,
  { state, nonce: nonceAt, data: dataAt, xor }: Keystream,
): KernelForm => ({
  ...about,
  mostBytes: MOST_BYTES,
  place(exports, { key, nonce, data }, offset = 0) {
    const memory = memoryOf(exports);
    memory.fill(0, state, state + BLOCK);
    memory.set(SIGMA, state);
    memory.set(key, state + 16);
    memory.set(nonce, nonceAt);
    const at = dataAt + offset;
    const area = memory.subarray(at, at + data.length);
    area.set(data);
    const [run, blocks] = [xor(exports), data.length / BLOCK];
    return { run: () => run(at, blocks), output: () => area };
  },
});

const DOUBLE_ROUNDS = 10;
/** The function that the library's modules of ChaCha and Salsa20 have alike. */
interface Functions {
  xor(input: number, doubleRounds: number, at: number, blocks: number): void;
}

/** A kernel of the library; `nonce` is the first of its words in the state. */
export const generated = (
  engine: 'simd' | 'scalar',
  nonce: number,
  about: Pick<KernelForm, 'operation' | 'moduleName' | 'module' | 'unpack'>,
): KernelForm =>
  keystream(
    { name: `${engine} kernel`, library: 'lanewise', engine, multiple: BLOCK, ...about },
    {
      state: layout.STATE,
      nonce: layout.word(nonce),
      data: layout.STAGE,
      xor: (exports) => (at, blocks) =>
        (exports as unknown as Functions).xor(layout.CONTINUE, DOUBLE_ROUNDS, at, blocks),
    },
  );

/** A kernel for study, of so many blocks at least; it has its data in one place only. */
const written = (name: string, blocks: number, module: () => Module): KernelForm =>
  keystream(
    {
      name,
      library: 'study',
      operation: 'chacha20/encrypt',
      moduleName: `study: ${name}`,
      module,
      multiple: BLOCK * blocks,
    },
    {
      state: study.STATE,
      nonce: study.STATE + 52,
      data: study.DATA,
      xor: (exports) => (_, count) => (exports as unknown as study.StudyFunctions).xor(count),
    },
  );

const fastest = (): Rotations => (hasRelaxed() ? 'relaxed' : 'swizzles');

/** With the fastest rotations that the host has. */
export const setForms: readonly KernelForm[] = (
  [
    ['memory', 1],
    ['memory', 2],
    ['memory', 3],
    ['memory', 4],
    ['locals', 1],
    ['locals', 2],
  ] as const
).map(([place, count]) =>
  written(`${place} ${count}x4 by hand`, 4, () => study.studyModule({ place, sets: count, rotations: fastest() })),
);

/** With each kind of rotation. */
export const rotationForms: readonly KernelForm[] = (['shifts', 'swizzles', 'relaxed'] as const).map(
  (rotations: Rotations) =>
    written(`memory 2x4 by hand, ${rotations}`, 4, () => study.studyModule({ place: 'memory', sets: 2, rotations })),
);

const ROWS = [1, 2, 3];

/** One block across the lanes. */
export const rowForms: readonly KernelForm[] = ROWS.map((blocks) =>
  written(`rows ${blocks}x1 by hand`, 1, () => rowsModule({ blocks, rotations: fastest() })),
);

/** Three blocks across the lanes, and one in integers. */
export const mixedForms: readonly KernelForm[] = [
  written('rows 3x1 and integers by hand', 4, () => rowsModule({ blocks: 3, rotations: fastest(), beside: true })),
];
/** The same with each rotation by two shifts, as code without a shuffle of bytes has it. */
export const rowFormsByShifts: readonly KernelForm[] = ROWS.map((blocks) =>
  written(`rows ${blocks}x1 by hand, shifts`, 1, () => rowsModule({ blocks, rotations: 'shifts' })),
);
