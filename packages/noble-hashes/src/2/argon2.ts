/** `@noble/hashes/argon2.js`, version 2. */
import * as ours from 'lanewise/argon2.js';
import * as theirs from 'noble-hashes-2/argon2.js';
import { utf8ToBytes } from 'noble-hashes-2/utils.js';
import { asyncOf, syncOf } from '../argon2.ts';

export type { ArgonOpts } from 'noble-hashes-2/argon2.js';

const VERSION = { defaults: { t: 3, m: 2 ** 20, p: 1, maxmem: 2 ** 30 }, encode: utf8ToBytes };

export const argon2d: typeof theirs.argon2d = /* @__PURE__ */ syncOf(theirs.argon2d, ours.argon2dSync, VERSION);
export const argon2i: typeof theirs.argon2i = /* @__PURE__ */ syncOf(theirs.argon2i, ours.argon2iSync, VERSION);
export const argon2id: typeof theirs.argon2id = /* @__PURE__ */ syncOf(theirs.argon2id, ours.argon2idSync, VERSION);
export const argon2dAsync: typeof theirs.argon2dAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2dAsync,
  ours.argon2d,
  VERSION,
);
export const argon2iAsync: typeof theirs.argon2iAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2iAsync,
  ours.argon2i,
  VERSION,
);
export const argon2idAsync: typeof theirs.argon2idAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2idAsync,
  ours.argon2id,
  VERSION,
);
