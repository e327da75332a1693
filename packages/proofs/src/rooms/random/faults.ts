/** Faults for the kernels of ChaCha8Rand. */
import { SIGMA } from '../../../../lanewise/src/keystream/core.ts';
import { KEY, STATE } from '../../../../lanewise/src/random/map.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Kernel } from '../../kernels.ts';
import {
  backdoor,
  endOf,
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

export function randomFaults(kernel: Kernel): PlantedFault[] {
  const [first] = SIGMA;
  const constants = instructionsOf(kernel).filter((step) => isConstant(step, first));
  return [
    { kind: 'rotation', name: 'generate', what: 'one rotation by 6 instead of 7', kernel: rotation(kernel) },
    {
      kind: 'constant',
      name: 'generate',
      what: 'one bit of "expa"',
      kernel: withConstants(kernel, constants, first ^ 1),
    },
    {
      kind: 'backdoor',
      name: 'generate',
      what: 'a bit flips when the fifth word of the key has one value',
      kernel: withCode(kernel, startOf(kernel, 'generate'), backdoor(KEY + 16)),
    },
    {
      kind: 'unwiped',
      name: 'generate',
      what: 'generate leaves a word of the key before the state',
      kernel: withCode(kernel, endOf(kernel, 'generate'), i32.store(0, STATE - 4, i32.load(0, KEY))),
    },
    {
      kind: 'stray write',
      name: 'generate',
      what: `generate writes to ${GAP}`,
      kernel: withCode(kernel, startOf(kernel, 'generate'), strayWrite(GAP)),
    },
  ];
}
