/** Faults for the kernels of Serpent. */
import * as serpent from '../../../../lanewise/src/serpent/map.ts';
import { PHI } from '../../../../lanewise/src/serpent/rounds.ts';
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

/** Faults for both kernels, in the named function. */
export function serpentFaults(kernel: Kernel, name: 'ecbEncrypt' | 'ctr'): PlantedFault[] {
  const constants = instructionsOf(kernel);
  // The number of words of the round keys: 33 keys of four words.
  const words = constants.filter((step) => isConstant(step, 132));
  return [
    { kind: 'rotation', name, what: 'a rotation by 7 is one by 6', kernel: rotation(kernel) },
    {
      kind: 'rounds',
      name,
      what: 'the last words of the key schedule are missing',
      kernel: withConstants(kernel, words, 131),
    },
    {
      kind: 'constant',
      name,
      what: 'the golden ratio has another lowest bit',
      kernel: withConstants(
        kernel,
        constants.filter((step) => isConstant(step, PHI)),
        PHI ^ 1,
      ),
    },
    {
      kind: 'backdoor',
      name,
      what: 'a bit flips when the first word of the message has one value',
      kernel: withCode(kernel, startOf(kernel, name), backdoor(serpent.STAGE)),
    },
    {
      kind: 'unwiped',
      name,
      what: 'a word of the message is left where nothing is wiped',
      kernel: withCode(kernel, startOf(kernel, name), i32.store(0, GAP, i32.load(0, serpent.STAGE))),
    },
    {
      kind: 'stray write',
      name,
      what: 'what is in front of the key is cleared',
      kernel: withCode(kernel, startOf(kernel, name), sequence(fill(0, 0, 16))),
    },
  ];
}
