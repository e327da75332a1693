/** The instances of this room's bindings, on the selected engine. */
import type { Instance } from '../../../src/engine/instance.ts';
import { serpentInstance } from '../../../src/serpent/binding.ts';
import { serpentCtrInstance } from '../../../src/serpent/ctr-binding.ts';

export const instances = (): Instance<unknown>[] => [serpentInstance(), serpentCtrInstance()];
