/** `@noble/hashes/pbkdf2.js`, version 2. */
import * as theirs from 'noble-hashes-2/pbkdf2.js';
import { utf8ToBytes } from 'noble-hashes-2/utils.js';
import { pbkdf2AsyncOf, pbkdf2Of } from '../keyed.ts';

export const pbkdf2: typeof theirs.pbkdf2 = /* @__PURE__ */ pbkdf2Of(theirs.pbkdf2, utf8ToBytes);
export const pbkdf2Async: typeof theirs.pbkdf2Async = /* @__PURE__ */ pbkdf2AsyncOf(
  theirs.pbkdf2Async,
  utf8ToBytes,
  false,
);
