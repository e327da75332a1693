/** Faults for kernels with a keystream. */
import { SIGMA } from '../../../../lanewise/src/keystream/core.ts';
import * as chacha from '../../../../lanewise/src/keystream/map.ts';
import type { Kernel } from '../../kernels.ts';
import {
  backdoor,
  GAP,
  instructionsOf,
  isConstant,
  rotation,
  startOf,
  strayWrite,
  withCode,
  withConstants,
  type PlantedFault,
} from '../../mutations/fault.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';

/** Faults of a kernel that seals messages; those that `seal` wipes end at an address. */
export function sealingFaults(kernel: Kernel, roundsIn: 'seal' | 'begin', wipedTo: number): PlantedFault[] {
  const constants = instructionsOf(kernel);
  const tens = constants.filter((step) => isConstant(step, 10));
  const [first] = SIGMA;
  const seal = exported(decode(kernel.bytes), 'seal').code;
  const wipe = seal.find((step) => isConstant(step, kernel.short ? chacha.STATE : chacha.SETS))!;
  const wiped = seal[seal.indexOf(wipe) + 2];
  return [
    { kind: 'rotation', name: 'xor', what: 'one rotation by 6 instead of 7', kernel: rotation(kernel) },
    {
      kind: 'rounds',
      name: roundsIn,
      what: 'the cipher of messages with 18 rounds',
      kernel: withConstants(kernel, tens, 9),
    },
    {
      kind: 'constant',
      name: 'xor',
      what: 'one bit of "expa"',
      kernel: withConstants(
        kernel,
        constants.filter((step) => isConstant(step, first)),
        first ^ 1,
      ),
    },
    {
      kind: 'backdoor',
      name: 'xor',
      what: 'a bit flips when the fifth word of the key has one value',
      kernel: withCode(kernel, startOf(kernel, 'xor'), backdoor(chacha.STATE + 32)),
    },
    {
      kind: 'unwiped',
      name: 'seal',
      what: 'seal leaves the last 64 bytes of what it wipes',
      kernel: withConstants(kernel, [wiped], wipedTo - (kernel.short ? chacha.STATE : chacha.SETS) - 64),
    },
    {
      kind: 'stray write',
      name: 'xor',
      what: `xor writes to ${GAP}`,
      kernel: withCode(kernel, startOf(kernel, 'xor'), strayWrite(GAP)),
    },
  ];
}
