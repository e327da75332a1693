/** Kernels of ChaCha20: the library's, and those written by hand for study. */
import type { RoomKernels } from '../../client/room.ts';
import { MOST_BYTES, type KernelForm } from '../../kernels/form.ts';
import {
  mixedForms,
  rotationForms,
  rowForms,
  rowFormsByShifts,
  scalarKernel,
  setForms,
  simdKernel,
  type ChaChaForm,
} from '../../kernels/instances.ts';
import { unpackedChaCha } from './published.ts';
import { chacha20 } from './operations.ts';

const BLOCK = 64;

const chachaForm = (form: ChaChaForm, engine: KernelForm['engine'], library: KernelForm['library']): KernelForm => ({
  name: form.name,
  library,
  ...(engine && { engine }),
  operation: chacha20.id,
  moduleName: library === 'lanewise' ? `chacha ${engine ?? ''}` : `study: ${form.name}`,
  module: form.module,
  ...(engine && library === 'lanewise' && { unpack: () => unpackedChaCha(engine) }),
  mostBytes: MOST_BYTES,
  multiple: BLOCK * form.blocks,
  place(exports, { key, nonce, data }, offset = 0) {
    const kernel = form.over(exports);
    kernel.start(key, nonce);
    kernel.area(data.length, offset).set(data);
    const blocks = data.length / BLOCK;
    return { run: () => kernel.xor(blocks, offset), output: () => kernel.area(data.length, offset) };
  },
});

const study = (forms: readonly ChaChaForm[]): readonly KernelForm[] =>
  forms.map((form) => chachaForm(form, undefined, 'study'));

export const kernels: RoomKernels = {
  ours: [chachaForm(simdKernel, 'simd', 'lanewise'), chachaForm(scalarKernel, 'scalar', 'lanewise')],
  // The number of blocks at once and where their words are kept, a block across the lanes, and kinds of rotations.
  studies: {
    sets: study(setForms),
    rows: study(rowForms),
    mixed: study(mixedForms),
    'rows by shifts': study(rowFormsByShifts),
    rotations: study(rotationForms),
  },
};
