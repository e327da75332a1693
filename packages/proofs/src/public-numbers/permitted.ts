// What public numbers may do beside being added, subtracted, shifted and masked by constants, and being addresses, lengths and
// conditions. Each entry has its reason; an entry that no kernel needs is an error, too.
import type { Family } from '../kernels.ts';
import type { Limits } from './flow.ts';

export interface Permission {
  readonly reason: string;
  readonly families: readonly Family[];
  /** As nameOfUse names them. */
  readonly uses: readonly string[];
  /** The parameters that the numbers may come from; `loop` stands for what the turns of a loop count. */
  readonly of: readonly string[];
}

const STREAMS = ['chacha', 'secretbox'] as const;
const WITH_STREAM = [...STREAMS, 'disk'] as const;
const SERPENTS = ['serpent', 'serpent-ctr'] as const;
const EVERY = [...WITH_STREAM, 'poly1305', 'blake3', ...SERPENTS] as const;

const LENGTHS = ['aadLength', 'before', 'head', 'headLength', 'length', 'pageLength'] as const;
const COUNTS = ['blocks', 'count', 'doubleRounds', 'streams', 'units'] as const;

export const PERMITTED: readonly Permission[] = [
  {
    reason: 'A loop counts down to zero, or the last of some blocks is the one before the end.',
    families: EVERY,
    uses: ['subtract i32.sub 1'],
    of: [...LENGTHS, ...COUNTS, 'level', 'loop'],
  },
  {
    reason: 'A loop ends at a number that was computed in front of it.',
    families: EVERY,
    uses: ['compare i32.lt_u'],
    of: [...LENGTHS, ...COUNTS, 'level', 'loop'],
  },
  {
    reason: 'What is missing to a whole block is filled up.',
    families: [...WITH_STREAM, 'poly1305', 'serpent'],
    uses: ['subtract i32.sub from 15', 'subtract i32.sub from 16'],
    of: LENGTHS,
  },
  {
    reason: 'The same of BLAKE3.',
    families: ['blake3'],
    uses: ['subtract i32.sub from 64'],
    of: ['length', 'loop'],
  },
  {
    reason: 'A multiple of the size of a set is the place behind so many sets.',
    families: WITH_STREAM,
    uses: ['multiply i32.mul 256'],
    of: ['blocks', 'head', 'length', 'loop', 'pageLength'],
  },
  {
    reason: 'A counter of blocks rises by how many are encrypted; its carry is the majority of top bits. RFC 8439 §2.4',
    families: WITH_STREAM,
    uses: ['add', 'and', 'or'].map((op) => `mix i32.${op} STATE+48`),
    of: ['blocks', 'head', 'length', 'loop', 'pageLength'],
  },
  {
    reason: 'The same of Salsa20, which has its counter elsewhere. Salsa20 specification §10',
    families: ['secretbox'],
    uses: ['add', 'and', 'or'].map((op) => `mix i32.${op} STATE+56`),
    of: ['blocks', 'head', 'length', 'loop'],
  },
  {
    reason: 'Groups of eight blocks are counted as blocks.',
    families: STREAMS,
    uses: ['multiply i32.mul 8'],
    of: ['length'],
  },
  {
    reason: 'One group of blocks is encrypted before the MAC follows.',
    families: STREAMS,
    uses: ['subtract i32.sub 8'],
    of: ['length'],
  },
  {
    reason: 'The message begins one block earlier if that of the one-time key comes with it.',
    families: STREAMS,
    uses: ['subtract i32.sub from 2880'],
    of: ['head'],
  },
  {
    reason: 'The last block of the MAC has both lengths, of 64 bits. RFC 8439 §2.8',
    families: ['chacha'],
    uses: [0, 4, 8, 12].map((at) => `store i32.store HEAD+${at}`),
    of: ['aadHigh', 'aadLength', 'aadLow', 'high', 'length', 'low'],
  },
  {
    reason: 'Of a box the first 32 bytes are in the block of the one-time key.',
    families: ['secretbox'],
    uses: ['subtract i32.sub 32'],
    of: ['length'],
  },
  {
    reason: 'Bit 128 of a block: 1, or 0 where a block that is cut short has its bit in memory. RFC 8439 §2.5.1',
    families: ['secretbox', 'poly1305', 'disk'],
    uses: ['mix i64.add', 'operate f64.convert_i32_s', 'multiply f64.mul', 'mix f64.add'],
    of: [],
  },
  {
    reason: 'The second half of what is compressed: counter, length of the block, flags. BLAKE3 §2.2',
    families: ['blake3'],
    uses: ['mix i32.xor', 'store v128.store'],
    of: ['blocks', 'count', 'flags', 'high', 'last', 'length', 'level', 'loop', 'low', 'tail'],
  },
  {
    reason: 'Flags of a block: those of the mode, and what the block is. BLAKE3 §2.1, table 3',
    families: ['blake3'],
    uses: ['operate i32.or', 'operate i32.or 2', 'operate i32.or 4', 'operate i32.or 8'],
    of: ['flags', 'last', 'loop'],
  },
  {
    reason: 'Whether the last block of a chunk is also the first, as the flag for that.',
    families: ['blake3'],
    uses: ['result return'],
    of: ['loop'],
  },
  {
    reason:
      'A counter has carried if it is below what it was, or below what was added. In lanes they follow one another.',
    families: ['blake3'],
    uses: [
      ...['compare i32.lt_u', 'compare i32x4.lt_u', 'select i32x4.sub'],
      ...['operate i32x4.add', 'operate i32x4.sub'],
    ],
    of: ['blocks', 'count', 'high', 'length', 'level', 'loop', 'low'],
  },
  {
    reason: 'Counters of the lanes, and places of what is compressed side by side, in equal distances.',
    families: ['blake3'],
    uses: [
      ...['multiply i32.mul', 'multiply i32x4.mul', 'multiply i32.mul 144'],
      ...[0, 1, 2, 3].map((lane) => `multiply i32.mul ${lane}`),
    ],
    of: ['blocks', 'count', 'level', 'loop'],
  },
  {
    reason: 'A block of a chunk is done.',
    families: ['blake3'],
    uses: ['subtract i32.sub 64'],
    of: ['length', 'loop'],
  },
  {
    reason: 'A level of the tree has half as many nodes as the one below, and the odd one. BLAKE3 §2.1',
    families: ['blake3'],
    uses: ['period i32.shr_u 1', 'period i32.and 1'],
    of: ['length', 'level', 'loop'],
  },
  {
    reason: 'The nodes of a level are rounded up to whole sets of four.',
    families: ['blake3'],
    uses: ['period i32.and -4'],
    of: ['length', 'level', 'loop'],
  },
  {
    reason: 'A prekey has its number added, and a round key of AES a power of two. Serpent §4, FIPS 197 §5.2',
    families: [...SERPENTS, 'disk'],
    uses: ['mix i32.xor'],
    of: ['loop'],
  },
  {
    reason: 'Round keys are taken from the last to the first.',
    families: ['serpent', 'disk'],
    uses: ['subtract i32.add 32', 'subtract i32.add 128'],
    of: ['loop'],
  },
  {
    reason: 'A block is in front of another one.',
    families: ['serpent'],
    uses: ['subtract i32.sub 16'],
    of: ['blocks', 'loop'],
  },
  {
    reason: 'OCB: the first offset is 128 bits of 192 from bit `bottom` on. RFC 7253 §4.2',
    families: ['serpent'],
    uses: ['mix i32.shl', 'mix i32.shr_u', 'operate i32.xor 31'],
    of: ['bottom'],
  },
  {
    reason: 'OCB: trailing zeros of a block number are counted one by one. RFC 7253 §2',
    families: ['serpent'],
    uses: ['period i32.and 1', 'period i32.shr_u 1'],
    of: ['loop', 'number', 'zeros'],
  },
  {
    reason: 'A page ends with a block that is not part of the message.',
    families: ['disk'],
    uses: ['subtract i32.sub 16'],
    of: ['pageLength'],
  },
  {
    reason: 'NH takes a message in pieces of 1024 bytes.',
    families: ['disk'],
    uses: ['subtract i32.sub 1024'],
    of: ['length', 'loop', 'pageLength'],
  },
  {
    reason: 'The number of a page or sector is added to that of the first one; its carry is the majority of top bits.',
    families: ['disk'],
    uses: ['mix i32.add', 'mix i32.and', 'mix i32.or'],
    of: ['step'],
  },
];

/** What a comparison with a constant decides. */
export interface Threshold {
  readonly what: string;
  readonly families: readonly Family[];
  readonly use: string;
  readonly of: readonly string[];
  /** In a kernel only, or in all of the families but that. */
  readonly only?: string;
  readonly unless?: string;
  /** The numbers are multiples of it; 1 unless given. */
  readonly step?: number;
  /** Why a number next to the constant never comes there. */
  readonly never?: Partial<Record<'below' | 'equal' | 'above', string>>;
}

const SINGLE = 'There is one block.';

export const THRESHOLDS: readonly Threshold[] = [
  {
    what: 'The kind of a state: a short key, which is there twice.',
    families: WITH_STREAM,
    use: 'compare i32.eq 2',
    of: ['kind'],
  },
  {
    what: 'The kind of a state: a long nonce.',
    families: WITH_STREAM,
    use: 'compare i32.eq 3',
    of: ['kind'],
    never: { above: 'There is no other kind.' },
  },
  {
    what: 'Three blocks have a form of their own.',
    families: WITH_STREAM,
    use: 'compare i32.eq 3',
    of: ['blocks', 'head', 'length', 'pageLength'],
  },
  {
    what: 'Two blocks have one, too.',
    families: WITH_STREAM,
    use: 'compare i32.eq 2',
    of: ['blocks', 'head', 'length', 'pageLength'],
    never: { above: 'Three were asked for before, or there is no room for so many.' },
  },
  {
    what: 'So has one block.',
    families: WITH_STREAM,
    use: 'compare i32.eq 1',
    of: ['blocks', 'head', 'length', 'pageLength'],
    never: { below: 'There is at least one.', above: 'Two were asked for before.' },
  },
  {
    what: 'Sets of four blocks: up to four are a group.',
    families: WITH_STREAM,
    use: 'compare i32.lt_u 4',
    of: ['blocks', 'head', 'length', 'loop', 'pageLength'],
  },
  {
    what: 'Blocks from which on the MAC rides on the cipher.',
    families: STREAMS,
    use: 'compare i32.ge_u 16',
    of: ['length'],
  },
  {
    what: 'Bytes up to which a ciphertext is put aside, so that one pass makes one-time key and plaintext.',
    families: STREAMS,
    use: 'compare i32.le_u 512',
    of: ['length'],
  },
  {
    what: 'Bytes of a box that are in the block of the one-time key.',
    families: ['secretbox'],
    use: 'compare i32.lt_u 32',
    of: ['length'],
  },
  {
    what: 'Bytes of a chunk.',
    families: ['blake3'],
    use: 'compare i32.le_u 1024',
    of: ['length'],
  },
  {
    what: 'Bytes of a block.',
    families: ['blake3'],
    use: 'compare i32.gt_u 64',
    of: ['length', 'loop'],
  },
  {
    what: 'Nodes, or blocks of output, from which on lanes are worth filling.',
    families: ['blake3'],
    use: 'compare i32.lt_u 3',
    of: ['blocks', 'count', 'length', 'level', 'loop'],
  },
  {
    what: 'Lanes of all sets.',
    families: ['blake3'],
    use: 'compare i32.gt_u 16',
    of: ['blocks', 'count', 'length', 'level', 'loop'],
    step: 4,
  },
  {
    what: 'Nodes of a level of the tree: two are left for the root.',
    families: ['blake3'],
    use: 'compare i32.gt_u 2',
    of: ['length', 'level', 'loop'],
    never: { below: 'A message of more than one chunk has at least two.' },
  },
  {
    what: 'Output: the number of a block has carried into its high word.',
    families: ['blake3'],
    use: 'compare i32.lt_u 1',
    of: ['loop', 'low'],
  },
  {
    what: 'A single block has no use for lanes.',
    families: SERPENTS,
    use: 'compare i32.eq 1',
    of: ['aadLength', 'blocks', 'length', 'loop', 'streams'],
    never: { below: 'There is at least one.' },
  },
  {
    what: 'Blocks of a group.',
    families: SERPENTS,
    use: 'compare i32.lt_u 16',
    of: ['aadLength', 'blocks', 'length', 'loop'],
    unless: 'serpent-ctr swizzle',
  },
  {
    what: 'The same where there are lanes, without which only a block that comes alone is encrypted.',
    families: ['serpent-ctr'],
    use: 'compare i32.lt_u 16',
    of: ['blocks', 'loop'],
    only: 'serpent-ctr swizzle',
    never: { below: SINGLE, equal: SINGLE, above: SINGLE },
  },
  {
    what: 'Bytes of a group of pairs of sets.',
    families: SERPENTS,
    use: 'compare i32.lt_u 256',
    of: ['aadLength', 'blocks', 'length', 'loop', 'streams'],
    step: 128,
  },
  {
    what: 'Bytes of a piece that NH takes.',
    families: ['disk'],
    use: 'compare i32.ge_u 1024',
    of: ['length', 'loop', 'pageLength'],
    step: 16,
  },
  {
    what: 'A single page has no use for lanes.',
    families: ['disk'],
    use: 'compare i32.eq 1',
    of: ['count', 'loop'],
    never: { below: 'There is at least one.' },
  },
  {
    what: 'Blocks that AES takes at once, in words.',
    families: ['disk'],
    use: 'compare i32.lt_u 2',
    of: ['count', 'loop'],
  },
  {
    what: 'Blocks that AES takes at once, in vectors.',
    families: ['disk'],
    use: 'compare i32.lt_u 8',
    of: ['count', 'loop'],
  },
];

/**
 * The longest period of a number, as an exponent of 2. Additional data go in blocks of 16 bytes, messages in groups of 512
 * bytes (and the remainders of these), chunks and pieces of 1024 bytes.
 */
export const LIMITS: Readonly<Record<Family, Limits>> = {
  chacha: { periods: { length: 10, aadLength: 4, blocks: 2, head: 2 }, renamed: {} },
  secretbox: { periods: { length: 10, before: 4, blocks: 2, head: 2 }, renamed: {} },
  poly1305: { periods: { length: 4 }, renamed: {} },
  blake3: {
    periods: { length: 10, blocks: 2, count: 2, level: 2, flags: 4, last: 4, loop: 4 },
    renamed: { 'period i32.shr_u 1': 'level', 'period i32.and 1': 'level', 'period i32.and -4': 'level' },
  },
  serpent: {
    periods: { length: 7, aadLength: 7, blocks: 4, streams: 3, bottom: 6, number: 4, loop: 4 },
    renamed: { 'period i32.shr_u 1': 'zeros', 'period i32.and 1': 'zeros' },
  },
  'serpent-ctr': { periods: { blocks: 3 }, renamed: {} },
  disk: { periods: { length: 10, pageLength: 10, headLength: 4, count: 2, units: 2, loop: 6 }, renamed: {} },
};
