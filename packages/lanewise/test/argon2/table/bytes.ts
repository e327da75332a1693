/** Calls of `lanewise/argon2.js` that give bytes to a kernel. */
import { argon2idSync } from '../../../src/argon2.ts';
import { key, messageOf, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  (length) => [
    {
      title: 'argon2idSync(), a long password',
      run: (given) => argon2idSync(given(messageOf(length)), given(key), { m: 8, t: 1 }),
    },
    {
      title: 'argon2idSync(), a secret and associated data',
      run: (given) =>
        argon2idSync(given(key), given(key), { m: 8, t: 1, secret: given(key), ad: given(messageOf(length)) }),
    },
  ],
];
