/** Calls of `lanewise/nacl.js` that give bytes to a kernel. */
import nacl from '../../../src/nacl.ts';
import { key, messageOf, nonce, once, room, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  (length) => [
    { title: 'nacl.secretbox()', run: (given) => nacl.secretbox(given(messageOf(length)), given(nonce), given(key)) },
    {
      title: 'nacl.secretbox.open()',
      run: (given) =>
        nacl.secretbox.open(
          given(once(`nacl ${length}`, () => nacl.secretbox(messageOf(length), nonce, key))),
          given(nonce),
          given(key),
        ) ?? room(0),
    },
  ],
];
