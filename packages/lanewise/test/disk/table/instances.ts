/** The instances of this room's bindings, on the selected engine. */
import type { Instance } from '../../../src/engine/instance.ts';
import { diskInstance } from '../../../src/disk/binding.ts';

export const instances = (): Instance<unknown>[] => [diskInstance()];
