/** Faults for kernels with a keystream. */
import { SIGMA } from '../../../../lanewise/src/keystream/core.ts';
import * as chacha from '../../../../lanewise/src/keystream/map.ts';
import * as v128 from '../../../../lanewise/src/wasm/v128.ts';
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
import { patched } from '../../mutations/patch.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';

/** The instruction `v128.const`: its opcode of two bytes, and the vector. */
const VECTOR_BYTES = 18;

/** One bit of "expand 32-byte k" flips, which the vector forms store as one vector, and the scalar form as four words. */
function withOtherConstant(kernel: Kernel): Kernel {
  const [first, ...others] = SIGMA as [number, number, number, number];
  const instructions = instructionsOf(kernel);
  if (kernel.form === 'scalar')
    return withConstants(
      kernel,
      instructions.filter((step) => isConstant(step, first)),
      first ^ 1,
    );
  const vector = instructions.find(
    (step) => step.op === 'v128.const' && new DataView(step.bytes.slice().buffer).getInt32(0, true) === first,
  )!;
  return { ...kernel, bytes: patched(kernel.bytes, vector.at, VECTOR_BYTES, v128.i32x4(first ^ 1, ...others)) };
}

/** Faults of a kernel that seals messages; those that `seal` wipes end at an address. */
export function sealingFaults(kernel: Kernel, roundsIn: 'seal' | 'begin', wipedTo: number): PlantedFault[] {
  const constants = instructionsOf(kernel);
  const tens = constants.filter((step) => isConstant(step, 10));
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
      kernel: withOtherConstant(kernel),
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
