/** Calls of `lanewise/argon2.js` that take options at once. */
import { argon2dSync, argon2idSync, argon2iSync } from '../../../src/argon2.ts';
import { bytes, key, message, type OptionsCall } from '../../support/options-call.ts';

const FOR_PROMISES = 'the function without Sync takes it';

export const optionsCalls: readonly OptionsCall[] = Object.entries({ argon2dSync, argon2iSync, argon2idSync }).map(
  ([name, derive]) => ({
    title: `argon2.${name}`,
    name: 'options',
    all: { t: 2, m: 17, p: 2, dkLen: 16, secret: key, ad: message, version: 0x10, maxmem: 100 },
    required: { m: 8, t: 1 },
    others: {
      iterations: 'it is t here',
      passes: 'it is t here',
      memorySize: 'it is m here',
      memory: 'it is m here',
      parallelism: 'it is p here',
      key: 'it is secret here',
      personalization: 'it is ad here',
      hashLength: 'it is dkLen here',
      signal: FOR_PROMISES,
      onProgress: FOR_PROMISES,
      lanes: FOR_PROMISES,
    },
    use(options) {
      try {
        return derive(message, key, options);
      } catch (error) {
        // Refusals that come of the values are results.
        if (/^RangeError: "(maxmem|m)"/.test(String(error))) return bytes(String(error));
        throw error;
      }
    },
  }),
);
