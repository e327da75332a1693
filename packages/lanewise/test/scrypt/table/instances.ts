/**
 * The instance of this room's binding, on the engine that is selected. Derivations have instances of their own, which
 * scrypt/scrypt.test.ts looks at.
 */
import type { Instance } from '../../../src/engine/instance.ts';
import { scryptInstance } from '../../../src/scrypt/binding.ts';

export const instances = (): Instance<unknown>[] => [scryptInstance()];
