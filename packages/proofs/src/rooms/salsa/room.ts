/** The proofs of salsa.js's modules: secretbox with Salsa20, which has the keystream too, and with ChaCha. */
import { STATE } from '../../../../lanewise/src/keystream/map.ts';
import { BOX, TAG_BYTES } from '../../../../lanewise/src/salsa/map.ts';
import { secretboxClaims, secretboxTextClaims } from './claims.ts';
import { onText } from '../../javascript/runner.ts';
import { atEnd, flip } from '../../mutations/kill-tools.ts';
import { PolynomialDoubles } from '../../polynomials/doubles.ts';
import { ABOUT_SEALING } from '../keystream/about.ts';
import { sealingFaults } from '../keystream/faults.ts';
import { missedOfShortKeys } from '../keystream/missed-faults.ts';
import type { ModuleProofs, Room } from '../room.ts';
import { secretboxBounds, secretboxWays } from './bounds.ts';
import { salsaExceptions } from './exceptions.ts';
import { secretboxLeft } from './left.ts';
import { secretboxNumbers } from './numbers.ts';
import { secretboxRandomCalls } from './random-calls.ts';
import { salsaRecorded } from './recorded.ts';

const TAG = BOX - TAG_BYTES;

/** The proofs of the module with one of the ciphers. */
const proofsWith = (cipher: 'salsa' | 'chacha'): ModuleProofs => ({
  results: (kernel) => secretboxClaims(kernel, cipher),
  textResults: (text) =>
    secretboxTextClaims(
      text,
      onText(text, () => new PolynomialDoubles()),
      cipher,
    ),
  bounds: secretboxBounds,
  ways: secretboxWays,
  left: secretboxLeft,
  verdicts: ['verify', 'open'],
  // A box is staged in front of STAGE, with its tag.
  wiping: { ciphertextFrom: TAG },
  numbers: secretboxNumbers,
  mutations: {
    leak: { name: 'xor', key: STATE + 16 },
    constantIn: 'absorb',
    faults: (kernel) => sealingFaults(kernel, 'seal', TAG),
    about: ABOUT_SEALING,
    calls: secretboxRandomCalls,
  },
});

export const room: Room = {
  modules: {
    salsa: proofsWith('salsa'),
    // Its keystream is nothing that a public module gives out.
    'secretbox-chacha': proofsWith('chacha'),
  },
  recorded: salsaRecorded,
  exceptions: salsaExceptions,
  missedFaults: ['salsa short scalar', 'salsa long scalar'].map(missedOfShortKeys),
  killMatrix: { 'salsa short scalar': { secretbox: atEnd('seal', flip(TAG)) } },
};
