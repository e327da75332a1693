/** The kernel of Poly1305. */
import { integers } from '../../../../lanewise/src/poly1305/kernel.ts';
import { KEY, STAGE, STAGE_BYTES, STATE, TAG } from '../../../../lanewise/src/poly1305/map.ts';
import { poly1305Module, type Functions } from '../../../../lanewise/src/poly1305/module.ts';
import { TAG_BYTES } from '../../client/contestants/contestant.ts';
import type { RoomKernels } from '../../client/room.ts';
import type { KernelForm } from '../../kernels/form.ts';
import { memoryOf } from '../../kernels/instances.ts';
import { poly1305 } from './operations.ts';

const form: KernelForm = {
  name: 'scalar kernel',
  library: 'lanewise',
  engine: 'scalar',
  operation: poly1305.id,
  moduleName: 'poly1305',
  module: () => poly1305Module(integers),
  mostBytes: STAGE_BYTES - TAG_BYTES,
  multiple: 1,
  place(exports, { key, data }) {
    const run = exports as unknown as Functions;
    const memory = memoryOf(exports);
    memory.set(data, STAGE);
    memory.set(key, STATE + KEY);
    // Clamping a clamped key changes nothing, so the key need not be written again.
    return { run: () => run.mac(data.length), output: () => memory.subarray(TAG, TAG + TAG_BYTES) };
  },
};

export const kernels: RoomKernels = { ours: [form] };
