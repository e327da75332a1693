// How the modules of secretbox use public numbers.
import { COMMON, PADDING, type Numbers } from '../../public-numbers/lists.ts';
import { SEALING_PERMITTED, SEALING_THRESHOLDS } from '../keystream/numbers.ts';
import { BIT_128 } from '../poly1305/numbers.ts';

export const secretboxNumbers: Numbers = {
  parameters: {
    extend: 'doubleRounds',
    xor: 'kind doubleRounds address blocks',
    seal: 'kind length',
    open: 'kind length',
    begin: 'kind',
    absorb: 'address length',
    encrypt: 'head before length',
    decrypt: 'length',
    finish: 'address',
    verify: 'address',
  },
  permitted: [
    ...COMMON,
    PADDING,
    ...SEALING_PERMITTED,
    BIT_128,
    {
      reason: 'The same of Salsa20, which has its counter elsewhere. Salsa20 specification §10',
      uses: ['add', 'and', 'or'].map((op) => `mix i32.${op} STATE+56`),
      of: ['blocks', 'head', 'length', 'loop'],
    },
    {
      reason: 'Of a box the first 32 bytes are in the block of the one-time key.',
      uses: ['subtract i32.sub 32'],
      of: ['length'],
    },
  ],
  thresholds: [
    ...SEALING_THRESHOLDS,
    {
      what: 'Bytes of a box that are in the block of the one-time key.',
      use: 'compare i32.lt_u 32',
      of: ['length'],
    },
  ],
  limits: { periods: { length: 10, before: 4, blocks: 2, head: 2 }, renamed: {} },
};
