/** What the bindings of this room run, on the engine that is selected. */
import type { Instance } from '../../../src/engine/instance.ts';
import { diskInstance } from '../../../src/disk/binding.ts';

export const instances = (): Instance<unknown>[] => [diskInstance()];
