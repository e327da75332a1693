/** The proofs of BLAKE2's modules. */
import { H, STAGE } from '../../../../lanewise/src/blake2/map.ts';
import type { ModuleProofs, Room } from '../room.ts';
import { blake2Bounds, blake2Ways } from './bounds.ts';
import { blake2bTextClaims, blake2Claims, blake2sTextClaims } from './claims.ts';
import { blake2Faults } from './faults.ts';
import { blake2Induction, blake2TextInduction } from './induction.ts';
import { blake2Left } from './left.ts';
import { blake2Numbers } from './numbers.ts';
import { blake2RandomCalls } from './random-calls.ts';
import { blake2Recorded } from './recorded.ts';
import { BLAKE2B, BLAKE2S, type Size } from './specification.ts';

const proofs = (size: Size, textResults: ModuleProofs['textResults']): ModuleProofs => ({
  results: blake2Claims,
  textResults,
  everyLength: blake2Induction,
  ownInText: {
    functions: 2,
    why: 'a half of a round, whose words have two halves or are variables of JavaScript, and the compression that calls it',
    induction: blake2TextInduction,
  },
  bounds: blake2Bounds,
  ways: blake2Ways,
  left: blake2Left(size),
  verdicts: [],
  wiping: { ciphertextFrom: STAGE },
  numbers: blake2Numbers(size),
  mutations: {
    leak: { name: 'compress', key: H },
    constantIn: 'compress',
    about: { start: ['the first chaining value'], compress: ['compression: 1 blocks', 'compression: '] },
    calls: blake2RandomCalls,
  },
});

export const room: Room = {
  modules: { blake2b: proofs(BLAKE2B, blake2bTextClaims), blake2s: proofs(BLAKE2S, blake2sTextClaims) },
  recorded: blake2Recorded,
  exceptions: [],
  faults: blake2Faults,
};
