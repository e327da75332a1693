// How the modules of SHA-2 use public numbers.
import { COMMON, type Numbers } from '../../public-numbers/lists.ts';

export const sha2Numbers: Numbers = {
  parameters: {
    begin: 'from',
    compress: 'address blocks',
    digest: 'to end',
    key: '',
    outer: 'end',
    iterate: 'count end',
  },
  permitted: [
    ...COMMON,
    {
      reason: 'Every byte of the key has one of two pads added, which are constants of the calls. RFC 2104 §2',
      uses: ['mix i32.xor'],
      of: [],
    },
    { reason: 'A digest ends at its length.', uses: ['compare i32.lt_u'], of: ['end', 'loop'] },
  ],
  thresholds: [],
  limits: { periods: {}, renamed: {} },
};

export const lanesNumbers: Numbers = {
  parameters: { begin: 'lane', compress: 'blocks', digests: '' },
  permitted: [...COMMON],
  thresholds: [],
  // A constant's address is a quarter of the offset of its word of all lanes.
  limits: { periods: { loop: 2 }, renamed: {} },
};
