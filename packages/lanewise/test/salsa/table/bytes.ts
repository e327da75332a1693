/** Calls of `lanewise/salsa.js` that give bytes to a kernel. */
import * as salsa from '../../../src/salsa.ts';
import { box, detached, key, n8, nonce, raw, shortKey, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  raw('salsa20 with a short key', salsa.salsa20, shortKey, n8),
  raw('xsalsa20', salsa.xsalsa20, key, nonce),
  box('secretbox', (given) => salsa.secretbox(given(key), given(nonce)), 16),
  detached('secretbox', (given) => salsa.secretbox(given(key), given(nonce)), true),
  box('secretbox_xchacha20poly1305', (given) => salsa.secretbox_xchacha20poly1305(given(key), given(nonce)), 16),
];
