// How the modules of disk encryption use public numbers.
import { COMMON, PADDING, type Numbers } from '../../public-numbers/lists.ts';
import { KEYSTREAM_PERMITTED, KEYSTREAM_THRESHOLDS } from '../keystream/numbers.ts';
import { BIT_128 } from '../poly1305/numbers.ts';

export const diskNumbers: Numbers = {
  parameters: {
    extend: 'doubleRounds',
    derive: 'doubleRounds',
    heads: 'at slot step count',
    pages: 'back nh doubleRounds headLength slot pageLength stride count',
    begin: 'nh headLength',
    absorb: 'nh length',
    turn: 'back nh doubleRounds',
    stream: 'nh doubleRounds length',
    end: 'nh',
    expandKey: '',
    sliceKeys: '',
    substitute: '',
    encryptBlocks: 'address',
    decryptBlocks: 'address',
    nh: 'address units to',
  },
  permitted: [
    ...COMMON,
    PADDING,
    ...KEYSTREAM_PERMITTED,
    BIT_128,
    {
      reason: 'A round key of AES has a power of two added. FIPS 197 §5.2',
      uses: ['mix i32.xor'],
      of: ['loop'],
    },
    {
      reason: 'Decryption with AES takes the round keys from the last to the first.',
      uses: ['subtract i32.add 32', 'subtract i32.add 128'],
      of: ['loop'],
    },
    {
      reason: 'A page ends with a block that is not part of the message.',
      uses: ['subtract i32.sub 16'],
      of: ['pageLength'],
    },
    {
      reason: 'NH takes a message in pieces of 1024 bytes.',
      uses: ['subtract i32.sub 1024'],
      of: ['length', 'loop', 'pageLength'],
    },
    {
      reason:
        'The number of a page or sector is added to that of the first one; its carry is the majority of top bits.',
      uses: ['mix i32.add', 'mix i32.and', 'mix i32.or'],
      of: ['step'],
    },
  ],
  thresholds: [
    ...KEYSTREAM_THRESHOLDS,
    {
      what: 'Bytes of a piece that NH takes.',
      use: 'compare i32.ge_u 1024',
      of: ['length', 'loop', 'pageLength'],
      step: 16,
    },
    {
      what: 'A single page has no use for lanes.',
      use: 'compare i32.eq 1',
      of: ['count', 'loop'],
      never: { below: 'There is at least one.' },
    },
    {
      what: 'Blocks that AES takes at once, in words.',
      use: 'compare i32.lt_u 2',
      of: ['count', 'loop'],
    },
    {
      what: 'Blocks that AES takes at once, in vectors.',
      use: 'compare i32.lt_u 8',
      of: ['count', 'loop'],
    },
  ],
  // NH takes pieces of 1024 bytes.
  limits: { periods: { length: 10, pageLength: 10, headLength: 4, count: 2, units: 2, loop: 6 }, renamed: {} },
};
