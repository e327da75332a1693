/** `@noble/hashes/blake3.js`, version 2. */
import * as theirs from 'noble-hashes-2/blake3.js';
import { functionOf, withSubtrees } from '../blake3.ts';

export type { Blake3Opts } from 'noble-hashes-2/blake3.js';

export const _BLAKE3: typeof theirs._BLAKE3 = /* @__PURE__ */ withSubtrees(theirs._BLAKE3);

export const blake3 = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign(/* @__PURE__ */ functionOf(theirs.blake3), {
    outputLen: 32,
    blockLen: 64,
    canXOF: true,
    create: (options?: theirs.Blake3Opts) => new _BLAKE3(options),
  }),
) as unknown as typeof theirs.blake3;
