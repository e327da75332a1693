/** Random calls of secretbox's functions. */
import * as chacha from '../../../../lanewise/src/keystream/map.ts';
import { BOX, FIRST_BYTES, TAG_BYTES } from '../../../../lanewise/src/salsa/map.ts';
import { range as at } from '../../claims/compare.ts';
import { length, type CallOf, type RandomCalls, type ScratchOf } from '../../mutations/random-calls.ts';
import {
  ASIDE,
  behind,
  HEAD,
  keystreamState,
  kind,
  mostOf,
  POLY,
  SEALING_CALLS,
  SEALING_SCRATCH,
  setsOf,
  SHORT_NAMES,
} from '../keystream/random-calls.ts';

/** Secretbox has no additional data; the bytes in the block of the one-time key are in front of STAGE. */
const SECRETBOX: Readonly<Record<string, CallOf>> = {
  ...SEALING_CALLS,
  seal: (random, _, most) => [kind(random), length(random, most)],
  open: (random, _, most) => [kind(random), length(random, most)],
  // A message that ends in the block of the one-time key isn't made in parts.
  encrypt: (random, _, most) =>
    random.of([() => [0, 0, length(random, most)], () => [1, FIRST_BYTES, Math.max(1, length(random, most))]])(),
  finish: () => [chacha.STAGE],
};

/** poly1305/map.ts: after five words of the accumulator there are three that nothing reads. */
const AFTER_ACCUMULATOR = at(chacha.POLY + 20, 12);

const SECRETBOX_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  ...SEALING_SCRATCH,
  extend: () => [POLY],
  xor: (_kind, _rounds, _address, blocks) => [...setsOf(blocks), POLY, behind(64 * blocks)],
  open: (_kind, length) => [
    ...setsOf((length + FIRST_BYTES) / 64),
    ASIDE,
    at(chacha.STATE, BOX - chacha.STATE),
    at(BOX + length, 512),
  ],
  begin: () => [...SEALING_SCRATCH['begin'](), AFTER_ACCUMULATOR],
  encrypt: (_head, _before, length) => [...setsOf(length / 64 + 1), ASIDE, HEAD, behind(length)],
  finish: () => [POLY],
};

const BOX_SEALED: ScratchOf = (_kind, length) => [
  at(chacha.SETS, BOX - TAG_BYTES - chacha.SETS),
  at(BOX + length, 256),
];

export const secretboxRandomCalls: RandomCalls = {
  calls: SECRETBOX,
  ofShort: SHORT_NAMES,
  scratch: SECRETBOX_SCRATCH,
  wiped: { seal: BOX_SEALED },
  most: mostOf,
  state: keystreamState,
};
