/** `@noble/hashes/hmac`, version 1. */
import * as theirs from 'noble-hashes-1/hmac';
import { utf8ToBytes } from 'noble-hashes-1/utils';
import { hmacOf } from '../keyed.ts';

export { HMAC } from 'noble-hashes-1/hmac';

export const hmac: typeof theirs.hmac = /* @__PURE__ */ hmacOf(theirs.hmac, utf8ToBytes);
