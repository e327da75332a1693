/** The library's kernels of Salsa20 without the public API around them, for the study of "Salsa20 speed". */
import { integers } from '../../../../lanewise/src/poly1305/kernel.ts';
import { secretboxModule } from '../../../../lanewise/src/salsa/module.ts';
import { salsa } from '../../../../lanewise/src/salsa/rounds.ts';
import { salsaVectors } from '../../../../lanewise/src/salsa/rows.ts';
import type { KernelForm } from '../../kernels/form.ts';
import { generated, hasRelaxed } from '../../kernels/instances.ts';
import { salsa20 } from './operations.ts';

export const salsaKernels = (['simd', 'scalar'] as const).map((engine): KernelForm =>
  generated(engine, salsa.nonce, {
    operation: salsa20.id,
    moduleName: `salsa ${engine}`,
    module: () =>
      secretboxModule(salsaVectors, {
        ...(engine === 'simd' && { lanes: { relaxed: hasRelaxed() } }),
        arithmetic: integers,
      }),
  }),
);
