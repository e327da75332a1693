/** Random calls of ChaCha's functions. */
import * as chacha from '../../../../lanewise/src/keystream/map.ts';
import { range as at } from '../../claims/compare.ts';
import type { RandomCalls, ScratchOf } from '../../mutations/random-calls.ts';
import { keystreamState, mostOf, SEALING_CALLS, SEALING_SCRATCH, SHORT_NAMES } from '../keystream/random-calls.ts';

const SEALED: ScratchOf = (_kind, aadLength, length) => [
  at(chacha.AAD, aadLength),
  at(chacha.SETS, chacha.STAGE - chacha.SETS),
  at(chacha.STAGE + length + 16, 256),
];

export const chachaRandomCalls: RandomCalls = {
  calls: SEALING_CALLS,
  ofShort: SHORT_NAMES,
  scratch: SEALING_SCRATCH,
  wiped: { seal: SEALED },
  most: mostOf,
  state: keystreamState,
};
