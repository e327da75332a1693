/** The proofs of ChaCha8Rand's modules. */
import { KEY, STAGE } from '../../../../lanewise/src/random/map.ts';
import type { Room } from '../room.ts';
import { randomBounds, randomWays } from './bounds.ts';
import { randomClaims, randomTextClaims } from './claims.ts';
import { randomFaults } from './faults.ts';
import { randomInduction } from './induction.ts';
import { randomLeft } from './left.ts';
import { randomNumbers } from './numbers.ts';
import { randomRecorded } from './recorded.ts';

export const room: Room = {
  modules: {
    random: {
      results: randomClaims,
      textResults: randomTextClaims,
      everyLength: randomInduction,
      bounds: randomBounds,
      ways: randomWays,
      left: randomLeft,
      verdicts: [],
      wiping: { ciphertextFrom: STAGE },
      numbers: randomNumbers,
      mutations: {
        leak: { name: 'generate', key: KEY },
        constantIn: 'generate',
        about: { generate: ['every seed, 1 iterations', 'every seed'] },
        calls: {
          calls: { generate: (random) => [random.between(1, 3)] },
          scratch: {},
          most: () => 3,
        },
      },
    },
  },
  recorded: randomRecorded,
  exceptions: [],
  faults: randomFaults,
};
