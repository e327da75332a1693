/** Kernels of BLAKE3. */
import { blake3Scalar, blake3Vectors } from '../../../../lanewise/src/blake3/generated-bytes.ts';
import { CV, STAGE, STAGE_BYTES } from '../../../../lanewise/src/blake3/map.ts';
import { blake3Module, type Functions } from '../../../../lanewise/src/blake3/module.ts';
import { unpacked } from '../../../../lanewise/src/engine/bytes.ts';
import type { RoomKernels } from '../../client/room.ts';
import type { KernelForm } from '../../kernels/form.ts';
import { hasRelaxed, memoryOf } from '../../kernels/instances.ts';
import { blake3 } from './operations.ts';

const form = (engine: 'simd' | 'scalar'): KernelForm => ({
  name: `${engine} kernel`,
  library: 'lanewise',
  engine,
  operation: blake3.id,
  moduleName: `blake3 ${engine}`,
  module: () => blake3Module(engine === 'simd' ? { lanes: { relaxed: hasRelaxed() } } : {}),
  unpack: () => unpacked(engine === 'simd' ? blake3Vectors : blake3Scalar),
  mostBytes: STAGE_BYTES,
  multiple: 1,
  place(exports, { data, expected }, offset = 0) {
    const run = exports as unknown as Functions;
    const memory = memoryOf(exports);
    if (offset !== 0) throw new RangeError('the stage does not move');
    memory.set(data, STAGE);
    return { run: () => run.hash(data.length, 0), output: () => memory.subarray(CV, CV + expected.length) };
  },
});

export const kernels: RoomKernels = { ours: [form('simd'), form('scalar')] };
