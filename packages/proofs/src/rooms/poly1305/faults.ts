/** Faults for the kernels of Poly1305. */
import { KEY, S, STATE as POLY_STATE, TAG } from '../../../../lanewise/src/poly1305/map.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../../../lanewise/src/wasm/i64.ts';
import type { Kernel } from '../../kernels.ts';
import { backdoor, endOf, startOf, steps, strayWrite, withCode, type PlantedFault } from '../../mutations/fault.ts';
import { patched } from '../../mutations/patch.ts';
import { decode } from '../../wasm/decode.ts';

export function poly1305Faults(kernel: Kernel): PlantedFault[] {
  const fives = steps(decode(kernel.bytes).functions).find(
    ({ step, before }) => before?.op === 'i64.const' && before.value === 5n && step.op === 'i64.mul',
  )!;
  return [
    {
      kind: 'constant',
      name: 'absorb',
      what: '4 instead of 5 in the reduction',
      kernel: {
        ...kernel,
        bytes: patched(kernel.bytes, fives.before!.at, fives.step.at - fives.before!.at, i64.value(4n)),
      },
    },
    {
      kind: 'backdoor',
      name: 'finish',
      what: 'a bit flips when a word of s has one value',
      kernel: withCode(kernel, startOf(kernel, 'finish'), backdoor(POLY_STATE + S)),
    },
    { kind: 'unwiped', name: 'mac', what: 'mac leaves r behind the tag', kernel: keepsKey(kernel) },
    {
      kind: 'stray write',
      name: 'mac',
      what: 'mac writes to 0',
      kernel: withCode(kernel, startOf(kernel, 'mac'), strayWrite(0)),
    },
  ];
}

/** A copy of the key after the tag of 16 bytes, where the memory map has no area. */
const keepsKey = (kernel: Kernel): Kernel =>
  withCode(kernel, endOf(kernel, 'mac'), i32.store(0, TAG + 16, i32.load(0, POLY_STATE + KEY)));
