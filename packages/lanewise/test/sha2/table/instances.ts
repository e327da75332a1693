/** The instances of this room's bindings, on the selected engine. */
import type { Instance } from '../../../src/engine/instance.ts';
import { sha256Instance, sha512Instance } from '../../../src/sha2/binding.ts';
import { lanesInstance } from '../../../src/sha2/lanes-binding.ts';

export const instances = (): Instance<unknown>[] => [sha256Instance(), sha512Instance(), lanesInstance()];
