/** `@noble/hashes/sha2.js`, version 2. */
import {
  sha224 as our224,
  sha256 as our256,
  sha384 as our384,
  sha512 as our512,
  sha512_256 as our512_256,
} from 'lanewise/sha2.js';
import * as theirs from 'noble-hashes-2/sha2.js';
import { hashOf } from '../sha2.ts';

export { _SHA224, _SHA256, _SHA384, _SHA512, _SHA512_224, _SHA512_256, sha512_224 } from 'noble-hashes-2/sha2.js';

export const sha224: typeof theirs.sha224 = /* @__PURE__ */ hashOf(theirs.sha224, our224, undefined);
export const sha256: typeof theirs.sha256 = /* @__PURE__ */ hashOf(theirs.sha256, our256, undefined);
export const sha384: typeof theirs.sha384 = /* @__PURE__ */ hashOf(theirs.sha384, our384, undefined);
export const sha512: typeof theirs.sha512 = /* @__PURE__ */ hashOf(theirs.sha512, our512, undefined);
export const sha512_256: typeof theirs.sha512_256 = /* @__PURE__ */ hashOf(theirs.sha512_256, our512_256, undefined);
