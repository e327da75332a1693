/** `@noble/hashes/sha2`, version 1. */
import {
  sha224 as our224,
  sha256 as our256,
  sha384 as our384,
  sha512 as our512,
  sha512_256 as our512_256,
} from 'lanewise/sha2.js';
import * as theirs from 'noble-hashes-1/sha2';
import { utf8ToBytes } from 'noble-hashes-1/utils';
import { hashOf } from '../sha2.ts';

export { SHA224, SHA256, SHA384, SHA512, SHA512_224, SHA512_256, sha512_224 } from 'noble-hashes-1/sha2';

export const sha224: typeof theirs.sha224 = /* @__PURE__ */ hashOf(theirs.sha224, our224, utf8ToBytes);
export const sha256: typeof theirs.sha256 = /* @__PURE__ */ hashOf(theirs.sha256, our256, utf8ToBytes);
export const sha384: typeof theirs.sha384 = /* @__PURE__ */ hashOf(theirs.sha384, our384, utf8ToBytes);
export const sha512: typeof theirs.sha512 = /* @__PURE__ */ hashOf(theirs.sha512, our512, utf8ToBytes);
export const sha512_256: typeof theirs.sha512_256 = /* @__PURE__ */ hashOf(theirs.sha512_256, our512_256, utf8ToBytes);
