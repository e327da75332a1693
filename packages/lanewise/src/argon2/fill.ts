/** The matrix is filled, some blocks of a lane at a time. RFC 9106 §3.2 steps 5 and 6, §3.4 */
import type { Instance } from '../engine/instance.ts';
import { fillBytes, floor } from '../engine/intrinsics.ts';
import { ADDRESSES, BETWEEN, BLOCKS, SCRATCH, SCRATCH_BYTES, ZERO } from './map.ts';
import type { Functions } from './module.ts';
import { ARGON2I, ARGON2ID, type Parameters } from './parameters.ts';
import { BLOCK_BYTES } from './rounds.ts';

/** The slices of a pass, between which all lanes wait for each other. */
export const SLICES = 4;
/** The pairs J1, J2 in a block of addresses. */
const PAIRS = BLOCK_BYTES / 8;

/** The functions that fill blocks, and the memory that holds the matrix. */
export type Kernel = Pick<Instance<Functions>, 'run' | 'memory'>;

/** A quarter of a lane, in one pass. */
export interface Segment {
  readonly pass: number;
  readonly slice: number;
  readonly lane: number;
}

/** The address of a block. */
export const addressOf = ({ columns }: Parameters, lane: number, column: number): number =>
  BLOCKS + BLOCK_BYTES * (lane * columns + column);

/** The high word of the product of two words, floor(x·y / 2^32): in products below 2^49, which are exact. */
const highProduct = (x: number, y: number): number =>
  floor(((x >>> 16) * y + floor(((x & 0xffff) * y) / 2 ** 16)) / 2 ** 16);

const wordAt = (memory: Uint8Array, at: number): number =>
  (memory[at] | (memory[at + 1] << 8) | (memory[at + 2] << 16) | (memory[at + 3] << 24)) >>> 0;

/**
 * Whether the blocks that are read in a segment are chosen by numbers that don't depend on the password: in Argon2i, and in
 * the first half of the first pass of Argon2id. §3.4.1
 */
const isIndependent = (kind: number, { pass, slice }: Segment): boolean =>
  kind === ARGON2I || (kind === ARGON2ID && pass === 0 && slice < SLICES / 2);

/** §3.4.1.2: the pairs of the 128 blocks that have this number, counted from 1 on. */
function makeAddresses(
  { run, memory }: Kernel,
  { kind, t, p, columns }: Parameters,
  { pass, slice, lane }: Segment,
  number: number,
  scratch: number,
): void {
  const addresses = scratch + ADDRESSES;
  const between = scratch + BETWEEN;
  const numbers = [pass, lane, slice, columns * p, t, kind, number];
  fillBytes(memory, 0, addresses, addresses + BLOCK_BYTES);
  // All are words of 64 bits, and below 2^32.
  for (let i = 0; i < 4 * numbers.length; i++)
    memory[addresses + 8 * (i >> 2) + (i & 3)] = numbers[i >> 2] >>> (8 * (i & 3));
  run.compress(ZERO, addresses, between, 0, scratch);
  run.compress(ZERO, between, addresses, 0, scratch);
}

/** The first block of a segment that is filled: two are there from the start. */
export const firstOf = ({ pass, slice }: Segment): number => (pass === 0 && slice === 0 ? 2 : 0);

/**
 * Fills the blocks of a segment from number `from` up to `until`. Those before them are there, by this function with the same scratch.
 *
 * @param thread - The number of the scratch: lanes that are filled at the same time have one each.
 */
export function fill(
  kernel: Kernel,
  parameters: Parameters,
  segment: Segment,
  from: number,
  until: number,
  thread = 0,
): void {
  const { run, memory } = kernel;
  const { kind, version, p, columns } = parameters;
  const { pass, slice, lane } = segment;
  const scratch = SCRATCH + SCRATCH_BYTES * thread;
  const pairs = isIndependent(kind, segment) ? scratch + ADDRESSES : 0;
  const length = columns / SLICES;
  // §3.2 step 6: from the second pass on, a block is XORed onto the one that it replaces; before version 0x13 it was not.
  const onto = pass && version === 0x13 ? 1 : 0;
  // §3.4.2: the blocks of which one is read, all that are finished or are from the pass before.
  const isFirst = !pass && !slice;
  const start = pass && slice < SLICES - 1 ? (slice + 1) * length : 0;
  const before = pass ? columns - length : slice * length;
  let previous = addressOf(parameters, lane, (slice * length + from + columns - 1) % columns);
  for (let i = from, to = addressOf(parameters, lane, slice * length + from); i < until; i++, to += BLOCK_BYTES) {
    if (pairs && (i % PAIRS === 0 || i === firstOf(segment)))
      makeAddresses(kernel, parameters, segment, floor(i / PAIRS) + 1, scratch);
    if (run.fill) {
      i = run.fill(columns, p, lane, slice + 4 * onto, pass, i, until, pairs) - 1;
      continue;
    }
    const pair = pairs ? pairs + 8 * (i % PAIRS) : previous;
    const j1 = wordAt(memory, pair);
    const its = isFirst || p === 1 ? lane : wordAt(memory, pair + 4) % p;
    // The block before this one is left out; in another lane there is one only if this is the first of its segment.
    const area = its === lane ? before + i - 1 : before - (i ? 0 : 1);
    const column = start + area - 1 - highProduct(highProduct(j1, j1), area);
    run.compress(previous, addressOf(parameters, its, column < columns ? column : column - columns), to, onto, scratch);
    previous = to;
  }
}
