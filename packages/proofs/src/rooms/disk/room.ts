/** The proofs of disk encryption's module: Adiantum and HPolyC, with AES and NH. */
import { KEY, POLY } from '../../../../lanewise/src/disk/map.ts';
import { STAGE } from '../../../../lanewise/src/keystream/map.ts';
import { diskClaims, diskTextClaims } from './claims.ts';
import { doublesInduction } from '../poly1305/text-induction.ts';
import type { Room } from '../room.ts';
import { diskBounds, diskWays } from './bounds.ts';
import { diskExceptions } from './exceptions.ts';
import { diskFaults } from './faults.ts';
import { diskEveryLength } from './every-length.ts';
import { diskLeft } from './left.ts';
import { diskNumbers } from './numbers.ts';
import { diskRandomCalls } from './random-calls.ts';
import { diskRecorded } from './recorded.ts';

export const room: Room = {
  modules: {
    disk: {
      results: diskClaims,
      textResults: diskTextClaims,
      everyLength: diskEveryLength,
      ownInText: {
        functions: 3,
        inDoubles: 2,
        why: 'Poly1305 has doubles: blocks, and the last step; and NH, which is claimed in doubles at each of its lengths',
        induction: (text) => [doublesInduction(text, POLY)],
      },
      bounds: diskBounds,
      ways: diskWays,
      left: diskLeft,
      // These functions are called by other functions of the module and by claims, but not by the library.
      inner: ['expandKey', 'sliceKeys', 'substitute', 'encryptBlocks', 'decryptBlocks', 'nh', 'extend'],
      verdicts: [],
      wiping: { ciphertextFrom: STAGE },
      numbers: diskNumbers,
      mutations: {
        leak: { name: 'pages', key: KEY },
        constantIn: 'stream',
        about: {
          pages: [
            'stream of pages',
            'adiantum: encrypt, 12 rounds, tweak of 32, 1 of 80',
            'hpolyc: decrypt, 12 rounds, tweak of 32, 1 of 81',
            'adiantum',
            'hpolyc',
          ],
          derive: ['keys from', 'key schedule'],
          expandKey: ['key schedule'],
          heads: ['heads'],
          turn: ['adiantum: encrypt, 12 rounds, tweak of 32, 1124', 'adiantum', 'hpolyc'],
          stream: ['stream of pages', 'adiantum: encrypt, 12 rounds, tweak of 32, 1124', 'hpolyc'],
          end: ['adiantum: encrypt, 12 rounds, tweak of 32, 1124'],
          begin: ['adiantum: encrypt, 12 rounds, tweak of 32, 1124'],
          absorb: ['adiantum: encrypt, 12 rounds, tweak of 32, 1124'],
          extend: ['keys from', 'key schedule'],
        },
        calls: diskRandomCalls,
      },
    },
  },
  recorded: diskRecorded,
  exceptions: diskExceptions,
  faults: diskFaults,
};
