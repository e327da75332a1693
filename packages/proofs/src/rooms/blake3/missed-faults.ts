/** Faults in the kernels of BLAKE3 that all claims once missed. */
import * as blake3 from '../../../../lanewise/src/blake3/map.ts';
import { set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { clearIfMagic, enumerated, other, type MissedFault } from '../../mutations/missed-fault.ts';
import { end, functionOf, inserted, parameter, start, type Plant } from '../../mutations/plant.ts';

const first = parameter(0);

/** The high word of chunk numbers, with only those bits that the numbers of the claims once had. */
const maskHigh = (name: string, high: number): Plant =>
  inserted(functionOf(name), start, set(parameter(high), i32.and(parameter(high), 0x200001)));

export const blake3Missed: readonly MissedFault[] = [
  other(
    'blake3 scalar',
    'B01',
    'hash of 41,111 bytes is another one',
    'hash',
    functionOf('hash'),
    end,
    when(i32.eq(first, 41_111), i32.store(0, blake3.CV, i32.xor(i32.load(0, blake3.CV), 1))),
  ),
  other(
    'blake3 scalar',
    'B04',
    'output of 40 blocks is another one',
    'output',
    functionOf('output'),
    end,
    when(i32.eq(parameter(4), 40), i32.store(0, blake3.STAGE, i32.xor(i32.load(0, blake3.STAGE), 1))),
  ),
  other(
    'blake3 scalar',
    'B05',
    'the keyed hash of 32,768 bytes drops a word of the key if another one has one value',
    'hash',
    functionOf('hash'),
    start,
    when(i32.eq(first, 32_768), clearIfMagic(blake3.KEY + 4, blake3.KEY)),
  ),
  ...(
    [
      ['chunk', 2],
      ['prepare', 2],
      ['tree', 2],
      ['output', 2],
    ] as const
  ).map(([name, high]) =>
    enumerated(
      'blake3 scalar',
      'B02',
      `${name} drops bits of the high word of the number`,
      name,
      maskHigh(name, high),
      name,
    ),
  ),
  enumerated(
    'blake3 scalar',
    'B03',
    'many of 33 messages is another digest',
    'many',
    inserted(
      functionOf('many'),
      end,
      when(i32.eq(first, 33), i32.store(0, blake3.CVS, i32.xor(i32.load(0, blake3.CVS), 1))),
    ),
    'many',
  ),
];
