/** `@noble/hashes/pbkdf2`, version 1. */
import * as theirs from 'noble-hashes-1/pbkdf2';
import { utf8ToBytes } from 'noble-hashes-1/utils';
import { pbkdf2AsyncOf, pbkdf2Of } from '../keyed.ts';

export const pbkdf2: typeof theirs.pbkdf2 = /* @__PURE__ */ pbkdf2Of(theirs.pbkdf2, utf8ToBytes);
export const pbkdf2Async: typeof theirs.pbkdf2Async = /* @__PURE__ */ pbkdf2AsyncOf(
  theirs.pbkdf2Async,
  utf8ToBytes,
  true,
);
