/**
 * The saved form of a hasher, all integers little-endian:
 *
 *      offset  bytes  field
 *           0      1  version: 2
 *           1      1  flags of the mode
 *           2      1  depth: how many chaining values are in the stack
 *           3      1  0
 *           4      4  pending bytes
 *           8      8  chunks in the stack
 *          16      8  length of a digest
 *          24      8  position in the output
 *          32     32  key, or the initial value
 *          64         the stack, 32 bytes a chaining value; then the pending bytes
 */
import { KEY_BYTES as KEY, type Mode } from './mode.ts';
import { lengthOf } from '../calls/checks.ts';
import { byteLengthOf, Bytes, copyBytes, floor, part, toBigInt, toNumber } from '../engine/intrinsics.ts';
import { DERIVE_KEY_MATERIAL, KEYED_HASH } from './rounds.ts';

/** A message that was absorbed so far. Lengths of `stack` and `pending` are exact. */
export interface State {
  readonly chunks: number;
  readonly stack: Uint8Array;
  readonly pending: Uint8Array;
}

const VERSION = 2;
const HEADER = 32;
const CV = 32;

/** A little-endian integer of `count` bytes. */
function write(to: Uint8Array, at: number, count: number, value: number): void {
  for (let i = 0; i < count; i++, value = floor(value / 256)) to[at + i] = value % 256;
}

/**
 * The inverse of `write`. Values of 2^53 and more lose precision but stay at 2^53 or above, so the range checks of
 * `decode` still reject them.
 */
function read(from: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = count; i-- > 0;) value = value * 256 + from[at + i];
  return value;
}

export function encode(mode: Mode, { chunks, stack, pending }: State, position: bigint): Uint8Array<ArrayBuffer> {
  const pendingAt = HEADER + KEY + byteLengthOf(stack);
  const saved = new Bytes(pendingAt + byteLengthOf(pending));
  saved[0] = VERSION;
  saved[1] = mode.flags;
  saved[2] = byteLengthOf(stack) / CV;
  write(saved, 4, 4, byteLengthOf(pending));
  write(saved, 8, 8, chunks);
  write(saved, 16, 8, mode.length);
  // In two halves: all 64 bits count.
  write(saved, 24, 4, toNumber(position & 0xffffffffn));
  write(saved, 28, 4, toNumber(position >> 32n));
  copyBytes(saved, mode.key, HEADER);
  copyBytes(saved, stack, HEADER + KEY);
  copyBytes(saved, pending, pendingAt);
  return saved;
}

/** Chunks are absorbed `gathered` at a time, and at most `mostPending` bytes wait for that. */
export function decode(
  given: Uint8Array,
  gathered: number,
  mostPending: number,
): { mode: Mode; state: State; position: bigint } {
  const size = lengthOf(given, 'state');
  const saved = new Bytes(size);
  copyBytes(saved, given);
  const wrong = (): RangeError => new RangeError('"state" expected what save() of this version gave');
  if (size < HEADER + KEY || saved[0] !== VERSION || saved[3] !== 0) throw wrong();
  const flags = saved[1];
  const depth = saved[2];
  const pendingLength = read(saved, 4, 4);
  const chunks = read(saved, 8, 8);
  const length = read(saved, 16, 8);
  const pendingAt = HEADER + KEY + depth * CV;
  const right =
    (flags === 0 || flags === KEYED_HASH || flags === DERIVE_KEY_MATERIAL) &&
    chunks < 2 ** 53 &&
    chunks % gathered === 0 &&
    // Subtrees are powers of two, one for each bit of their sum.
    depth === bitsOf(chunks) &&
    pendingLength <= mostPending &&
    (pendingLength > 0 || chunks === 0) &&
    length < 2 ** 53 &&
    size === pendingAt + pendingLength;
  if (!right) throw wrong();
  return {
    mode: { key: part(saved, HEADER, KEY), flags, length },
    state: {
      chunks,
      stack: part(saved, HEADER + KEY, depth * CV),
      pending: part(saved, pendingAt, pendingLength),
    },
    position: toBigInt(read(saved, 24, 4)) | (toBigInt(read(saved, 28, 4)) << 32n),
  };
}

function bitsOf(n: number): number {
  let bits = 0;
  for (let rest = n; rest > 0; rest = floor(rest / 2)) bits += rest % 2;
  return bits;
}
