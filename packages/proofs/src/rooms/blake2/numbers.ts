// How the modules of BLAKE2 use public numbers.
import { COMMON, type Numbers } from '../../public-numbers/lists.ts';
import { BLAKE2B, type Size } from './specification.ts';

/** The words of the initial value that the offset and the flag are XORed onto, as signed words of 32 bits. */
const ONTO = {
  low: [-1377402159, 1359893119],
  high: [1359893119, -1694144372],
  last: [[-79577749, 528734635], [528734635]],
} as const;

export const blake2Numbers = (size: Size): Numbers => {
  const is2b = size === BLAKE2B;
  const [low, high] = is2b ? [96, 100] : [48, 52];
  const last = is2b ? [112, 116] : [56];
  const onto = (words: readonly number[], places: readonly number[]): string[] => [
    ...words.map((word) => `operate i32.xor ${word}`),
    ...places.map((place) => `store i32.store V+${place}`),
  ];
  const which = is2b ? 0 : 1;
  return {
    parameters: { start: '', compress: 'address blocks low high last' },
    permitted: [
      ...COMMON,
      {
        reason: 'RFC 7693 §3.2: the low word of the offset is XORed onto word 12.',
        uses: onto([ONTO.low[which]], [low]),
        of: ['low', 'loop'],
      },
      {
        reason: 'RFC 7693 §3.2: the high word of the offset is XORed onto word 12 or 13.',
        uses: onto([ONTO.high[which]], [high]),
        of: ['high', 'loop'],
      },
      {
        reason: 'RFC 7693 §3.2: the flag of the last block is XORed onto word 14.',
        uses: onto(ONTO.last[which], last),
        of: ['last'],
      },
    ],
    thresholds: [
      {
        what: 'the low word of the offset passes 2^32 if it is less than a block after a block was added',
        use: `compare i32.lt_u ${2 * size.bits}`,
        of: ['loop', 'low'],
      },
    ],
    limits: { periods: {}, renamed: {} },
  };
};
