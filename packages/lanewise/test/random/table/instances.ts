/** The instances of this room's binding, on the engine that is selected. */
import type { Instance } from '../../../src/engine/instance.ts';
import { randomInstance } from '../../../src/random/binding.ts';

export const instances = (): Instance<unknown>[] => [randomInstance()];
