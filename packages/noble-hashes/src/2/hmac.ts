/** `@noble/hashes/hmac.js`, version 2. */
import * as theirs from 'noble-hashes-2/hmac.js';
import { hmacOf } from '../keyed.ts';

export { _HMAC } from 'noble-hashes-2/hmac.js';

export const hmac: typeof theirs.hmac = /* @__PURE__ */ hmacOf(theirs.hmac, undefined);
