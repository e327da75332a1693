/** The instances of this room's bindings, on the selected engine. */
import type { Instance } from '../../../src/engine/instance.ts';
import { salsaInstance } from '../../../src/salsa/binding.ts';
import { secretboxChachaInstance } from '../../../src/salsa/xchacha-binding.ts';

export const instances = (): Instance<unknown>[] => [salsaInstance(0), salsaInstance(1e6), secretboxChachaInstance()];
