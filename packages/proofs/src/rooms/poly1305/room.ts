/** The proofs of Poly1305's module. */
import { STAGE } from '../../../../lanewise/src/keystream/map.ts';
import { KEY, STATE } from '../../../../lanewise/src/poly1305/map.ts';
import { poly1305Claims, poly1305TextClaims } from './claims.ts';
import type { Room } from '../room.ts';
import { poly1305Bounds, poly1305Ways } from './bounds.ts';
import { poly1305EveryLength } from './every-length.ts';
import { poly1305Faults } from './faults.ts';
import { poly1305Left } from './left.ts';
import { poly1305Numbers } from './numbers.ts';
import { poly1305RandomCalls } from './random-calls.ts';
import { poly1305Recorded } from './recorded.ts';
import { doublesInduction } from './text-induction.ts';

export const room: Room = {
  modules: {
    poly1305: {
      results: poly1305Claims,
      textResults: poly1305TextClaims,
      everyLength: poly1305EveryLength,
      ownInText: {
        functions: 2,
        inDoubles: 1,
        why: 'Poly1305 has doubles: blocks, and the last step',
        induction: (text) => [doublesInduction(text, STATE)],
      },
      bounds: poly1305Bounds,
      ways: poly1305Ways,
      left: poly1305Left,
      verdicts: [],
      wiping: { ciphertextFrom: STAGE },
      numbers: poly1305Numbers,
      mutations: {
        leak: { name: 'absorb', key: STATE + KEY },
        constantIn: 'finish',
        about: {
          start: ['poly1305: the state'],
          absorb: ['poly1305: 1 blocks', 'poly1305: 2 blocks'],
          finish: ['poly1305: the last'],
          mac: ['poly1305: '],
        },
        calls: poly1305RandomCalls,
      },
    },
  },
  recorded: poly1305Recorded,
  exceptions: [],
  faults: poly1305Faults,
};
