// How the modules of BLAKE3 use public numbers.
import { COMMON, type Numbers } from '../../public-numbers/lists.ts';

export const blake3Numbers: Numbers = {
  parameters: {
    chunk: 'length low high flags last',
    prepare: 'length low high flags',
    tree: 'length low high flags',
    many: 'count blocks tail flags',
    copyUp: '',
    parent: 'flags',
    hash: 'length flags',
    output: 'length low high flags blocks',
  },
  permitted: [
    ...COMMON,
    {
      reason: 'The same of BLAKE3.',
      uses: ['subtract i32.sub from 64'],
      of: ['length', 'loop'],
    },
    {
      reason: 'The second half of what is compressed: counter, length of the block, flags. BLAKE3 §2.2',
      uses: ['mix i32.xor', 'store v128.store'],
      of: ['blocks', 'count', 'flags', 'high', 'last', 'length', 'level', 'loop', 'low', 'tail'],
    },
    {
      reason: 'Flags of a block: those of the mode, and what the block is. BLAKE3 §2.1, table 3',
      uses: ['operate i32.or', 'operate i32.or 2', 'operate i32.or 4', 'operate i32.or 8'],
      of: ['flags', 'last', 'loop'],
    },
    {
      reason: 'Whether the last block of a chunk is also the first, as the flag for that.',
      uses: ['result return'],
      of: ['loop'],
    },
    {
      reason:
        'A counter has carried if it is below what it was, or below what was added. In lanes they follow one another.',
      uses: ['compare i32.lt_u', 'compare i32x4.lt_u', 'select i32x4.sub', 'operate i32x4.add', 'operate i32x4.sub'],
      of: ['blocks', 'count', 'high', 'length', 'level', 'loop', 'low'],
    },
    {
      reason: 'Counters of the lanes, and places of what is compressed side by side, in equal distances.',
      uses: [
        'multiply i32.mul',
        'multiply i32x4.mul',
        'multiply i32.mul 144',
        ...[0, 1, 2, 3].map((lane) => `multiply i32.mul ${lane}`),
      ],
      of: ['blocks', 'count', 'level', 'loop'],
    },
    {
      reason: 'A block of a chunk is done.',
      uses: ['subtract i32.sub 64'],
      of: ['length', 'loop'],
    },
    {
      reason: 'A level of the tree has half as many nodes as the one below, and the odd one. BLAKE3 §2.1',
      uses: ['period i32.shr_u 1', 'period i32.and 1'],
      of: ['length', 'level', 'loop'],
    },
    {
      reason: 'The nodes of a level are rounded up to whole sets of four.',
      uses: ['period i32.and -4'],
      of: ['length', 'level', 'loop'],
    },
  ],
  thresholds: [
    {
      what: 'Bytes of a chunk.',
      use: 'compare i32.le_u 1024',
      of: ['length'],
    },
    {
      what: 'Bytes of a block.',
      use: 'compare i32.gt_u 64',
      of: ['length', 'loop'],
    },
    {
      what: 'Nodes, or blocks of output, from which on lanes are worth filling.',
      use: 'compare i32.lt_u 3',
      of: ['blocks', 'count', 'length', 'level', 'loop'],
    },
    {
      what: 'Lanes of all sets.',
      use: 'compare i32.gt_u 16',
      of: ['blocks', 'count', 'length', 'level', 'loop'],
      step: 4,
    },
    {
      what: 'Nodes of a level of the tree: two are left for the root.',
      use: 'compare i32.gt_u 2',
      of: ['length', 'level', 'loop'],
      never: { below: 'A message of more than one chunk has at least two.' },
    },
    {
      what: 'Output: the number of a block has carried into its high word.',
      use: 'compare i32.lt_u 1',
      of: ['loop', 'low'],
    },
  ],
  // Chunks have 1024 bytes.
  limits: {
    periods: { length: 10, blocks: 2, count: 2, level: 2, flags: 4, last: 4, loop: 4 },
    renamed: { 'period i32.shr_u 1': 'level', 'period i32.and 1': 'level', 'period i32.and -4': 'level' },
  },
};
