/** `@noble/hashes/argon2`, version 1. */
import * as ours from 'lanewise/argon2.js';
import * as theirs from 'noble-hashes-1/argon2';
import { utf8ToBytes } from 'noble-hashes-1/utils';
import { asyncOf, syncOf } from '../argon2.ts';

export type { ArgonOpts } from 'noble-hashes-1/argon2';

const VERSION = { defaults: { maxmem: 2 ** 32 - 1 }, encode: utf8ToBytes };

export const argon2d: typeof theirs.argon2d = /* @__PURE__ */ syncOf(theirs.argon2d, ours.argon2dSync, VERSION);
export const argon2i: typeof theirs.argon2i = /* @__PURE__ */ syncOf(theirs.argon2i, ours.argon2iSync, VERSION);
export const argon2id: typeof theirs.argon2id = /* @__PURE__ */ syncOf(theirs.argon2id, ours.argon2idSync, VERSION);
export const argon2dAsync: typeof theirs.argon2dAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2dAsync,
  ours.argon2d,
  VERSION,
  ours.argon2dSync,
);
export const argon2iAsync: typeof theirs.argon2iAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2iAsync,
  ours.argon2i,
  VERSION,
  ours.argon2iSync,
);
export const argon2idAsync: typeof theirs.argon2idAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2idAsync,
  ours.argon2id,
  VERSION,
  ours.argon2idSync,
);
