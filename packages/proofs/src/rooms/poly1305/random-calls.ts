/** Random calls of Poly1305's functions. */
import { KEY, STAGE, STAGE_BYTES, STATE } from '../../../../lanewise/src/poly1305/map.ts';
import { range as at } from '../../claims/compare.ts';
import { length, padding, type CallOf, type RandomCalls, type ScratchOf } from '../../mutations/random-calls.ts';
import type { Random } from '../../mutations/random.ts';

/**
 * A random state as the kernels leave it: r is clamped, and the fifth word of the accumulator is at most 4, so many
 * accumulators are above p.
 */
export function poly1305State(random: Random, memory: DataView, at: number): void {
  memory.setUint32(at + 16, random.of([0, 1, 2, 3, 4, 4, 4, 4]), true);
  if (random.below(2))
    for (let i = 0; i < 16; i += 4) memory.setUint32(at + i, random.of([0, 4, 0xffffffff, 0xfffffffb]), true);
  for (let i = 0; i < 16; i += 4) {
    const word = memory.getUint32(at + KEY + i, true);
    memory.setUint32(at + KEY + i, word & (i ? 0x0ffffffc : 0x0fffffff), true);
  }
}

const POLY1305: Readonly<Record<string, CallOf>> = {
  start: () => [],
  absorb: (random, _, most) => [length(random, most) >> 4],
  // An accumulator that nothing is added to may be more than p.
  finish: (random, _, most) => [random.of([0, length(random, most)])],
  mac: (random, _, most) => [length(random, most)],
};

const POLY1305_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  finish: (length) => [padding(STAGE, length, 16)],
  mac: (length) => [at(STATE, 32), padding(STAGE, length, 16)],
};

export const poly1305RandomCalls: RandomCalls = {
  calls: POLY1305,
  scratch: POLY1305_SCRATCH,
  wiped: {},
  most: () => Math.min(1000, STAGE_BYTES),
  state: (random, memory) => poly1305State(random, memory, STATE),
};
