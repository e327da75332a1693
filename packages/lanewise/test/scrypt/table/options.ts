/** Calls of `lanewise/scrypt.js` that take options at once. */
import { scryptSync } from '../../../src/scrypt.ts';
import { bytes, key, message, type OptionsCall } from '../../support/options-call.ts';

export const optionsCalls: readonly OptionsCall[] = [
  {
    title: 'scrypt.scryptSync',
    name: 'options',
    all: { N: 4, logN: 3, r: 2, p: 2, dkLen: 16, maxmem: 100 },
    required: { N: 2, r: 1 },
    others: {
      cost: 'it is N or logN here',
      blockSize: 'it is r here',
      parallelization: 'it is p here',
      signal: 'scrypt() takes it; scryptSync() returns when all is done',
      onProgress: 'scrypt() takes it; scryptSync() returns when all is done',
    },
    use(options) {
      try {
        return scryptSync(message, key, options);
      } catch (error) {
        // Refusals that come of the values are results.
        if (/^(RangeError: "maxmem"|Error: cannot use both)/.test(String(error))) return bytes(String(error));
        throw error;
      }
    },
  },
];
