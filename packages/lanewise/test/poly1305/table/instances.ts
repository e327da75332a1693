/** The instances of this room's bindings, on the selected engine. */
import type { Instance } from '../../../src/engine/instance.ts';
import { poly1305Instance } from '../../../src/poly1305/binding.ts';

export const instances = (): Instance<unknown>[] => [poly1305Instance()];
