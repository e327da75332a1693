/** Verified streaming has no kernel of its own: it asks BLAKE3's for chaining values of subtrees. */
import { blake3Instance } from '../blake3/binding.ts';
import { STAGE_BYTES } from './map.ts';

export type Kernel = ReturnType<typeof blake3Instance>;

/** The instance with lanes: one kernel does both subtrees and single nodes, so only one is compiled. */
export const baoInstance = (): Kernel => blake3Instance(STAGE_BYTES);
