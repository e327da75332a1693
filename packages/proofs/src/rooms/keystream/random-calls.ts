/** Random calls of the functions that kernels with a keystream have. */
import * as chacha from '../../../../lanewise/src/keystream/map.ts';
import { range as at } from '../../claims/compare.ts';
import type { Range } from '../../execute/machine.ts';
import { length, padding, type CallOf, type ScratchOf } from '../../mutations/random-calls.ts';
import type { Random } from '../../mutations/random.ts';
import type { Kernel } from '../../kernels.ts';
import { poly1305State } from '../poly1305/random-calls.ts';

/** The state of a stream, with a counter that may be about to carry. */
export function keystreamState(random: Random, memory: DataView): void {
  if (random.below(2)) memory.setUint32(chacha.STATE + 48, random.between(0xffffffd0, 0xffffffff), true);
  poly1305State(random, memory, chacha.POLY);
}

export const kind = (random: Random): number => random.below(4);

export const SEALING_CALLS: Readonly<Record<string, CallOf>> = {
  extend: (random) => [random.between(1, 10)],
  // The first of the blocks that the kernel for short messages makes is that of the one-time key.
  xor: (random, _, most) => [
    kind(random),
    random.of([4, 6, 10]),
    chacha.STAGE,
    most > chacha.SHORT_BYTES ? Math.ceil(length(random, most) / 64) : random.below(3),
  ],
  seal: (random, _, most) => [kind(random), length(random, Math.min(most, chacha.AAD_BYTES)), length(random, most)],
  open: (random, _, most) => [kind(random), length(random, Math.min(most, chacha.AAD_BYTES)), length(random, most)],
  begin: (random) => [kind(random)],
  absorb: (random, _, most) => [chacha.STAGE, length(random, most)],
  encrypt: (random, _, most) => [
    random.below(2),
    length(random, Math.min(most, chacha.AAD_BYTES)),
    length(random, most),
  ],
  decrypt: (random, _, most) => [length(random, most)],
  finish: (random) => [random.word(), random.word(), random.word(), random.word(), chacha.STAGE],
  verify: (random, memory) => {
    // Equal, or but for one bit.
    for (let i = 0; i < 16; i++) memory.setUint8(chacha.STAGE + i, memory.getUint8(chacha.TAG + i));
    if (random.below(2)) {
      const at = chacha.STAGE + random.below(16);
      memory.setUint8(at, memory.getUint8(at) ^ (1 << random.below(8)));
    }
    return [chacha.STAGE];
  },
};

/** The range after the message: the rest of its last block or set, and the tag. */
export const behind = (length: number): Range => at(chacha.STAGE + length, 512);

/** The library wipes the sets if there are more than two blocks. */
export const setsOf = (blocks: number): Range[] => (blocks > 2 ? [at(chacha.SETS, 1024)] : []);
export const ASIDE = at(chacha.ASIDE, 512);
export const HEAD = at(chacha.HEAD, 64);
export const POLY = at(chacha.POLY, 64);

export const SEALING_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  extend: () => [HEAD],
  xor: (_kind, _rounds, _address, blocks) => [...setsOf(blocks), HEAD, behind(64 * blocks)],
  open: (_kind, aadLength, length) => [
    padding(chacha.AAD, aadLength, 16),
    ...setsOf(length / 64),
    ASIDE,
    at(chacha.STATE, chacha.STAGE - chacha.STATE),
    behind(length),
  ],
  begin: () => [at(HEAD.from + 32, 32)],
  absorb: (address, length) => [padding(address, length, 16)],
  encrypt: (_head, aadLength, length) => [
    ...setsOf(length / 64),
    ASIDE,
    HEAD,
    padding(chacha.AAD, aadLength, 16),
    behind(length),
  ],
  decrypt: (length) => [...setsOf(length / 64), HEAD, behind(length)],
  finish: () => [HEAD, POLY],
};

/** The functions that the library calls in a kernel for short messages: those for messages in parts are not among them. */
export const SHORT_NAMES: readonly string[] = ['extend', 'xor', 'seal', 'open'];
export const mostOf = ({ short }: Kernel): number => (short ? chacha.SHORT_BYTES : 3000);
