/** Faults for the kernels of Poly1305. */
import { KEY, S, STATE, TAG } from '../../../../lanewise/src/poly1305/map.ts';
import { sequence, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import * as i64 from '../../../../lanewise/src/wasm/i64.ts';
import { BACKDOOR, onlyBy, RESULT, STRAY, UNCOVERED, UNWIPED, type Fault } from '../../mutations/fault.ts';
import { patched } from '../../mutations/patch.ts';
import {
  atEnd,
  atStart,
  backdoor,
  flip,
  flipIfMagic,
  leaveWord,
  parameter,
  steps,
  strayWrite,
  type Plant,
} from '../../mutations/plant.ts';

const foursForFives: Plant = (kernel) => {
  const { step, before } = steps(kernel).find(
    (one) => one.before?.op === 'i64.const' && one.before.value === 5n && one.step.op === 'i64.mul',
  )!;
  return { ...kernel, bytes: patched(kernel.bytes, before!.at, step.at - before!.at, i64.value(4n)) };
};

export const poly1305Faults: readonly Fault[] = [
  ...[
    { name: 'absorb', planted: '4 instead of 5 in the reduction', plant: foursForFives, found: RESULT },
    {
      name: 'finish',
      planted: 'a bit flips when a word of s has one value',
      plant: atStart('finish', backdoor(STATE + S)),
      found: BACKDOOR,
    },
    // A copy of the key after the tag of 16 bytes, where the memory map has no area.
    {
      name: 'mac',
      planted: 'mac leaves r after the tag',
      plant: atEnd('mac', leaveWord(TAG + 16, STATE + KEY)),
      found: UNWIPED,
    },
    { name: 'mac', planted: 'mac writes to 0', plant: atStart('mac', strayWrite(0)), found: STRAY },
  ].map((fault) => ({ module: 'poly1305', ...fault })),
  {
    module: 'poly1305 scalar',
    name: 'absorb',
    planted: 'absorb of 200 blocks changes the accumulator if a word of r has one value',
    plant: atStart('absorb', when(i32.eq(parameter(0), 200), flipIfMagic(STATE, STATE + 32))),
    found: UNCOVERED,
  },
  {
    module: 'poly1305 scalar',
    name: 'mac',
    planted: 'mac flips a bit of the tag',
    plant: atEnd('mac', sequence(flip(TAG), i32.store(0, STATE, 0))),
    found: onlyBy('poly1305'),
  },
];
