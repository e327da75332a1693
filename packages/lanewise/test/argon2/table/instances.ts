/**
 * The instance of this room's binding, on the engine that is selected. Derivations have instances of their own, which
 * argon2/argon2.test.ts looks at.
 */
import type { Instance } from '../../../src/engine/instance.ts';
import { argon2Instance } from '../../../src/argon2/binding.ts';

export const instances = (): Instance<unknown>[] => [argon2Instance()];
