/** The proofs of scrypt's modules. */
import { ROWS, STATE } from '../../../../lanewise/src/scrypt/map.ts';
import type { Room } from '../room.ts';
import { scryptBounds, scryptWays } from './bounds.ts';
import { scryptClaims, scryptTextClaims } from './claims.ts';
import { scryptFaults } from './faults.ts';
import { scryptInduction } from './induction.ts';
import { scryptLeft } from './left.ts';
import { scryptNumbers } from './numbers.ts';
import { scryptRandomCalls } from './random-calls.ts';
import { scryptRecorded } from './recorded.ts';

export const room: Room = {
  modules: {
    scrypt: {
      results: scryptClaims,
      textResults: scryptTextClaims,
      everyLength: scryptInduction,
      bounds: scryptBounds,
      ways: scryptWays,
      left: scryptLeft,
      // RFC 7914 §5, step 3: V[j], where j is a number made of X.
      secretAddresses: { mix: [1] },
      verdicts: [],
      wiping: { ciphertextFrom: ROWS },
      numbers: scryptNumbers,
      mutations: {
        leak: { name: 'compress', key: STATE },
        constantIn: 'compress',
        about: {
          start: ['SHA-256: the initial'],
          compress: ['SHA-256: 1', 'SHA-256'],
          fill: ['BlockMix: 1 rows of r = 1', 'BlockMix: '],
          mix: ['BlockMix: X xor V[j], r = 1', 'BlockMix: X'],
        },
        calls: scryptRandomCalls,
      },
    },
  },
  recorded: scryptRecorded,
  exceptions: [],
  faults: scryptFaults,
};
