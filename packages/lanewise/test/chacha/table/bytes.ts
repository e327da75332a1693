/** Calls of `lanewise/chacha.js` that give bytes to a kernel. */
import * as chacha from '../../../src/chacha.ts';
import { sample } from '../../support/bytes.ts';
import {
  aad,
  box,
  detached,
  key,
  n12,
  n8,
  nonce,
  raw,
  shortKey,
  type Given,
  type Family,
} from '../../support/byte-call.ts';

const aead = (given: Given): chacha.Aead => chacha.xchacha20poly1305(given(key), given(nonce), given(aad));
const longAad = sample(2000, 307);
const aeadWithMore = (given: Given): chacha.Aead => chacha.chacha20poly1305(given(key), given(n12), given(longAad));

export const families: readonly Family[] = [
  raw('chacha20', chacha.chacha20, key, n12),
  raw('chacha20orig with a short key', chacha.chacha20orig, shortKey, n8),
  raw('xchacha20', chacha.xchacha20, key, nonce),
  box('xchacha20poly1305', aead, 16),
  detached('xchacha20poly1305', aead),
  detached('chacha20poly1305 with more AAD than one call takes', aeadWithMore),
  box(
    'managedNonce',
    (given) => chacha.managedNonce(chacha.xchacha20poly1305, () => given(nonce))(given(key), given(aad)),
    40,
  ),
];
