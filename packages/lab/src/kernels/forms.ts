/**
 * Kernels as contests see them: bytes are put into linear memory, one call is timed, the result is read from there. All are
 * made of modules with a name, which surroundings may have compiled beforehand.
 */
import * as blake3Layout from '../../../lanewise/src/blake3/map.ts';
import { blake3Module, type Blake3 } from '../../../lanewise/src/blake3/module.ts';
import * as chachaLayout from '../../../lanewise/src/keystream/map.ts';
import type { ChaCha } from '../../../lanewise/src/chacha/module.ts';
import { integers } from '../../../lanewise/src/poly1305/kernel.ts';
import { KEY } from '../../../lanewise/src/poly1305/map.ts';
import { poly1305Module, type Poly1305Functions } from '../../../lanewise/src/poly1305/module.ts';
import * as poly1305Layout from '../../../lanewise/src/poly1305/map.ts';
import type { Module } from '../../../lanewise/src/wasm/module.ts';
import { TAG_BYTES } from '../client/contestants/contestant.ts';
import type { Work } from '../client/primitives/operation.ts';
import {
  hasRelaxed,
  memoryOf,
  rotationForms,
  rowForms,
  scalarKernel,
  setForms,
  simdKernel,
  type ChaChaForm,
} from './instances.ts';

/** A kernel with its input in memory. */
export interface Placed {
  readonly run: () => void;
  readonly output: () => Uint8Array;
}

export interface KernelForm {
  /** Unique among the kernels of one operation. */
  readonly name: string;
  readonly library: 'lanewise' | 'study';
  readonly engine?: 'simd' | 'scalar';
  /** The id of the operation that it does. */
  readonly operation: string;
  /** Of its module: several forms may share one. */
  readonly moduleName: string;
  readonly module: () => Module;
  /** The most bytes of message that its memory holds, and what their number must be a multiple of. */
  readonly mostBytes: number;
  readonly multiple: number;
  /** Puts everything into memory; twice if need be. */
  readonly place: (exports: WebAssembly.Exports, work: Work, offset?: number) => Placed;
}

const BLOCK = 64;
const MOST = 2 ** 16;

const chachaForm = (form: ChaChaForm, engine: KernelForm['engine'], library: KernelForm['library']): KernelForm => ({
  name: form.name,
  library,
  ...(engine && { engine }),
  operation: 'chacha20/encrypt',
  moduleName: library === 'lanewise' ? `chacha ${engine ?? ''}` : `study: ${form.name}`,
  module: form.module,
  mostBytes: MOST,
  multiple: BLOCK * form.blocks,
  place(exports, { key, nonce, data }, offset = 0) {
    const kernel = form.over(exports);
    kernel.start(key, nonce);
    kernel.area(data.length, offset).set(data);
    const blocks = data.length / BLOCK;
    return { run: () => kernel.xor(blocks, offset), output: () => kernel.area(data.length, offset) };
  },
});

/** Behind the constants, as chacha/binding.ts writes it: the key, a counter of 0, the nonce. */
const INPUT = chachaLayout.STATE + 16;

/** In one call; or without weaving, the MAC behind the cipher. Both wipe or use up the state, so it is written each time. */
const sealForm = (engine: 'simd' | 'scalar', passes: 1 | 2): KernelForm => ({
  name: `${engine} kernel${passes === 2 ? ', two passes' : ''}`,
  library: passes === 2 ? 'study' : 'lanewise',
  engine,
  operation: 'chacha20poly1305/seal',
  moduleName: `chacha ${engine}`,
  module: engine === 'simd' ? simdKernel.module : scalarKernel.module,
  mostBytes: MOST,
  multiple: 1,
  place(exports, { key, nonce, data }) {
    const run = exports as unknown as ChaCha;
    const memory = memoryOf(exports);
    const input = new Uint8Array(48);
    input.set(key);
    input.set(nonce, 36);
    const { DATA, GOES_ON, PLAIN } = chachaLayout;
    const { length } = data;
    const blocks = Math.ceil(length / BLOCK);
    memory.set(data, DATA);
    const sealed = (): void => {
      memory.set(input, INPUT);
      run.seal(PLAIN, 0, length);
    };
    const inTwoPasses = (): void => {
      memory.set(input, INPUT);
      run.begin(PLAIN);
      run.xor(GOES_ON, 10, DATA, blocks);
      run.absorb(DATA, length);
      run.finish(0, 0, length, 0, DATA + length);
    };
    return {
      run: passes === 2 ? inTwoPasses : sealed,
      output: () => memory.subarray(DATA, DATA + length + TAG_BYTES),
    };
  },
});

const blake3Form = (engine: 'simd' | 'scalar'): KernelForm => ({
  name: `${engine} kernel`,
  library: 'lanewise',
  engine,
  operation: 'blake3/hash',
  moduleName: `blake3 ${engine}`,
  module: () => blake3Module(engine === 'simd' ? { lanes: { relaxed: hasRelaxed() } } : {}),
  mostBytes: blake3Layout.STAGE_BYTES,
  multiple: 1,
  place(exports, { data, room }, offset = 0) {
    const run = exports as unknown as Blake3;
    const memory = memoryOf(exports);
    const { STAGE, CV } = blake3Layout;
    if (offset !== 0) throw new RangeError('the stage does not move');
    memory.set(data, STAGE);
    return { run: () => run.hash(data.length, 0), output: () => memory.subarray(CV, CV + room) };
  },
});

const poly1305Form: KernelForm = {
  name: 'scalar kernel',
  library: 'lanewise',
  engine: 'scalar',
  operation: 'poly1305/mac',
  moduleName: 'poly1305',
  module: () => poly1305Module(integers),
  mostBytes: poly1305Layout.STAGE_BYTES - TAG_BYTES,
  multiple: 1,
  place(exports, { key, data }) {
    const run = exports as unknown as Poly1305Functions;
    const memory = memoryOf(exports);
    const { STAGE, STATE, TAG } = poly1305Layout;
    memory.set(data, STAGE);
    memory.set(key, STATE + KEY);
    // A key that has been clamped is not changed by being clamped again.
    return { run: () => run.mac(data.length), output: () => memory.subarray(TAG, TAG + TAG_BYTES) };
  },
};

/** Ours, without the public API around it. */
export const ourForms: readonly KernelForm[] = [
  chachaForm(simdKernel, 'simd', 'lanewise'),
  chachaForm(scalarKernel, 'scalar', 'lanewise'),
  sealForm('simd', 1),
  sealForm('scalar', 1),
  blake3Form('simd'),
  blake3Form('scalar'),
  poly1305Form,
];

/** How many blocks at once, and where their words live; how words are rotated; how the MAC goes with the cipher. */
export const studies: Readonly<Record<'sets' | 'rows' | 'rotations' | 'weaving', readonly KernelForm[]>> = {
  sets: setForms.map((form) => chachaForm(form, undefined, 'study')),
  rows: rowForms.map((form) => chachaForm(form, undefined, 'study')),
  rotations: rotationForms.map((form) => chachaForm(form, undefined, 'study')),
  weaving: [sealForm('simd', 1), sealForm('simd', 2)],
};
