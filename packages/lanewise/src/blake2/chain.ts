/** The chaining value of BLAKE2 in a kernel's memory, from the parameter block to the digest. RFC 7693 §3.3 */
import type { Instance } from '../engine/instance.ts';
import { fillBytes, floor, max, min, part } from '../engine/intrinsics.ts';
import { H, STAGE, STAGE_BYTES } from './map.ts';
import type { Functions } from './module.ts';
import type { Mode } from './options.ts';
import type { Variant } from './variants.ts';

/** All ones: the flag of the last block. */
const LAST = -1;

/** Where a call that stages so many bytes leaves secrets: the block of the last of them is filled up with zeros. */
export const secretsTo = (length: number): number => STAGE + min(STAGE_BYTES, length + 128);

/** The chaining value before the first block goes to H. */
export function begin(kernel: Instance<Functions>, { mostBytes }: Variant, { parameters }: Mode): void {
  kernel.write(H, mostBytes, parameters);
  kernel.run.start();
}

/**
 * Compresses `length` bytes, with the last of the message among them or else whole blocks only.
 *
 * @param count - The number of bytes before them.
 */
export function absorb(
  kernel: Instance<Functions>,
  { blockBytes }: Variant,
  bytes: Uint8Array,
  length: number,
  count: number,
  isLast: boolean,
): void {
  const compress = (address: number, blocks: number, to: number, last: number): void =>
    kernel.run.compress(address, blocks, to | 0, floor(to / 2 ** 32), last);
  for (let at = 0; at === 0 || at < length; at += STAGE_BYTES) {
    const size = min(STAGE_BYTES, length - at);
    const ends = isLast && at + size === length;
    kernel.write(STAGE, size, part(bytes, at, size));
    const blocks = ends ? floor(max(0, size - 1) / blockBytes) : size / blockBytes;
    if (blocks) compress(STAGE, blocks, count + at + blockBytes, 0);
    if (!ends) continue;
    const block = STAGE + blocks * blockBytes;
    fillBytes(kernel.memory, 0, STAGE + size, block + blockBytes);
    compress(block, 1, count + length, LAST);
  }
}
