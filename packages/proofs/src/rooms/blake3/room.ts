/** The proofs of BLAKE3's module. */
import { KEY, STAGE } from '../../../../lanewise/src/blake3/map.ts';
import type { Room } from '../room.ts';
import { blake3Bounds, blake3Ways } from './bounds.ts';
import { blake3Claims, blake3TextClaims } from './compression.ts';
import { blake3Faults } from './faults.ts';
import { blake3Induction } from './induction.ts';
import { lanesInduction } from './lanes-induction.ts';
import { blake3Left } from './left.ts';
import { blake3LengthFaults } from './length-faults.ts';
import { blake3Numbers } from './numbers.ts';
import { blake3RandomCalls } from './random-calls.ts';
import { blake3Recorded } from './recorded.ts';
import { blake3EveryLength } from './tree-lengths.ts';

export const room: Room = {
  modules: {
    blake3: {
      results: blake3Claims,
      textResults: blake3TextClaims,
      everyLength: (kernel) => [...blake3Induction(kernel), ...lanesInduction(kernel), ...blake3EveryLength(kernel)],
      bounds: blake3Bounds,
      ways: blake3Ways,
      left: blake3Left,
      verdicts: [],
      wiping: {
        // Every engine hashes short messages without lanes.
        slots: ({ form }) => (form === 'scalar' ? ['blake3 long', 'blake3 short'] : ['blake3 long']),
        ciphertextFrom: STAGE,
      },
      numbers: blake3Numbers,
      mutations: {
        leak: { name: 'hash', key: KEY },
        constantIn: 'copyUp',
        about: {
          chunk: ['chunk'],
          prepare: ['prepare'],
          tree: ['tree', 'hash'],
          many: ['many'],
          copyUp: ['copyUp'],
          parent: ['parent'],
          hash: ['hash'],
          output: ['output'],
        },
        calls: blake3RandomCalls,
      },
    },
  },
  recorded: blake3Recorded,
  exceptions: [],
  faults: [...blake3Faults, ...blake3LengthFaults],
};
