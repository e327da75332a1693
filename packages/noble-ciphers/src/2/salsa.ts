/** `@noble/ciphers/salsa.js`, version 2. */
import * as ours from 'lanewise/salsa.js';
import * as theirs from 'noble-ciphers-2/salsa.js';
import { wrapCipher } from 'noble-ciphers-2/utils.js';
import { secretboxOf, type Construct, type Wrapped } from '../aead.ts';
import { streamOf } from '../streams.ts';

// A kernel is slower here: a single block is all the work.
export { __TESTS, hsalsa } from 'noble-ciphers-2/salsa.js';

export const salsa20 = /* @__PURE__ */ streamOf(ours.salsa20, theirs.salsa20, true) as typeof theirs.salsa20;
export const xsalsa20 = /* @__PURE__ */ streamOf(ours.xsalsa20, theirs.xsalsa20, false) as typeof theirs.xsalsa20;

export const xsalsa20poly1305: typeof theirs.xsalsa20poly1305 = /* @__PURE__ */ wrapCipher(
  { blockSize: 64, nonceLength: 24, tagLength: 16 },
  /* @__PURE__ */ secretboxOf(ours.secretbox, theirs.xsalsa20poly1305 as Construct),
);

export const secretbox: typeof theirs.secretbox = (key, nonce) => {
  const { encrypt, decrypt } = xsalsa20poly1305(key, nonce) as Wrapped;
  return { seal: encrypt, open: decrypt };
};
