/** Faults for kernels with a keystream. */
import { SIGMA } from '../../../../lanewise/src/keystream/core.ts';
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import * as v128 from '../../../../lanewise/src/wasm/v128.ts';
import type { Kernel } from '../../kernels.ts';
import { BACKDOOR, byTopics, RESULT, STRAY, UNWIPED, type Fault } from '../../mutations/fault.ts';
import { patched } from '../../mutations/patch.ts';
import {
  atStart,
  backdoor,
  constant,
  GAP,
  isConstant,
  parameter,
  rotation,
  steps,
  strayWrite,
  withConstants,
  type Plant,
} from '../../mutations/plant.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';

/** The instruction `v128.const`: its opcode of two bytes, and the vector. */
const VECTOR_BYTES = 18;

/** One bit of "expand 32-byte k" flips, which the vector forms store as one vector, and the scalar form as four words. */
function otherSigma(kernel: Kernel): Kernel {
  const [first, ...others] = SIGMA as [number, number, number, number];
  if (kernel.form === 'scalar') return constant(first, first ^ 1)(kernel);
  const { step: vector } = steps(kernel).find(
    ({ step }) => step.op === 'v128.const' && new DataView(step.bytes.slice().buffer).getInt32(0, true) === first,
  )!;
  return { ...kernel, bytes: patched(kernel.bytes, vector.at, VECTOR_BYTES, v128.i32x4(first ^ 1, ...others)) };
}

/** `seal` leaves the last 64 bytes of the area that it wipes, which ends at an address. */
const lessWiped =
  (wipedTo: number): Plant =>
  (kernel) => {
    const from = kernel.short ? stream.STATE : stream.SETS;
    const seal = exported(decode(kernel.bytes), 'seal').code;
    const wipe = seal.findIndex((step) => isConstant(step, from));
    return withConstants(kernel, [seal[wipe + 2]], wipedTo - from - 64);
  };

/** Faults of a module that seals messages; the area that `seal` wipes ends at an address. */
export const sealingFaults = (module: string, roundsIn: 'seal' | 'begin', wipedTo: number): readonly Fault[] =>
  [
    { name: 'xor', planted: 'one rotation by 6 instead of 7', plant: rotation(7), found: RESULT },
    { name: roundsIn, planted: 'the cipher of messages with 18 rounds', plant: constant(10, 9), found: RESULT },
    { name: 'xor', planted: 'one bit of "expa"', plant: otherSigma, found: RESULT },
    {
      name: 'xor',
      planted: 'a bit flips when the fifth word of the key has one value',
      plant: atStart('xor', backdoor(stream.STATE + 32)),
      found: BACKDOOR,
    },
    {
      name: 'seal',
      planted: 'seal leaves the last 64 bytes of the area that it wipes',
      plant: lessWiped(wipedTo),
      found: UNWIPED,
    },
    { name: 'xor', planted: `xor writes to ${GAP}`, plant: atStart('xor', strayWrite(GAP)), found: STRAY },
  ].map((fault) => ({ module, ...fault }));

const [kind, doubleRounds] = [0, 1].map(parameter);

/** A fault of a kernel with keys of 128 bits. */
export const shortKeyFault = (kernel: string): Fault => ({
  module: kernel,
  name: 'xor',
  planted: 'xor with a key of 128 bits and 8 rounds takes the constants of 256 bits',
  plant: atStart(
    'xor',
    when(i32.eq(kind, stream.SHORT_KEY), when(i32.eq(doubleRounds, 4), set(kind, i32.value(stream.PLAIN)))),
  ),
  found: byTopics('keystream'),
});
