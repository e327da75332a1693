/** Calls of `lanewise/siv.js` that give bytes to a kernel. */
import { chacha20poly1305siv, type Aead } from '../../../src/siv.ts';
import { sample } from '../../support/bytes.ts';
import { aad, box, detached, iv, key, type Family, type Given } from '../../support/byte-call.ts';

const longAad = sample(2000, 307);
const make = (given: Given): Aead => chacha20poly1305siv(given(key), given(iv), given(aad));
const makeWithMore = (given: Given): Aead => chacha20poly1305siv(given(key), given(iv), given(longAad));

export const families: readonly Family[] = [
  box('chacha20poly1305siv', make, 32),
  detached('chacha20poly1305siv', make),
  detached('chacha20poly1305siv with more AAD than one call takes', makeWithMore),
];
