/** The proofs of Argon2's modules. */
import { BLOCKS } from '../../../../lanewise/src/argon2/map.ts';
import type { Room } from '../room.ts';
import { argon2Bounds, argon2Ways } from './bounds.ts';
import { argon2Claims, argon2TextClaims } from './claims.ts';
import { argon2Faults } from './faults.ts';
import { argon2Left } from './left.ts';
import { argon2Numbers } from './numbers.ts';
import { argon2RandomCalls } from './random-calls.ts';
import { argon2Recorded } from './recorded.ts';

export const room: Room = {
  modules: {
    argon2: {
      results: argon2Claims,
      textResults: argon2TextClaims,
      ownInText: { functions: 2, why: 'words of 64 bits have two halves; its calls have no length' },
      bounds: argon2Bounds,
      ways: argon2Ways,
      left: argon2Left,
      // RFC 9106 §3.4.1.1: in Argon2d, and in the later part of Argon2id, Y is chosen by the block before.
      secretAddresses: { compress: [1] },
      verdicts: [],
      wiping: { ciphertextFrom: BLOCKS },
      numbers: argon2Numbers,
      mutations: {
        leak: { name: 'compress', key: BLOCKS },
        constantIn: 'compress',
        about: { compress: ['G of every X and Y, at one place', 'G of every'] },
        calls: argon2RandomCalls,
      },
    },
  },
  recorded: argon2Recorded,
  exceptions: [],
  faults: argon2Faults,
};
