/** `@noble/hashes/argon2`, version 1. */
import * as ours from 'lanewise/argon2.js';
import * as theirs from 'noble-hashes-1/argon2';
import { asyncOf, syncOf } from '../argon2.ts';

export type { ArgonOpts } from 'noble-hashes-1/argon2';

const DEFAULTS = { maxmem: 2 ** 32 - 1 };

export const argon2d: typeof theirs.argon2d = /* @__PURE__ */ syncOf(theirs.argon2d, ours.argon2dSync, DEFAULTS);
export const argon2i: typeof theirs.argon2i = /* @__PURE__ */ syncOf(theirs.argon2i, ours.argon2iSync, DEFAULTS);
export const argon2id: typeof theirs.argon2id = /* @__PURE__ */ syncOf(theirs.argon2id, ours.argon2idSync, DEFAULTS);
export const argon2dAsync: typeof theirs.argon2dAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2dAsync,
  ours.argon2d,
  DEFAULTS,
);
export const argon2iAsync: typeof theirs.argon2iAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2iAsync,
  ours.argon2i,
  DEFAULTS,
);
export const argon2idAsync: typeof theirs.argon2idAsync = /* @__PURE__ */ asyncOf(
  theirs.argon2idAsync,
  ours.argon2id,
  DEFAULTS,
);
