/** `@noble/hashes/blake2`, version 1. */
import { blake2b as our2b, blake2s as our2s } from 'lanewise/blake2.js';
import * as theirs from 'noble-hashes-1/blake2';
import { utf8ToBytes } from 'noble-hashes-1/utils';
import { hashOf } from '../blake2.ts';

export { BLAKE2, BLAKE2b, BLAKE2s, compress, type Blake2Opts } from 'noble-hashes-1/blake2';

export const blake2b: typeof theirs.blake2b = /* @__PURE__ */ hashOf(theirs.blake2b, our2b, utf8ToBytes);
export const blake2s: typeof theirs.blake2s = /* @__PURE__ */ hashOf(theirs.blake2s, our2s, utf8ToBytes);
