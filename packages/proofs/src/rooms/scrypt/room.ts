/** The proofs of scrypt's modules. */
import { ROWS, STATE } from '../../../../lanewise/src/scrypt/map.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Local } from '../../../../lanewise/src/wasm/types.ts';
import { atEnd, flip } from '../../mutations/kill-tools.ts';
import type { Room } from '../room.ts';
import { scryptBounds, scryptWays } from './bounds.ts';
import { scryptClaims, scryptTextClaims } from './claims.ts';
import { scryptFaults } from './faults.ts';
import { scryptLeft } from './left.ts';
import { scryptNumbers } from './numbers.ts';
import { scryptRandomCalls } from './random-calls.ts';
import { scryptRecorded } from './recorded.ts';

/** At the end of `fill` its first parameter is the address of the last row. */
const lastRow = '\x20\x00' as Local<'i32'>;

export const room: Room = {
  modules: {
    scrypt: {
      results: scryptClaims,
      textResults: scryptTextClaims,
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
        faults: scryptFaults,
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
  missedFaults: [],
  killMatrix: {
    'scrypt scalar': {
      'sha-256': atEnd('compress', flip(STATE)),
      blockmix: atEnd('fill', i32.store(lastRow, 0, i32.xor(i32.load(lastRow, 0), 1))),
    },
  },
};
