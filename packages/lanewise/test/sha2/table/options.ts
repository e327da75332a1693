/** Calls of `lanewise/sha2.js` that take options at once. */
import { pbkdf2Sync, sha256 } from '../../../src/sha2.ts';
import { key, message, type OptionsCall } from '../../support/options-call.ts';

const FOR_PROMISES = 'pbkdf2() takes it; pbkdf2Sync() returns when all is done';

export const optionsCalls: readonly OptionsCall[] = [
  {
    title: 'sha2.pbkdf2Sync',
    name: 'options',
    all: { c: 3, dkLen: 16 },
    required: { c: 2 },
    others: { iterations: 'it is c here', signal: FOR_PROMISES, onProgress: FOR_PROMISES },
    use: (options) => pbkdf2Sync(sha256, message, key, options),
  },
];
