/** Every module that the client would assemble, for engines that compile nothing at run time: they get them compiled. */
import { CANARY_MODULES, canaryModules } from './client/canary.ts';
import { YARDSTICK_MODULE, yardstickModule } from './client/yardstick.ts';
import { ourForms, studies } from './kernels/forms.ts';

/** The bytes by the names under which the client asks for them (`Surroundings.modules`). */
export function kernelModules(): Readonly<Record<string, Uint8Array<ArrayBuffer>>> {
  const forms = [...ourForms, ...Object.values(studies).flat()];
  return {
    [YARDSTICK_MODULE]: yardstickModule().bytes(),
    [CANARY_MODULES.simd]: canaryModules.simd().bytes(),
    [CANARY_MODULES.scalar]: canaryModules.scalar().bytes(),
    ...Object.fromEntries(forms.map(({ moduleName, module }) => [moduleName, module().bytes()])),
  };
}
