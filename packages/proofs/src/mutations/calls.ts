/** Random calls of a kernel's functions, as the library may make them: what its memory holds, and the parameters. */
import * as blake3 from '../../../lanewise/src/blake3/map.ts';
import { MIDDLE } from '../../../lanewise/src/disk/map.ts';
import * as chacha from '../../../lanewise/src/keystream/map.ts';
import { KEY, STAGE, STAGE_BYTES, STATE } from '../../../lanewise/src/poly1305/map.ts';
import { BOX, FIRST_BYTES, TAG_BYTES } from '../../../lanewise/src/salsa/map.ts';
import { range as at } from '../claims/compare.ts';
import type { Range } from '../execute/machine.ts';
import type { Family, Kernel } from '../kernels.ts';
import { DISK, DISK_SCRATCH } from './calls-disk.ts';
import { SERPENT, SERPENT_CTR, SERPENT_CTR_SCRATCH, SERPENT_SCRATCH } from './calls-serpent.ts';
import type { Random } from './random.ts';

export interface Call {
  readonly name: string;
  readonly parameters: readonly number[];
  /** What a call may leave there is nobody's business: the library wipes it, or writes over it before it is read. */
  readonly scratch: readonly Range[];
  /** What the call itself has wiped: with which bytes is nobody's business, if they tell nothing. */
  readonly wiped: readonly Range[];
}

/** Prepares memory that is filled with random bytes, and says what to call. */
export type CallOf = (random: Random, memory: DataView, most: number) => readonly number[];

/** By function and its parameters: where scratch is. */
export type ScratchOf = (...parameters: number[]) => readonly Range[];

/** Mostly short, often beside a boundary of something. */
function length(random: Random, most: number): number {
  const near = random.of([16, 64, 128, 256, 512, 1024]);
  const n = random.of([
    () => random.below(most + 1),
    () => random.below(Math.min(most, 300) + 1),
    () => near * random.below(Math.floor(most / near) + 1) + random.between(-1, 1),
  ])();
  return Math.max(0, Math.min(most, n));
}

/** As the kernels leave it: r is clamped, and the fifth word of the accumulator, of which many are above p, at most 4. */
function poly1305State(random: Random, memory: DataView, at: number): void {
  memory.setUint32(at + 16, random.of([0, 1, 2, 3, 4, 4, 4, 4]), true);
  if (random.below(2))
    for (let i = 0; i < 16; i += 4) memory.setUint32(at + i, random.of([0, 4, 0xffffffff, 0xfffffffb]), true);
  for (let i = 0; i < 16; i += 4) {
    const word = memory.getUint32(at + KEY + i, true);
    memory.setUint32(at + KEY + i, word & (i ? 0x0ffffffc : 0x0fffffff), true);
  }
}

/** The state of a stream, with a counter that may be about to carry. */
function chachaState(random: Random, memory: DataView): void {
  if (random.below(2)) memory.setUint32(chacha.STATE + 48, random.between(0xffffffd0, 0xffffffff), true);
  poly1305State(random, memory, chacha.POLY);
}

const kind = (random: Random): number => random.below(4);

const CHACHA: Readonly<Record<string, CallOf>> = {
  extend: (random) => [random.between(1, 10)],
  // The first of the blocks that the kernel for short messages makes is that of the one-time key.
  xor: (random, _, most) => [
    kind(random),
    random.of([4, 6, 10]),
    chacha.DATA,
    most > chacha.SHORT_BYTES ? Math.ceil(length(random, most) / 64) : random.below(3),
  ],
  seal: (random, _, most) => [kind(random), length(random, Math.min(most, chacha.AAD_BYTES)), length(random, most)],
  open: (random, _, most) => [kind(random), length(random, Math.min(most, chacha.AAD_BYTES)), length(random, most)],
  begin: (random) => [kind(random)],
  absorb: (random, _, most) => [chacha.DATA, length(random, most)],
  encrypt: (random, _, most) => [
    random.below(2),
    length(random, Math.min(most, chacha.AAD_BYTES)),
    length(random, most),
  ],
  decrypt: (random, _, most) => [length(random, most)],
  finish: (random) => [random.word(), random.word(), random.word(), random.word(), chacha.DATA],
  verify: (random, memory) => {
    // Equal, or but for one bit.
    for (let i = 0; i < 16; i++) memory.setUint8(chacha.DATA + i, memory.getUint8(chacha.TAG + i));
    if (random.below(2)) {
      const at = chacha.DATA + random.below(16);
      memory.setUint8(at, memory.getUint8(at) ^ (1 << random.below(8)));
    }
    return [chacha.DATA];
  },
};

/** Secretbox has no additional data; what comes with the one-time key is in front of DATA. */
const SECRETBOX: Readonly<Record<string, CallOf>> = {
  ...CHACHA,
  seal: (random, _, most) => [kind(random), length(random, most)],
  open: (random, _, most) => [kind(random), length(random, most)],
  encrypt: (random, _, most) => [...random.of([[0, 0] as const, [1, FIRST_BYTES] as const]), length(random, most)],
  finish: () => [chacha.DATA],
};

const counter = (random: Random): readonly [number, number] =>
  random.of([
    () => [random.below(100), 0] as const,
    () => [random.word() | 0, random.word() | 0] as const,
    () => [random.between(-40, -1), random.below(3)] as const,
  ])();
const flags = (random: Random): number => random.of([0, 16, 32, 64]);

const BLAKE3: Readonly<Record<string, CallOf>> = {
  chunk: (random) => [length(random, 1024), ...counter(random), flags(random), random.of([0, 8])],
  prepare: (random) => [length(random, 1024), ...counter(random), flags(random)],
  tree: (random, _, most) => [1025 + length(random, most - 1025), ...counter(random), flags(random)],
  many: (random) => {
    const blocks = random.between(1, 16);
    return [random.between(1, 64), blocks, random.between(blocks > 1 ? 1 : 0, 64), flags(random)];
  },
  copyUp: () => [],
  parent: (random) => [flags(random) | random.of([0, 8])],
  hash: (random, _, most) => [length(random, most), flags(random)],
  output: (random) => [
    random.between(0, 64),
    ...counter(random),
    flags(random) | random.of([8, 12, 11]),
    random.below(70),
  ],
};

const POLY1305: Readonly<Record<string, CallOf>> = {
  start: () => [],
  absorb: (random, _, most) => [length(random, most) >> 4],
  // An accumulator that nothing is added to may be more than p.
  finish: (random, _, most) => [random.of([0, length(random, most)])],
  mac: (random, _, most) => [length(random, most)],
};

/** Behind so many bytes: padding of the MAC's last block, or of BLAKE3's. */
const padding = (from: number, length: number, block: number): Range => at(from + length, -length & (block - 1));
/** Behind the message: the rest of its last block, or of the last set, and the tag. */
const behind = (length: number): Range => at(chacha.DATA + length, 512);

/** The library wipes the sets if there are more than two blocks. */
const setsOf = (blocks: number): Range[] => (blocks > 2 ? [at(chacha.SETS, 1024)] : []);
const ASIDE = at(chacha.ASIDE, 512);
const HEAD = at(chacha.HEAD, 64);
const POLY = at(chacha.POLY, 64);

const CHACHA_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  extend: () => [HEAD],
  xor: (_kind, _rounds, _address, blocks) => [...setsOf(blocks), HEAD, behind(64 * blocks)],
  open: (_kind, aadLength, length) => [
    padding(chacha.AAD, aadLength, 16),
    ...setsOf(length / 64),
    ASIDE,
    at(chacha.STATE, chacha.DATA - chacha.STATE),
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

const SECRETBOX_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  ...CHACHA_SCRATCH,
  extend: () => [POLY],
  xor: (_kind, _rounds, _address, blocks) => [...setsOf(blocks), POLY, behind(64 * blocks)],
  open: (_kind, length) => [
    ...setsOf((length + FIRST_BYTES) / 64),
    ASIDE,
    at(chacha.STATE, BOX - chacha.STATE),
    at(BOX + length, 512),
  ],
  encrypt: (_head, _before, length) => [...setsOf(length / 64 + 1), ASIDE, HEAD, behind(length)],
  finish: () => [POLY],
};

const POLY1305_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  finish: (length) => [padding(STAGE, length, 16)],
  mac: (length) => [at(STATE, 32), padding(STAGE, length, 16)],
};

const MERGED = at(blake3.SETS, blake3.KEY - blake3.SETS);
const LANES = at(blake3.SETS, blake3.CVS - blake3.SETS);
const HALF = at(blake3.CV + 32, 32);
const BEHIND = at(blake3.STAGE + blake3.STAGE_BYTES, 15_360);
const blockPadding = (length: number): Range => at(blake3.STAGE + length, length ? -length & 63 : 64);
const ROOT = 8;
/** Of the root both halves are wanted. */
const half = (flags: number): Range[] => (flags & ROOT ? [] : [HALF]);

const BLAKE3_SCRATCH: Readonly<Record<string, ScratchOf>> = {
  chunk: (length, _low, _high, _flags, last) => [blockPadding(length), ...half(last)],
  prepare: (length) => [blockPadding(length), HALF],
  tree: (length) => [
    LANES,
    at(blake3.CVS + 64, blake3.KEY - blake3.CVS - 64),
    at(blake3.CV, 64),
    blockPadding(length),
    BEHIND,
  ],
  many: (count) => [
    LANES,
    at(blake3.CVS + 32 * count, blake3.KEY - blake3.CVS - 32 * count),
    at(blake3.CV, 64),
    BEHIND,
  ],
  parent: (flags) => half(flags),
  // One chunk needs neither sets nor a tree, and the library wipes neither.
  hash: (length) => (length <= 1024 ? [blockPadding(length)] : [MERGED, blockPadding(length), BEHIND]),
  output: (_length, _low, _high, _flags, blocks) => [LANES, at(blake3.STAGE + 64 * blocks, 1024)],
};

const SCRATCH: Readonly<Record<Family, Readonly<Record<string, ScratchOf>>>> = {
  chacha: CHACHA_SCRATCH,
  secretbox: SECRETBOX_SCRATCH,
  poly1305: POLY1305_SCRATCH,
  blake3: BLAKE3_SCRATCH,
  serpent: SERPENT_SCRATCH,
  'serpent-ctr': SERPENT_CTR_SCRATCH,
  disk: DISK_SCRATCH,
};

const SEALED: ScratchOf = (_kind, aadLength, length) => [
  at(chacha.AAD, aadLength),
  at(chacha.SETS, chacha.DATA - chacha.SETS),
  at(chacha.DATA + length + 16, 256),
];

const BOX_SEALED: ScratchOf = (_kind, length) => [
  at(chacha.SETS, BOX - TAG_BYTES - chacha.SETS),
  at(BOX + length, 256),
];

const CALLS: Readonly<Record<Family, Readonly<Record<string, CallOf>>>> = {
  chacha: CHACHA,
  secretbox: SECRETBOX,
  poly1305: POLY1305,
  blake3: BLAKE3,
  serpent: SERPENT,
  'serpent-ctr': SERPENT_CTR,
  disk: DISK,
};

/** Half of a stage that is larger is not worth the time. */
const MOST: Readonly<Record<Family, number>> = {
  chacha: 3000,
  secretbox: 3000,
  poly1305: 1000,
  blake3: 24_000,
  serpent: 1000,
  'serpent-ctr': 1000,
  disk: 1500,
};
const mostOf = ({ family, short }: Kernel): number =>
  family === 'poly1305' ? Math.min(MOST.poly1305, STAGE_BYTES) : short ? chacha.SHORT_BYTES : MOST[family];

/** What the library calls: messages in parts never go to the kernel for short ones. */
const SHORT_NAMES: readonly string[] = ['extend', 'xor', 'seal', 'open'];

/** The exported functions that the library calls. */
export const callNames = ({ family, short }: Kernel): readonly string[] =>
  short ? SHORT_NAMES : Object.keys(CALLS[family]);

/** Where constants may be: of disk encryption there are those of AES, too, and in its vectors without relaxed instructions. */
const constantBytes = ({ family, form }: Kernel): number => (family === 'disk' ? MIDDLE : form === 'relaxed' ? 32 : 0);

/** Fills memory, except the constants that were in it from the start, and gives the parameters of a call. */
export function prepare(kernel: Kernel, name: string, random: Random, memory: Uint8Array<ArrayBuffer>): Call {
  const constants = kernel.form === 'scalar' ? new Uint8Array(0) : memory.slice(0, constantBytes(kernel));
  random.fill(memory);
  memory.set(constants);
  const view = new DataView(memory.buffer);
  if (kernel.family === 'chacha' || kernel.family === 'secretbox') chachaState(random, view);
  if (kernel.family === 'poly1305') poly1305State(random, view, STATE);
  if (kernel.family === 'disk') poly1305State(random, view, chacha.POLY);
  const parameters = CALLS[kernel.family][name](random, view, mostOf(kernel));
  const scratchOf = SCRATCH[kernel.family][name] as ScratchOf | undefined;
  const sealed = kernel.family === 'secretbox' ? BOX_SEALED : SEALED;
  const wiped = name === 'seal' && !kernel.family.startsWith('serpent') ? sealed(...parameters) : [];
  return { name, parameters, scratch: scratchOf?.(...parameters) ?? [], wiped };
}
