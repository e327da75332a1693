/** Calls of `lanewise/sha2.js` that give bytes to a kernel. */
import { hashMany, hkdf, hmac, sha256, sha512 } from '../../../src/sha2.ts';
import { key, messageOf, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  (length) => [
    { title: 'sha256()', run: (given) => sha256(given(messageOf(length))) },
    { title: 'sha512()', run: (given) => sha512(given(messageOf(length))) },
    {
      title: 'sha256.create()',
      run: (given) =>
        sha256
          .create()
          .update(given(messageOf(length)))
          .digest(),
    },
    { title: 'hmac()', run: (given) => hmac(sha256, given(key), given(messageOf(length))) },
    { title: 'hkdf()', run: (given) => hkdf(sha256, given(messageOf(length)), given(key), undefined, 32) },
    { title: 'hashMany()', run: (given) => hashMany(sha256, [given(messageOf(length)), key])[0] },
  ],
];
