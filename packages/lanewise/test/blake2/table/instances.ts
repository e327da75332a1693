/** The instances of this room's bindings, on the engine that is selected. */
import type { Instance } from '../../../src/engine/instance.ts';
import { blake2bInstance, blake2sInstance } from '../../../src/blake2/binding.ts';

export const instances = (): Instance<unknown>[] => [blake2bInstance(), blake2sInstance()];
