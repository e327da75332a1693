/** @stablelib: plain JavaScript, one package for each primitive. */
import { streamXOR } from '@stablelib/chacha';
import { ChaCha20Poly1305 } from '@stablelib/chacha20poly1305';
import { oneTimeAuth } from '@stablelib/poly1305';
import { hash } from '@stablelib/sha256';
import { XChaCha20Poly1305 } from '@stablelib/xchacha20poly1305';
import type { CipherContestant, MacContestant } from './contestant.ts';
import { rival } from './rival.ts';

/** Its nonce argument starts with the counter. */
const COUNTER_BYTES = 4;

const opened = (plaintext: Uint8Array | null): Uint8Array => {
  if (plaintext === null) throw new Error('wrong tag');
  return plaintext;
};

export const stablelib: CipherContestant & MacContestant = {
  ...rival('stablelib', '@stablelib/chacha20poly1305'),
  aead: (name, key, nonce) => {
    const cipher = name === 'xchacha20poly1305' ? new XChaCha20Poly1305(key) : new ChaCha20Poly1305(key);
    return {
      seal: (plaintext, out) => cipher.seal(nonce, plaintext, undefined, out),
      open: (sealed, out) => opened(cipher.open(nonce, sealed, undefined, out)),
    };
  },
  chacha20: (key, nonce) => {
    const counterAndNonce = new Uint8Array(COUNTER_BYTES + nonce.length);
    return (data, out) => {
      counterAndNonce.fill(0, 0, COUNTER_BYTES);
      counterAndNonce.set(nonce, COUNTER_BYTES);
      return streamXOR(key, counterAndNonce, data, out, COUNTER_BYTES);
    };
  },
  poly1305: (key) => (message) => oneTimeAuth(key, message),
};

export const stablelibSha256 = { ...rival('stablelib', '@stablelib/sha256'), hash };
