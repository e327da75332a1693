/** `@noble/ciphers/chacha`, version 1. */
import * as ours from 'lanewise/chacha.js';
import * as theirs from 'noble-ciphers-1/chacha';
import { wrapCipher } from 'noble-ciphers-1/utils';
import { aeadOf, type Construct } from '../aead.ts';
import { streamOf } from '../streams.ts';

// A kernel is slower here: a single block is all the work.
export { hchacha } from 'noble-ciphers-1/chacha';

export const chacha20orig: typeof theirs.chacha20orig = /* @__PURE__ */ streamOf(
  ours.chacha20orig,
  theirs.chacha20orig,
  true,
);
export const chacha20: typeof theirs.chacha20 = /* @__PURE__ */ streamOf(ours.chacha20, theirs.chacha20, false);
export const xchacha20: typeof theirs.xchacha20 = /* @__PURE__ */ streamOf(ours.xchacha20, theirs.xchacha20, false);
export const chacha8: typeof theirs.chacha8 = /* @__PURE__ */ streamOf(ours.chacha8, theirs.chacha8, false);
export const chacha12: typeof theirs.chacha12 = /* @__PURE__ */ streamOf(ours.chacha12, theirs.chacha12, false);

const aead = /* @__PURE__ */ aeadOf(ours.chacha20poly1305, theirs._poly1305_aead(theirs.chacha20) as Construct);
const extendedAead = /* @__PURE__ */ aeadOf(
  ours.xchacha20poly1305,
  theirs._poly1305_aead(theirs.xchacha20) as Construct,
);

/** The AEAD of any stream cipher; for ChaCha20 and XChaCha20 with one kernel for cipher and MAC. */
export const _poly1305_aead: typeof theirs._poly1305_aead = (xorStream) =>
  xorStream === chacha20 ? aead : xorStream === xchacha20 ? extendedAead : theirs._poly1305_aead(xorStream);

export const chacha20poly1305: typeof theirs.chacha20poly1305 = /* @__PURE__ */ wrapCipher(
  { blockSize: 64, nonceLength: 12, tagLength: 16 },
  aead,
);
export const xchacha20poly1305: typeof theirs.xchacha20poly1305 = /* @__PURE__ */ wrapCipher(
  { blockSize: 64, nonceLength: 24, tagLength: 16 },
  extendedAead,
);
