/** The room of disk encryption for tools: the module of Adiantum and HPolyC, and the size of its bundle. */
import { floats } from '../poly1305/floats.ts';
import { integers } from '../poly1305/kernel.ts';
import { STATE_BYTES } from '../poly1305/map.ts';
import { EVERY_FORM, SIGMA_MARK, type Room } from '../engine/description.ts';
import * as map from './map.ts';
import { diskModule } from './module.ts';
import { nhFloats } from './nh-floats.ts';
import { nhIntegers } from './nh-kernel.ts';

export const room: Room = {
  lines: 2_530,
  modules: [
    {
      name: 'disk',
      forms: EVERY_FORM,
      make: (lanes) => diskModule({ lanes, arithmetic: integers, nh: nhIntegers }),
      pages: map.PAGES,
      map: [
        // ChaCha's, and ROWS after them.
        ['MASKS', map.MASKS, map.MIDDLE - map.MASKS],
        ['MIDDLE', map.MIDDLE, map.TWEAKED - map.MIDDLE],
        ['TWEAKED', map.TWEAKED, map.SUBKEYS - map.TWEAKED],
        ['SUBKEYS', map.SUBKEYS, map.MOST_PAGES * map.SUBKEY_BYTES],
        ['SETS', map.SETS, 1024],
        ['STATE', map.STATE, map.HASH - map.STATE],
        ['HASH', map.HASH, map.BLOCK],
        ['POLY', map.POLY, STATE_BYTES],
        ['HEAD', map.HEAD, map.STREAM_BLOCK],
        ['KEY', map.KEY, map.KEY_BYTES],
        ['ROUND', map.ROUND, map.ROUND_BYTES],
        ['POLY_KEY', map.POLY_KEY, map.NH_KEY - map.POLY_KEY],
        ['NH_KEY', map.NH_KEY, map.NH_KEY_BYTES],
        ['SLICED', map.SLICED, map.SLICED_BYTES],
        ['NH', map.NH, map.NH_BYTES],
        ['HEADS', map.HEADS, map.HEADS_BYTES],
        ['STAGE', map.STAGE, Infinity],
      ],
      functions:
        'absorb begin decryptBlocks derive encryptBlocks end expandKey extend heads nh pages sliceKeys stream substitute turn'.split(
          ' ',
        ),
      text: {
        file: 'disk.ts',
        name: 'disk',
        source: 'disk/module.ts',
        module: () => diskModule({ arithmetic: floats, nh: nhFloats }),
      },
      mostSteps: 1_000_000,
    },
  ],
  budgets: [
    {
      name: 'Adiantum, three engines',
      code: `export { adiantum } from 'lanewise/disk.js';`,
      limit: 18_830,
      target: 18_000,
      has: [SIGMA_MARK],
    },
  ],
};
