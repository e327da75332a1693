/** `@noble/hashes/blake2.js`, version 2. */
import { blake2b as our2b, blake2s as our2s } from 'lanewise/blake2.js';
import * as theirs from 'noble-hashes-2/blake2.js';
import { hashOf } from '../blake2.ts';

export { _BLAKE2, _BLAKE2b, _BLAKE2s, _compress, type Blake2Opts } from 'noble-hashes-2/blake2.js';

export const blake2b: typeof theirs.blake2b = /* @__PURE__ */ hashOf(theirs.blake2b, our2b, undefined);
export const blake2s: typeof theirs.blake2s = /* @__PURE__ */ hashOf(theirs.blake2s, our2s, undefined);
