/** Calls of `lanewise/serpent.js` that take options. */
import { cbc, ecb } from '../../../src/serpent.ts';
import { iv, key, message, type OptionsCall } from '../../support/options-call.ts';

export const optionsCalls: readonly OptionsCall[] = [
  {
    title: 'serpent.cbc',
    name: 'options',
    all: { disablePadding: true },
    required: {},
    others: {},
    use: (options) => cbc(key, iv, options).encrypt(message),
  },
  {
    title: 'serpent.cbc.encryptMany',
    name: 'options',
    all: { disablePadding: true },
    required: {},
    others: {},
    use: (options) => cbc.encryptMany(key, [iv], [message], options)[0],
  },
  {
    title: 'serpent.ecb',
    name: 'options',
    all: { disablePadding: true },
    required: {},
    others: {},
    use: (options) => ecb(key, options).encrypt(message),
  },
];
