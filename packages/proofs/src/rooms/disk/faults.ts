/** Faults for the kernels of disk encryption. */
import { CONSTANT } from '../../../../lanewise/src/aes/rounds.ts';
import * as disk from '../../../../lanewise/src/disk/map.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Kernel } from '../../kernels.ts';
import {
  backdoor,
  instructionsOf,
  isConstant,
  rotation,
  startOf,
  strayWrite,
  withCode,
  withConstants,
  type PlantedFault,
} from '../../mutations/fault.ts';

/** An unused address in the map of disk encryption, after the subkeys. */
const DISK_GAP = 800;

export function diskFaults(kernel: Kernel): PlantedFault[] {
  const name = 'pages';
  const at = startOf(kernel, name);
  const constants = instructionsOf(kernel);
  return [
    { kind: 'rotation', name, what: 'one rotation by 6 instead of 7', kernel: rotation(kernel) },
    {
      kind: 'constant',
      name: 'expandKey',
      what: "one bit of the S-box's constant",
      kernel: withConstants(
        kernel,
        constants.filter((step) => isConstant(step, CONSTANT)),
        CONSTANT ^ 1,
      ),
    },
    {
      kind: 'backdoor',
      name,
      what: 'a bit flips when the first word of the page has one value',
      kernel: withCode(kernel, at, backdoor(disk.STAGE)),
    },
    {
      kind: 'unwiped',
      name,
      what: 'a word of the page is left where nothing is wiped',
      kernel: withCode(kernel, at, i32.store(0, DISK_GAP, i32.load(0, disk.STAGE))),
    },
    {
      kind: 'stray write',
      name,
      what: `pages writes to ${DISK_GAP}`,
      kernel: withCode(kernel, at, strayWrite(DISK_GAP)),
    },
  ];
}
