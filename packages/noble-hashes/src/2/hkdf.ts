/** `@noble/hashes/hkdf.js`, version 2. */
import * as theirs from 'noble-hashes-2/hkdf.js';
import { expandOf, extractOf, hkdfOf } from '../keyed.ts';

export const extract: typeof theirs.extract = /* @__PURE__ */ extractOf(theirs.extract, undefined);
export const expand: typeof theirs.expand = /* @__PURE__ */ expandOf(theirs.expand, undefined);
export const hkdf: typeof theirs.hkdf = /* @__PURE__ */ hkdfOf(theirs.hkdf, undefined);
