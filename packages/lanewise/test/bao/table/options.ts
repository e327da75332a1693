/** Calls of `lanewise/bao.js` that take options at once. */
import { outboard } from '../../../src/bao.ts';
import { message, type OptionsCall } from '../../support/options-call.ts';

export const optionsCalls: readonly OptionsCall[] = [
  {
    title: 'bao.outboard.create',
    name: 'options',
    all: { groupLength: 4096 },
    required: {},
    others: {},
    use: (options) => outboard.create(options).update(message).save(),
  },
];
