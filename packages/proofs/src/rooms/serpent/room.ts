/** The proofs of Serpent's modules: CTR by itself; ECB, CBC and OCB. */
import { STAGE, KEY } from '../../../../lanewise/src/serpent/map.ts';
import { serpentClaims, statementsOf } from './claims.ts';
import { onText } from '../../javascript/runner.ts';
import type { ModuleProofs, Room } from '../room.ts';
import { serpentBounds, serpentCtrBounds, serpentCtrWays, serpentWays } from './bounds.ts';
import { serpentCtrInduction } from './ctr-induction.ts';
import { serpentExceptions } from './exceptions.ts';
import { serpentFaults } from './faults.ts';
import { serpentInduction } from './induction.ts';
import { serpentLeft } from './left.ts';
import { ocbInduction } from './ocb-induction.ts';
import { serpentCtrNumbers, serpentNumbers } from './numbers.ts';
import { serpentCtrRandomCalls, serpentRandomCalls } from './random-calls.ts';
import { serpentRecorded } from './recorded.ts';

const OCB = ['OCB: offsets', 'OCB seal', 'OCB open', 'OCB encrypt', 'OCB decrypt'];

/** The proofs that both modules have in common. */
const common: Pick<ModuleProofs, 'results' | 'left' | 'slowForms'> = {
  results: serpentClaims,
  left: serpentLeft,
  slowForms: ['scalar'],
};

export const room: Room = {
  modules: {
    serpent: {
      ...common,
      textResults: (text) => statementsOf('serpent', onText(text), { lanes: false, text: true }),
      everyLength: (kernel) => [...serpentInduction(kernel), ...ocbInduction(kernel)],
      bounds: serpentBounds,
      ways: serpentWays,
      verdicts: ['verify', 'open'],
      wiping: { ciphertextFrom: STAGE },
      numbers: serpentNumbers,
      mutations: {
        leak: { name: 'ecbEncrypt', key: KEY },
        constantIn: 'finish',
        about: {
          ecbEncrypt: ['ecbEncrypt'],
          ecbDecrypt: ['ecbDecrypt'],
          cbcEncrypt: ['cbcEncrypt'],
          cbcDecrypt: ['cbcDecrypt'],
          cbcMany: ['cbcMany'],
          seal: OCB,
          open: OCB,
          begin: OCB,
          hash: OCB,
          encrypt: OCB,
          decrypt: OCB,
          finish: OCB,
          verify: OCB,
        },
        calls: serpentRandomCalls,
      },
    },
    'serpent-ctr': {
      ...common,
      textResults: (text) => statementsOf('serpent-ctr', onText(text), { lanes: false, text: true }),
      everyLength: serpentCtrInduction,
      bounds: serpentCtrBounds,
      ways: serpentCtrWays,
      verdicts: [],
      wiping: { ciphertextFrom: STAGE },
      numbers: serpentCtrNumbers,
      mutations: {
        leak: { name: 'ctr', key: KEY },
        constantIn: 'ctr',
        about: { ctr: ['CTR, big-endian', 'CTR'] },
        calls: serpentCtrRandomCalls,
      },
    },
  },
  recorded: serpentRecorded,
  exceptions: serpentExceptions,
  faults: serpentFaults,
};
