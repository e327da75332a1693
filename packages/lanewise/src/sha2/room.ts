/** The room of SHA-2 for tools: its modules and the sizes of its bundles. */
import { PLAIN_FORMS, type Area, type Room } from '../engine/description.ts';
import { sha256LanesModule } from './lanes-module.ts';
import * as map from './map.ts';
import { sha256Module, sha512Module, sha512Text } from './module.ts';

const areas: readonly Area[] = [
  ['CONSTANTS', map.CONSTANTS, map.SCHEDULE],
  ['SCHEDULE', map.SCHEDULE, map.STATE - map.SCHEDULE],
  ['STATE', map.STATE, map.STATE_BYTES],
  ['INITIAL', map.INITIAL, map.STATE_BYTES],
  ['INNER', map.INNER, map.STATE_BYTES],
  ['OUTER', map.OUTER, map.STATE_BYTES],
  ['DIGEST', map.DIGEST, map.SUM - map.DIGEST],
  ['SUM', map.SUM, map.STATE_BYTES],
  ['STAGE', map.STAGE, map.STAGE_BYTES],
  ['PADDING', map.STAGE + map.STAGE_BYTES, map.PADDING_BYTES],
];
const lanesText = () => sha256LanesModule(false);
/** Of the modules for one message. */
const plain = {
  forms: PLAIN_FORMS,
  hexadecimal: true,
  pages: map.PAGES,
  map: areas,
  functions: 'begin compress digest iterate key outer'.split(' '),
  mostSteps: 400_000,
} as const;

export const room: Room = {
  lines: 1_430,
  modules: [
    {
      ...plain,
      name: 'sha256',
      make: (lanes) => sha256Module(lanes !== undefined),
      text: { file: 'sha256.ts', name: 'sha256', source: 'sha2/module.ts', module: () => sha256Module(false) },
    },
    {
      ...plain,
      name: 'sha512',
      make: (lanes) => sha512Module(lanes !== undefined),
      text: { file: 'sha512.ts', name: 'sha512', source: 'sha2/module.ts', module: sha512Text },
    },
    {
      name: 'sha256lanes',
      forms: PLAIN_FORMS,
      make: (lanes) => sha256LanesModule(lanes !== undefined),
      pages: map.LANES_PAGES,
      map: [
        ['CONSTANTS', map.CONSTANTS, map.SCHEDULE],
        ['SCHEDULE', map.SCHEDULE, map.LANES_STATE - map.SCHEDULE],
        ['LANES_STATE', map.LANES_STATE, map.LANES_INITIAL - map.LANES_STATE],
        ['LANES_INITIAL', map.LANES_INITIAL, map.LANES_DIGESTS - map.LANES_INITIAL],
        ['LANES_DIGESTS', map.LANES_DIGESTS, 128],
        ['LANES_STAGE', map.LANES_STAGE, 4 * map.LANE_BYTES],
      ],
      functions: 'begin compress digests'.split(' '),
      text: { file: 'sha256-lanes.ts', name: 'sha256Lanes', source: 'sha2/lanes-module.ts', module: lanesText },
      mostSteps: 400_000,
    },
  ],
  budgets: [
    { name: 'SHA-256 alone', code: `export { sha256 } from 'lanewise/sha2.js';`, limit: 6_260, target: 5_000 },
    { name: 'SHA-2, HMAC, HKDF, PBKDF2', code: `export * from 'lanewise/sha2.js';`, limit: 17_000 },
  ],
};
