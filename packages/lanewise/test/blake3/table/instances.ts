/** The instances of this room's bindings, on the selected engine. */
import type { Instance } from '../../../src/engine/instance.ts';
import { blake3Instance } from '../../../src/blake3/binding.ts';

export const instances = (): Instance<unknown>[] => [blake3Instance(0), blake3Instance(1e6)];
