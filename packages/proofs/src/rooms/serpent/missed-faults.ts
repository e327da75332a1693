/** Faults in the kernels of Serpent that all claims once missed. */
import * as serpent from '../../../../lanewise/src/serpent/map.ts';
import { when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { clearIfMagic, enumerated, other, type MissedFault } from '../../mutations/missed-fault.ts';
import { behind, end, functionOf, inserted, parameter, start } from '../../mutations/plant.ts';

const [first, third] = [0, 2].map(parameter);

export const serpentMissed: readonly MissedFault[] = [
  other(
    'serpent scalar',
    'O03',
    'behind block 48 a word of the offset is cleared if a word of L_* has one value',
    'function 12',
    behind('begin'),
    start,
    when(i32.eq(first, 48), clearIfMagic(serpent.OFFSET, serpent.STAR)),
    'serpent',
  ),
  ...(
    [
      ['S01', 100],
      ['S02', 3000],
    ] as const
  ).map(([id, blocks]) =>
    other(
      'serpent-ctr scalar',
      id,
      `ctr of ${blocks} blocks clears the first word`,
      'ctr',
      functionOf('ctr'),
      end,
      when(i32.eq(third, blocks), i32.store(0, serpent.STAGE, 0)),
    ),
  ),
  enumerated(
    'serpent scalar',
    'O02',
    'behind block 48 a word of the offset is cleared',
    'function 12',
    inserted(behind('begin'), start, when(i32.eq(first, 48), i32.store(0, serpent.OFFSET, 0))),
    'serpent',
  ),
];
