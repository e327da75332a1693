/** Objects of `lanewise/blake3.js` that work by turns with all others. */
import type { Family } from '../../support/interleaved/actor.ts';
import * as hashes from '../../support/interleaved/hashes.ts';

export const families: readonly Family[] = [hashes.hasher, hashes.hasher, hashes.hasher, hashes.hashes, hashes.tree];
