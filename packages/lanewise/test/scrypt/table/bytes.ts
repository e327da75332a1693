/** Calls of `lanewise/scrypt.js` that give bytes to a kernel. */
import { scryptSync } from '../../../src/scrypt.ts';
import { key, messageOf, type Family } from '../../support/byte-call.ts';

export const families: readonly Family[] = [
  (length) => [
    { title: 'scryptSync()', run: (given) => scryptSync(given(key), given(messageOf(length)), { N: 2, r: 1 }) },
    {
      title: 'scryptSync(), a long password',
      run: (given) => scryptSync(given(messageOf(length)), given(key), { N: 2, r: 1 }),
    },
  ],
];
