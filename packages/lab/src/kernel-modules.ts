/** Every module that the client would assemble, for engines that compile nothing at run time and need it compiled. */
import { CANARY_MODULES, canaryModules } from './client/canary.ts';
import { YARDSTICK_MODULE, yardstickModule } from './client/yardstick.ts';
import { kernelForms, studyForms } from './client/rooms.ts';

/** The bytes of each module, by the names in `Surroundings.modules`. */
export async function kernelModules(): Promise<Readonly<Record<string, Uint8Array<ArrayBuffer>>>> {
  const forms = [...(await kernelForms()), ...(await studyForms())];
  return {
    [YARDSTICK_MODULE]: yardstickModule().bytes(),
    [CANARY_MODULES.simd]: canaryModules.simd().bytes(),
    [CANARY_MODULES.scalar]: canaryModules.scalar().bytes(),
    ...Object.fromEntries(forms.map(({ moduleName, module }) => [moduleName, module().bytes()])),
  };
}
