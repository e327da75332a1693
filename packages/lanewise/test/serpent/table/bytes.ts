/** Calls of `lanewise/serpent.js` that give bytes to a kernel. */
import * as serpent from '../../../src/serpent.ts';
import { concat, sample } from '../../support/bytes.ts';
import {
  aad,
  box,
  detached,
  iv,
  messageOf,
  n12,
  paddedBox,
  shortKey,
  type Given,
  type Family,
} from '../../support/byte-call.ts';

const ocb = (given: Given): serpent.Aead => serpent.ocb(given(shortKey), given(n12), given(aad));

export const families: readonly Family[] = [
  box('ocb', ocb, 16),
  detached('ocb', ocb),
  box('ctr', (given) => serpent.ctr(given(shortKey), given(iv)), 0),
  paddedBox('cbc', (given) => serpent.cbc(given(shortKey), given(iv))),
  paddedBox('ecb', (given) => serpent.ecb(given(shortKey))),
  (length) => [
    {
      title: 'cbc.encryptMany()',
      run: (given) =>
        concat(
          ...serpent.cbc.encryptMany(
            given(shortKey),
            [given(iv), sample(16, 6), sample(16, 7)],
            [sample(length, 1), given(messageOf(length)), sample(length, 2)],
          ),
        ),
    },
  ],
];
