/** The proofs of ChaCha's modules: the keystream and the AEADs. */
import { POLY, STAGE, STATE } from '../../../../lanewise/src/keystream/map.ts';
import { aeadClaims, aeadTextClaims } from './aead-claims.ts';
import { chachaClaims, chachaStatements } from './claims.ts';
import { TEXT_FORM } from '../../claims/form.ts';
import { onText } from '../../javascript/runner.ts';
import { PolynomialDoubles } from '../../polynomials/doubles.ts';
import { ABOUT_SEALING } from '../keystream/about.ts';
import { doublesInduction } from '../poly1305/text-induction.ts';
import type { Room } from '../room.ts';
import { chachaBounds, chachaWays } from './bounds.ts';
import { chachaEveryLength } from './every-length.ts';
import { chachaExceptions } from './exceptions.ts';
import { chachaFaults } from './faults.ts';
import { chachaLeft } from './left.ts';
import { chachaNumbers } from './numbers.ts';
import { chachaRandomCalls } from './random-calls.ts';
import { chachaRecorded } from './recorded.ts';

export const room: Room = {
  modules: {
    chacha: {
      results: (kernel) => [...chachaClaims(kernel), ...aeadClaims(kernel)],
      textResults: (text) => [
        ...chachaStatements(
          onText(text, () => new PolynomialDoubles()),
          TEXT_FORM,
        ),
        ...aeadTextClaims(text),
      ],
      everyLength: (kernel) => chachaEveryLength(kernel),
      ownInText: {
        functions: 2,
        inDoubles: 1,
        why: 'Poly1305 has doubles: blocks, and the last step',
        induction: (text) => [doublesInduction(text, POLY)],
      },
      bounds: chachaBounds,
      ways: chachaWays,
      left: chachaLeft,
      verdicts: ['verify', 'open'],
      wiping: {
        ciphertextFrom: STAGE,
      },
      numbers: chachaNumbers,
      mutations: {
        leak: { name: 'xor', key: STATE + 16 },
        constantIn: 'finish',
        about: ABOUT_SEALING,
        calls: chachaRandomCalls,
      },
    },
  },
  recorded: chachaRecorded,
  exceptions: chachaExceptions,
  faults: chachaFaults,
};
