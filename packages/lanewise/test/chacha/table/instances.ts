/** The instances of this room's bindings, on the selected engine. */
import type { Instance } from '../../../src/engine/instance.ts';
import { chachaInstance } from '../../../src/chacha/binding.ts';

export const instances = (): Instance<unknown>[] => [chachaInstance(0), chachaInstance(1e6)];
