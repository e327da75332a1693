// How the modules of ChaCha use public numbers.
import { COMMON, PADDING, type Numbers } from '../../public-numbers/lists.ts';
import { SEALING_PERMITTED, SEALING_THRESHOLDS } from '../keystream/numbers.ts';

export const chachaNumbers: Numbers = {
  parameters: {
    extend: 'doubleRounds',
    xor: 'kind doubleRounds address blocks',
    seal: 'kind aadLength length',
    open: 'kind aadLength length',
    begin: 'kind',
    absorb: 'address length',
    encrypt: 'head aadLength length',
    decrypt: 'length',
    finish: 'aadLow aadHigh low high address',
    verify: 'address',
  },
  permitted: [
    ...COMMON,
    PADDING,
    ...SEALING_PERMITTED,
    {
      reason: 'The last block of the MAC has both lengths, of 64 bits. RFC 8439 §2.8',
      uses: [0, 4, 8, 12].map((at) => `store i32.store HEAD+${at}`),
      of: ['aadHigh', 'aadLength', 'aadLow', 'high', 'length', 'low'],
    },
  ],
  thresholds: SEALING_THRESHOLDS,
  limits: { periods: { length: 10, aadLength: 4, blocks: 2, head: 2 }, renamed: {} },
};
