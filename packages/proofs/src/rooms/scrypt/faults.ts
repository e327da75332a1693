/** Faults for the kernels of scrypt. */
import { ROWS, STATE } from '../../../../lanewise/src/scrypt/map.ts';
import { constants } from '../../../../lanewise/src/scrypt/rounds.ts';
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

/** Between the areas of SHA-256 and the stage, where no area lies. */
const UNUSED = 800;

export function scryptFaults(kernel: Kernel): PlantedFault[] {
  const [first] = constants;
  const found = instructionsOf(kernel).filter((step) => isConstant(step, first));
  return [
    { kind: 'rotation', name: 'fill', what: 'one rotation of Salsa20/8 by 6 instead of 7', kernel: rotation(kernel) },
    {
      kind: 'constant',
      name: 'compress',
      what: 'one bit of a constant of SHA-256',
      kernel: withConstants(kernel, found, first ^ 1),
    },
    {
      kind: 'backdoor',
      name: 'compress',
      what: 'a bit flips when a word of the hash value has one value',
      kernel: withCode(kernel, startOf(kernel, 'compress'), backdoor(STATE + 4)),
    },
    {
      kind: 'unwiped',
      name: 'fill',
      what: 'fill leaves a word of V[0] where nothing is wiped',
      kernel: withCode(kernel, endOf(kernel, 'fill'), i32.store(0, UNUSED, i32.load(0, ROWS))),
    },
    {
      kind: 'stray write',
      name: 'mix',
      what: `mix writes to ${GAP}`,
      kernel: withCode(kernel, startOf(kernel, 'mix'), strayWrite(GAP)),
    },
  ];
}
