/** Kernels without the public API, each over its own memory: the library's, and those written by hand. */
import { integers } from '../../../lanewise/src/kernels/poly1305.ts';
import * as layout from '../../../lanewise/src/kernels/chacha.ts';
import { chachaModule, type ChaCha } from '../../../lanewise/src/kernels/chacha20poly1305.ts';
import type { Module } from '../../../lanewise/src/wasm/module.ts';
import * as study from './chacha-study.ts';

/** ChaCha20 over a fixed area of linear memory, in place. */
export interface ChaChaKernel {
  readonly name: string;
  /** Sets key and nonce, with the counter at 0. */
  start(key: Uint8Array, nonce: Uint8Array): void;
  /** The area, of the length asked for. */
  area(length: number): Uint8Array;
  /** XORs the keystream onto so many blocks of the area, and moves the counter on. */
  xor(blocks: number): void;
}

function instance<Functions>(module: Module): { run: Functions; memory: Uint8Array } {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.bytes()));
  return { run: exports as Functions, memory: new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer) };
}

/** Whether this host has the relaxed instructions: the module that uses them compiles. */
const relaxed = ((): boolean => {
  try {
    instance(study.studyModule({ place: 'memory', sets: 1, relaxed: true }));
    return true;
  } catch {
    return false;
  }
})();

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

function generated(name: string, lanes: { relaxed: boolean } | undefined): ChaChaKernel {
  const { run, memory } = instance<ChaCha>(chachaModule({ lanes, arithmetic: integers }));
  return {
    name,
    start: starter(memory, layout.STATE),
    area: (length) => memory.subarray(layout.DATA, layout.DATA + length),
    xor: (blocks) => run.xor(0, DOUBLE_ROUNDS, layout.DATA, blocks),
  };
}

function written(name: string, place: study.Place, sets: number): ChaChaKernel {
  const { run, memory } = instance<study.StudyFunctions>(study.studyModule({ place, sets, relaxed }));
  return {
    name,
    start: starter(memory, study.STATE),
    area: (length) => memory.subarray(study.DATA, study.DATA + length),
    xor: (blocks) => run.xor(blocks),
  };
}

export const SIMD_KERNEL = 'simd kernel';
export const SCALAR_KERNEL = 'scalar kernel';

const forms: readonly { place: study.Place; sets: number }[] = [
  { place: 'memory', sets: 1 },
  { place: 'memory', sets: 2 },
  { place: 'memory', sets: 3 },
  { place: 'memory', sets: 4 },
  { place: 'locals', sets: 1 },
  { place: 'locals', sets: 2 },
];
const nameOf = ({ place, sets }: (typeof forms)[number]): string => `${place} ${sets}x4 by hand`;
export const handWritten: readonly string[] = forms.map(nameOf);
/** Those with the structure of the library's kernel: the words of the sets in memory. */
export const handWrittenInMemory: readonly string[] = forms.filter(({ place }) => place === 'memory').map(nameOf);

/** Fresh instances of all of them. */
export const chachaKernels = (): ChaChaKernel[] => [
  generated(SIMD_KERNEL, { relaxed }),
  generated(SCALAR_KERNEL, undefined),
  ...forms.map((form) => written(nameOf(form), form.place, form.sets)),
];
