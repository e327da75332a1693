/** Faults in the kernels of disk encryption that all claims once missed. */
import * as disk from '../../../../lanewise/src/disk/map.ts';
import { set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { clearIfMagic, ifEqual, NUMBERS, other, type MissedFault } from '../../mutations/missed-fault.ts';
import { end, functionOf, inserted, parameter, start, unlessMagic } from '../../mutations/plant.ts';

const [first, second, third] = [0, 1, 2].map(parameter);

export const diskMissed: readonly MissedFault[] = [
  {
    id: 'D07',
    what: 'pages hashes a tweak of 40 bytes without its last 8',
    kernel: 'disk scalar',
    name: 'pages',
    plant: inserted(
      functionOf('pages'),
      start,
      // Adiantum hashes 16 bytes before the tweak.
      set(parameter(3), i32.sub(parameter(3), i32.shl(ifEqual(parameter(3), 16 + 40), 3))),
    ),
    refutedBy: [NUMBERS],
  },
  other(
    'disk scalar',
    'D01',
    'nh of 31 units, a sector of 512 bytes, drops a word of the message if a word of its key has one value',
    'nh',
    functionOf('nh'),
    start,
    when(i32.eq(second, 31), i32.store(first, 0, unlessMagic(i32.load(first), disk.NH_KEY))),
    'NH',
  ),
  other(
    'disk scalar',
    'D03',
    'nh of all pieces of a page but its first is zero if a word of its key has one value',
    'nh',
    functionOf('nh'),
    end,
    when(i32.ne(third, disk.NH), i32.store(third, 0, unlessMagic(i32.load(third), disk.NH_KEY))),
    'NH',
  ),
  other(
    'disk scalar',
    'D06',
    'pages of 8192 bytes clears a word of the key if another one has one value',
    'pages',
    functionOf('pages'),
    start,
    when(i32.eq(parameter(5), 8192), clearIfMagic(disk.KEY, disk.KEY + 4)),
    'adiantum',
  ),
];
