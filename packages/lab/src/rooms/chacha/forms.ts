/** Kernels of ChaCha20: the library's, and those written by hand for study. */
import { chachaModule } from '../../../../lanewise/src/chacha/module.ts';
import { integers } from '../../../../lanewise/src/poly1305/kernel.ts';
import type { RoomKernels } from '../../client/room.ts';
import type { KernelForm } from '../../kernels/form.ts';
import {
  generated,
  hasRelaxed,
  mixedForms,
  rotationForms,
  rowForms,
  rowFormsByShifts,
  setForms,
} from '../../kernels/instances.ts';
import { chachaLongScalar, chachaLongVectors } from '../../../../lanewise/src/chacha/generated-bytes.ts';
import { unpacked } from '../../../../lanewise/src/engine/bytes.ts';
import { chacha20 } from './operations.ts';

/** The first word of the nonce in the state. RFC 8439 §2.3 */
const NONCE = 13;

export const ours = (['simd', 'scalar'] as const).map((engine): KernelForm =>
  generated(engine, NONCE, {
    operation: chacha20.id,
    moduleName: `chacha ${engine}`,
    module: () =>
      chachaModule({ lanes: engine === 'simd' ? { relaxed: hasRelaxed() } : undefined, arithmetic: integers }),
    unpack: () => unpacked(engine === 'simd' ? chachaLongVectors : chachaLongScalar),
  }),
);

export const kernels: RoomKernels = {
  ours,
  // The number of blocks at once and where their words are kept, a block across the lanes, and kinds of rotations.
  studies: {
    sets: setForms,
    rows: rowForms,
    mixed: mixedForms,
    'rows by shifts': rowFormsByShifts,
    rotations: rotationForms,
  },
};
