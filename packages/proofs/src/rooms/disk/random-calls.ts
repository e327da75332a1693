/** Random calls of the functions of disk encryption that the library calls. */
import {
  BLOCK,
  STAGE,
  HASH,
  HEAD,
  HEADS,
  KEY,
  MARGIN,
  MIDDLE,
  MOST_PAGES,
  NH,
  NH_BYTES,
  POLY,
  POLY_KEY,
  SETS,
  SLICED,
  STATE,
  SUBKEYS,
  TWEAKED,
  TWEAKED_BYTES,
} from '../../../../lanewise/src/disk/map.ts';
import { S } from '../../../../lanewise/src/poly1305/map.ts';
import { POLY as STREAM_POLY } from '../../../../lanewise/src/keystream/map.ts';
import { SIGMA } from '../../../../lanewise/src/keystream/core.ts';
import { range as at } from '../../claims/compare.ts';
import type { Range } from '../../execute/machine.ts';
import type { CallOf, RandomCalls, ScratchOf } from '../../mutations/random-calls.ts';
import { poly1305State } from '../poly1305/random-calls.ts';
import type { Random } from '../../mutations/random.ts';

const upTo16 = (length: number): number => (length + BLOCK - 1) & -BLOCK;
const flag = (random: Random): number => random.below(2);
const rounds = (random: Random): number => random.of([1, 4, 6, 10]);
const length = (random: Random, most: number): number =>
  random.of([() => random.below(100), () => random.below(most), () => 256 * random.below(Math.floor(most / 256))])();

/** Makes the keys valid: both r are clamped, and the fifth word of the accumulator after a tweak is small. */
function diskKeys(memory: DataView): void {
  for (let i = 0; i < 2 * BLOCK; i += 4) {
    const word = memory.getUint32(POLY_KEY + i, true);
    memory.setUint32(POLY_KEY + i, word & (i % BLOCK ? 0x0ffffffc : 0x0fffffff), true);
  }
  for (let page = 0; page < MOST_PAGES; page++)
    memory.setUint32(TWEAKED + TWEAKED_BYTES * page + BLOCK, page % 5, true);
}

const made =
  (call: CallOf): CallOf =>
  (random, memory, most) => {
    diskKeys(memory);
    return call(random, memory, most);
  };

/** While a message is hashed, s is zero: `begin` sets it so. */
const begun =
  (call: CallOf): CallOf =>
  (random, memory, most) => {
    diskKeys(memory);
    for (let i = 0; i < BLOCK; i++) memory.setUint8(POLY + S + i, 0);
    return call(random, memory, most);
  };

/** The state that `turn` leaves, and a counter of blocks: all parts but the last consist of whole groups. */
function startedStream(random: Random, memory: DataView): void {
  SIGMA.forEach((constant, w) => {
    memory.setUint32(STATE + 4 * w, constant, true);
  });
  [16 * random.below(1 << 16), 0, 1, 0].forEach((word, w) => {
    memory.setUint32(STATE + 48 + 4 * w, word, true);
  });
}

const DISK: Readonly<Record<string, CallOf>> = {
  pages: made((random, _, most) => {
    const nh = flag(random);
    const head = random.of([16, 24, 28, 48]);
    const count = random.of([1, 1, 2, 3, 9]);
    const size = BLOCK + length(random, count > 3 ? 100 : most - BLOCK);
    const stride = (size + 255) & -256;
    return [flag(random), nh, rounds(random), nh ? head : upTo16(head), upTo16(head), size, stride, count];
  }),
  derive: made((random) => [rounds(random)]),
  heads(random, memory) {
    // A number close to a carry.
    memory.setUint32(HEADS + 4, random.between(0xffffff00, 0xffffffff), true);
    return [4, random.of([16, 32, 48]), random.between(1, 4096), random.between(1, 6)];
  },
  begin: made((random) => [flag(random), random.of([16, 32, 48])]),
  absorb: begun((random, _, most) => [flag(random), length(random, most)]),
  turn: begun((random) => [flag(random), flag(random), rounds(random)]),
  stream: begun((random, memory, most) => {
    startedStream(random, memory);
    return [flag(random), rounds(random), 1 + length(random, most - 1)];
  }),
  end: begun((random) => [flag(random)]),
};

/** Work memory, whose content is not used after the call. */
const WORK = [at(SETS, STATE - SETS), at(HASH, BLOCK), at(HEAD, 64), at(SLICED, HEADS - SLICED)];
const MESSAGE = at(NH, NH_BYTES);
/** The margin after a page: the rest of its set, and the output after the last page. */
const behind = (end: number): Range => at(end, MARGIN);

const DISK_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  pages: (_back, _nh, _rounds, _head, _slot, size, stride, count) => [
    at(MIDDLE, KEY - MIDDLE),
    at(SLICED, STAGE - SLICED),
    ...Array.from({ length: count }, (_, i) => at(STAGE + stride * i + size, stride - size)),
    behind(STAGE + stride * count),
  ],
  derive: () => [at(MIDDLE, KEY - MIDDLE), at(STAGE, 2048)],
  absorb: (_nh, size) => [MESSAGE, behind(STAGE + size)],
  turn: () => [
    ...WORK,
    at(MIDDLE + BLOCK, TWEAKED - MIDDLE - BLOCK),
    at(SUBKEYS, SETS - SUBKEYS),
    // The block after the last row of the state, where HChaCha writes.
    at(STATE + 64, BLOCK),
  ],
  stream: (_nh, _rounds, size) => [...WORK, behind(STAGE + size)],
  end: () => WORK,
};

export const diskRandomCalls: RandomCalls = {
  calls: DISK,
  scratch: DISK_SCRATCH,
  most: () => 1500,
  state: (random, memory) => poly1305State(random, memory, STREAM_POLY),
  // The constants of AES are included, also in kernels with vectors and without relaxed instructions.
  constantsTo: () => MIDDLE,
};
