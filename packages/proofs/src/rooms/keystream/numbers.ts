// How modules with a keystream use public numbers.
import type { Permission, Threshold } from '../../public-numbers/lists.ts';

/** Uses in every module that XORs a keystream. */
export const KEYSTREAM_PERMITTED: readonly Permission[] = [
  {
    reason: 'A multiple of the size of a set is the place behind so many sets.',
    uses: ['multiply i32.mul 256'],
    of: ['blocks', 'head', 'length', 'loop', 'pageLength'],
  },
  {
    reason: 'A counter of blocks rises by how many are encrypted; its carry is the majority of top bits. RFC 8439 §2.4',
    uses: ['add', 'and', 'or'].map((op) => `mix i32.${op} STATE+48`),
    of: ['blocks', 'head', 'length', 'loop', 'pageLength'],
  },
];
export const KEYSTREAM_THRESHOLDS: readonly Threshold[] = [
  {
    what: 'The kind of a state: a short key, which is there twice.',
    use: 'compare i32.eq 2',
    of: ['kind'],
  },
  {
    what: 'The kind of a state: a long nonce.',
    use: 'compare i32.eq 3',
    of: ['kind'],
    never: { above: 'There is no other kind.' },
  },
  {
    what: 'Three blocks have a form of their own.',
    use: 'compare i32.eq 3',
    of: ['blocks', 'head', 'length', 'pageLength'],
  },
  {
    what: 'Two blocks have one, too.',
    use: 'compare i32.eq 2',
    of: ['blocks', 'head', 'length', 'pageLength'],
    never: { above: 'Three were asked for before, or there is no room for so many.' },
  },
  {
    what: 'So has one block.',
    use: 'compare i32.eq 1',
    of: ['blocks', 'head', 'length', 'pageLength'],
    never: { below: 'There is at least one.', above: 'Two were asked for before.' },
  },
  {
    what: 'Whole sets before a last block that would be alone in its set: behind two or more it is computed in words.',
    use: 'compare i32.lt_u 1',
    of: ['blocks', 'head', 'length', 'pageLength'],
    never: { above: 'A block that no set is before has a form of its own.' },
  },
  {
    what: 'Sets of four blocks: up to four are a group.',
    use: 'compare i32.lt_u 4',
    of: ['blocks', 'head', 'length', 'loop', 'pageLength'],
  },
];

/** Uses in modules that also encrypt and authenticate a message. */
export const SEALING_PERMITTED: readonly Permission[] = [
  ...KEYSTREAM_PERMITTED,
  {
    reason: 'Groups of eight blocks are counted as blocks.',
    uses: ['multiply i32.mul 8'],
    of: ['length'],
  },
  {
    reason: 'One group of blocks is encrypted before the MAC follows.',
    uses: ['subtract i32.sub 8'],
    of: ['length'],
  },
  {
    reason: 'The message begins one block earlier if that of the one-time key comes with it.',
    uses: ['subtract i32.sub from 2880'],
    of: ['head'],
  },
];
export const SEALING_THRESHOLDS: readonly Threshold[] = [
  ...KEYSTREAM_THRESHOLDS,
  {
    what: 'Blocks from which on the MAC rides on the cipher.',
    use: 'compare i32.ge_u 16',
    of: ['length'],
  },
  {
    what: 'Bytes up to which a ciphertext is put aside, so that one pass makes one-time key and plaintext.',
    use: 'compare i32.le_u 512',
    of: ['length'],
  },
];
