/** Faults for the kernels of BLAKE3. */
import * as blake3 from '../../../../lanewise/src/blake3/map.ts';
import { IV } from '../../../../lanewise/src/blake3/rounds.ts';
import { fill, sequence } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Kernel } from '../../kernels.ts';
import {
  backdoor,
  GAP,
  instructionsOf,
  isConstant,
  rotation,
  startOf,
  withCode,
  withConstants,
  type PlantedFault,
} from '../../mutations/fault.ts';

/** BLAKE3 rotates to the right by 7, which is 25 to the left. */
const TO_THE_RIGHT = 25;

export function blake3Faults(kernel: Kernel): PlantedFault[] {
  const constants = instructionsOf(kernel);
  return [
    { kind: 'rotation', name: 'many', what: 'one rotation by 8 instead of 7', kernel: rotation(kernel, TO_THE_RIGHT) },
    {
      kind: 'constant',
      name: 'chunk',
      what: 'one bit of the initial value',
      kernel: withConstants(
        kernel,
        constants.filter((step) => isConstant(step, IV[1])),
        IV[1] ^ 1,
      ),
    },
    {
      kind: 'backdoor',
      name: 'hash',
      what: 'a bit flips when the first word of the message has one value',
      kernel: withCode(kernel, startOf(kernel, 'hash'), backdoor(blake3.STAGE)),
    },
    {
      kind: 'unwiped',
      name: 'hash',
      what: 'hash leaves a word of the message where nothing is wiped',
      kernel: withCode(kernel, startOf(kernel, 'hash'), i32.store(0, GAP, i32.load(0, blake3.STAGE))),
    },
    {
      kind: 'stray write',
      name: 'hash',
      what: 'hash clears the masks',
      kernel: withCode(kernel, startOf(kernel, 'hash'), sequence(fill(blake3.MASKS, 0, 16))),
    },
  ];
}
