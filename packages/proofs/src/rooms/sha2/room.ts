/** The proofs of SHA-2's modules. */
import { LANES_STAGE, LANES_STATE, STAGE, STATE } from '../../../../lanewise/src/sha2/map.ts';
import type { ModuleProofs, Room } from '../room.ts';
import { lanesBounds, lanesWays, sha2Bounds, sha2Ways } from './bounds.ts';
import { sha256TextClaims, sha2Claims, sha512TextClaims } from './claims.ts';
import { sha2Faults } from './faults.ts';
import { lanesClaims, lanesTextClaims } from './lanes-claims.ts';
import { sha2Induction, sha512TextInduction } from './induction.ts';
import { lanesInduction } from './lanes-induction.ts';
import { lanesLeft, sha2Left } from './left.ts';
import { lanesNumbers, sha2Numbers } from './numbers.ts';
import { lanesRandomCalls, sha2RandomCalls } from './random-calls.ts';
import { sha2Recorded } from './recorded.ts';
import { SHA256, SHA512, type Size } from './specification.ts';

const proofs = (size: Size, textResults: ModuleProofs['textResults']): ModuleProofs => ({
  results: sha2Claims,
  textResults,
  everyLength: sha2Induction,
  bounds: sha2Bounds,
  ways: sha2Ways,
  left: sha2Left(size),
  verdicts: [],
  wiping: { ciphertextFrom: STAGE },
  numbers: sha2Numbers,
  mutations: {
    leak: { name: 'compress', key: STATE },
    constantIn: 'compress',
    about: {
      begin: ['begin: '],
      compress: ['compression: 1 blocks', 'compression: '],
      digest: ['digest: '],
      key: ['hmac: both pads'],
      outer: ['hmac: the outer hash'],
      iterate: ['pbkdf2: 1', 'pbkdf2: '],
    },
    calls: sha2RandomCalls(size),
  },
});

const lanes: ModuleProofs = {
  results: lanesClaims,
  textResults: lanesTextClaims,
  everyLength: lanesInduction,
  bounds: lanesBounds,
  ways: lanesWays,
  left: lanesLeft,
  verdicts: [],
  wiping: { ciphertextFrom: LANES_STAGE },
  numbers: lanesNumbers,
  mutations: {
    leak: { name: 'compress', key: LANES_STATE },
    constantIn: 'compress',
    about: { begin: ['begin: '], compress: ['compression: 1 blocks', 'compression: '], digests: ['digests: '] },
    calls: lanesRandomCalls,
  },
};

export const room: Room = {
  modules: {
    sha256: proofs(SHA256, sha256TextClaims),
    sha512: {
      ...proofs(SHA512, sha512TextClaims),
      ownInText: {
        functions: 4,
        why: 'words of 64 bits have two halves: the compression, two functions that it calls, and the digest',
        induction: sha512TextInduction,
      },
    },
    sha256lanes: lanes,
  },
  recorded: sha2Recorded,
  exceptions: [],
  faults: sha2Faults,
};
