/** The library's kernels of Salsa20 without the public API around them, for the study of "Salsa20 speed". */
import * as layout from '../../../../lanewise/src/keystream/map.ts';
import { integers } from '../../../../lanewise/src/poly1305/kernel.ts';
import { secretboxModule, type Functions } from '../../../../lanewise/src/salsa/module.ts';
import { salsa } from '../../../../lanewise/src/salsa/rounds.ts';
import { salsaVectors } from '../../../../lanewise/src/salsa/rows.ts';
import { MOST_BYTES, type KernelForm } from '../../kernels/form.ts';
import { hasRelaxed, memoryOf } from '../../kernels/instances.ts';
import { salsa20 } from './operations.ts';

const BLOCK = 64;
const DOUBLE_ROUNDS = 10;
const SIGMA = new TextEncoder().encode('expand 32-byte k');

const form = (engine: 'simd' | 'scalar'): KernelForm => ({
  name: `${engine} kernel`,
  library: 'lanewise',
  engine,
  operation: salsa20.id,
  moduleName: `salsa ${engine}`,
  module: () =>
    secretboxModule(salsaVectors, {
      ...(engine === 'simd' && { lanes: { relaxed: hasRelaxed() } }),
      arithmetic: integers,
    }),
  mostBytes: MOST_BYTES,
  multiple: BLOCK,
  place(exports, { key, nonce, data }, offset = 0) {
    const run = exports as unknown as Functions;
    const memory = memoryOf(exports);
    memory.set(SIGMA, layout.STATE);
    memory.set(key, layout.word(4));
    memory.fill(0, layout.word(salsa.counter), layout.word(salsa.counter + 2));
    memory.set(nonce, layout.word(salsa.nonce));
    const area = memory.subarray(layout.STAGE + offset, layout.STAGE + offset + data.length);
    area.set(data);
    const blocks = data.length / BLOCK;
    return {
      run: () => run.xor(layout.CONTINUE, DOUBLE_ROUNDS, layout.STAGE + offset, blocks),
      output: () => area,
    };
  },
});

export const salsaKernels: readonly KernelForm[] = [form('simd'), form('scalar')];
