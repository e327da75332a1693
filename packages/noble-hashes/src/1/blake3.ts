/** `@noble/hashes/blake3`, version 1. */
import * as theirs from 'noble-hashes-1/blake3';
import { functionOf, withSubtrees } from '../blake3.ts';

export type { Blake3Opts } from 'noble-hashes-1/blake3';

export const BLAKE3: typeof theirs.BLAKE3 = /* @__PURE__ */ withSubtrees(theirs.BLAKE3);

export const blake3 = /* @__PURE__ */ Object.assign(/* @__PURE__ */ functionOf(theirs.blake3), {
  outputLen: 32,
  blockLen: 64,
  create: (options?: theirs.Blake3Opts) => new BLAKE3(options),
}) as unknown as typeof theirs.blake3;
