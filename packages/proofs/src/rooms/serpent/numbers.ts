// How the modules of Serpent use public numbers.
import { COMMON, PADDING, type Numbers, type Permission, type Threshold } from '../../public-numbers/lists.ts';

const PREKEYS: Permission = {
  reason: 'A prekey has its number added. Serpent §4',
  uses: ['mix i32.xor'],
  of: ['loop'],
};

const SETS: readonly Threshold[] = [
  {
    what: 'A single block has no use for lanes.',
    use: 'compare i32.eq 1',
    of: ['aadLength', 'blocks', 'length', 'loop', 'streams'],
    never: { below: 'There is at least one.' },
  },
  {
    what: 'Blocks of a group.',
    use: 'compare i32.lt_u 16',
    of: ['aadLength', 'blocks', 'length', 'loop'],
    unless: 'serpent-ctr swizzle',
  },
  {
    what: 'Bytes of a group of pairs of sets.',
    use: 'compare i32.lt_u 256',
    of: ['aadLength', 'blocks', 'length', 'loop', 'streams'],
    step: 128,
  },
];

export const serpentNumbers: Numbers = {
  parameters: {
    ecbEncrypt: 'key blocks',
    ecbDecrypt: 'key blocks',
    cbcEncrypt: 'key blocks',
    cbcDecrypt: 'key blocks',
    cbcMany: 'key streams stride blocks',
    seal: 'bottom aadLength length',
    open: 'bottom aadLength length',
    begin: 'bottom',
    hash: 'address number length',
    encrypt: 'number length',
    decrypt: 'number length',
    finish: '',
    verify: '',
  },
  permitted: [
    ...COMMON,
    PADDING,
    PREKEYS,
    {
      reason: 'Decryption takes the round keys from the last to the first.',
      uses: ['subtract i32.add 32', 'subtract i32.add 128'],
      of: ['loop'],
    },
    {
      reason: 'A block is in front of another one.',
      uses: ['subtract i32.sub 16'],
      of: ['blocks', 'loop'],
    },
    {
      reason: 'OCB: the first offset is 128 bits of 192 from bit `bottom` on. RFC 7253 §4.2',
      uses: ['mix i32.shl', 'mix i32.shr_u', 'operate i32.xor 31'],
      of: ['bottom'],
    },
    {
      reason: 'OCB: trailing zeros of a block number are counted one by one. RFC 7253 §2',
      uses: ['period i32.and 1', 'period i32.shr_u 1'],
      of: ['loop', 'number', 'zeros'],
    },
  ],
  thresholds: SETS,
  limits: {
    periods: { length: 7, aadLength: 7, blocks: 4, streams: 3, bottom: 6, number: 4, loop: 4 },
    renamed: { 'period i32.shr_u 1': 'zeros', 'period i32.and 1': 'zeros' },
  },
};

const SINGLE = 'There is one block.';

export const serpentCtrNumbers: Numbers = {
  parameters: { ctr: 'key big blocks' },
  permitted: [...COMMON, PREKEYS],
  thresholds: [
    ...SETS,
    {
      what: 'The same where there are lanes, without which only a block that comes alone is encrypted.',
      use: 'compare i32.lt_u 16',
      of: ['blocks', 'loop'],
      only: 'serpent-ctr swizzle',
      never: { below: SINGLE, equal: SINGLE, above: SINGLE },
    },
  ],
  limits: { periods: { blocks: 3 }, renamed: {} },
};
