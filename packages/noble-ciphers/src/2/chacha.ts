/** `@noble/ciphers/chacha.js`, version 2. */
import * as ours from 'lanewise/chacha.js';
import * as theirs from 'noble-ciphers-2/chacha.js';
import { createPRG } from 'noble-ciphers-2/_arx.js';
import { wrapCipher } from 'noble-ciphers-2/utils.js';
import { aeadOf } from '../aead.ts';
import { streamOf } from '../streams.ts';

// A kernel is slower here: a single block is all the work.
export { __TESTS, hchacha } from 'noble-ciphers-2/chacha.js';

export const chacha20orig = /* @__PURE__ */ streamOf(
  ours.chacha20orig,
  theirs.chacha20orig,
  true,
) as typeof theirs.chacha20orig;
export const chacha20 = /* @__PURE__ */ streamOf(ours.chacha20, theirs.chacha20, false) as typeof theirs.chacha20;
export const xchacha20 = /* @__PURE__ */ streamOf(ours.xchacha20, theirs.xchacha20, false) as typeof theirs.xchacha20;
export const chacha12 = /* @__PURE__ */ streamOf(ours.chacha12, theirs.chacha12, false) as typeof theirs.chacha12;
export const chacha8 = /* @__PURE__ */ streamOf(ours.chacha8, theirs.chacha8, false) as typeof theirs.chacha8;

const aead = /* @__PURE__ */ aeadOf(ours.chacha20poly1305, theirs._poly1305_aead(theirs.chacha20));
const extendedAead = /* @__PURE__ */ aeadOf(ours.xchacha20poly1305, theirs._poly1305_aead(theirs.xchacha20));

/** The AEAD of any stream cipher; for ChaCha20 and XChaCha20 with one kernel for cipher and MAC. */
export const _poly1305_aead: typeof theirs._poly1305_aead = (xorStream) =>
  xorStream === (chacha20 as unknown)
    ? aead
    : xorStream === (xchacha20 as unknown)
      ? extendedAead
      : theirs._poly1305_aead(xorStream);

export const chacha20poly1305: typeof theirs.chacha20poly1305 = /* @__PURE__ */ wrapCipher(
  { blockSize: 64, nonceLength: 12, tagLength: 16, withAAD: true },
  aead,
);
export const xchacha20poly1305: typeof theirs.xchacha20poly1305 = /* @__PURE__ */ wrapCipher(
  { blockSize: 64, nonceLength: 24, tagLength: 16, withAAD: true },
  extendedAead,
);

export const rngChacha20: typeof theirs.rngChacha20 = /* @__PURE__ */ createPRG(chacha20orig, 64, 32, 8);
export const rngChacha8: typeof theirs.rngChacha8 = /* @__PURE__ */ createPRG(chacha8, 64, 32, 12);
