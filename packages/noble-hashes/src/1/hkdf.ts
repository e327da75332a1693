/** `@noble/hashes/hkdf`, version 1. */
import * as theirs from 'noble-hashes-1/hkdf';
import { utf8ToBytes } from 'noble-hashes-1/utils';
import { expandOf, extractOf, hkdfOf } from '../keyed.ts';

export const extract: typeof theirs.extract = /* @__PURE__ */ extractOf(theirs.extract, utf8ToBytes);
export const expand: typeof theirs.expand = /* @__PURE__ */ expandOf(theirs.expand, utf8ToBytes);
export const hkdf: typeof theirs.hkdf = /* @__PURE__ */ hkdfOf(theirs.hkdf, utf8ToBytes);
