/** A fault in kernels with a keystream that all claims once missed. */
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { enumerated, type MissedFault } from '../../mutations/missed-fault.ts';
import { functionOf, inserted, parameter, start } from '../../mutations/plant.ts';

const [kind, doubleRounds] = [0, 1].map(parameter);

export const missedOfShortKeys = (kernel: string): MissedFault =>
  enumerated(
    kernel,
    'C11',
    'xor with a key of 128 bits and 8 rounds takes the constants of 256 bits',
    'xor',
    inserted(
      functionOf('xor'),
      start,
      when(i32.eq(kind, stream.SHORT_KEY), when(i32.eq(doubleRounds, 4), set(kind, i32.value(stream.PLAIN)))),
    ),
    'keystream',
  );
