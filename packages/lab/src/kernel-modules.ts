/** Every module that the client would assemble, for engines that compile nothing at run time: they get them compiled. */
import { CANARY_MODULES, canaryModules } from './client/canary.ts';
import { YARDSTICK_MODULE, yardstickModule } from './client/yardstick.ts';
import { kernelForms, studyForms } from './client/rooms.ts';

/** The bytes by the names under which the client asks for them (`Surroundings.modules`). */
export async function kernelModules(): Promise<Readonly<Record<string, Uint8Array<ArrayBuffer>>>> {
  const forms = [...(await kernelForms()), ...(await studyForms())];
  return {
    [YARDSTICK_MODULE]: yardstickModule().bytes(),
    [CANARY_MODULES.simd]: canaryModules.simd().bytes(),
    [CANARY_MODULES.scalar]: canaryModules.scalar().bytes(),
    ...Object.fromEntries(forms.map(({ moduleName, module }) => [moduleName, module().bytes()])),
  };
}
