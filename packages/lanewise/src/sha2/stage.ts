/** Messages on their way through linear memory: staged, padded, hashed. */
import type { Instance } from '../engine/instance.ts';
import { fillBytes, floor, min, part } from '../engine/intrinsics.ts';
import type { Hash } from './hash.ts';
import { DIGEST, PADDING_BYTES, STAGE, STAGE_BYTES } from './map.ts';
import type { Functions } from './module.ts';

type Kernel = Instance<Functions>;

/** The address up to which a call for so many bytes leaves something. */
export const wipedTo = (length: number): number => STAGE + min(length, STAGE_BYTES) + PADDING_BYTES;

/** Appends bytes to those that are staged, and hashes the stage whenever it is full and more follows. Returns the number of bytes there. */
export function stage(kernel: Kernel, { blockLen }: Hash, staged: number, bytes: Uint8Array, length: number): number {
  if (staged + length <= STAGE_BYTES) {
    kernel.write(STAGE + staged, length, bytes);
    return staged + length;
  }
  for (let from = 0; from < length;) {
    if (staged === STAGE_BYTES) {
      kernel.run.compress(STAGE, STAGE_BYTES / blockLen);
      staged = 0;
    }
    const size = min(STAGE_BYTES - staged, length - from);
    kernel.write(STAGE + staged, size, part(bytes, from, size));
    staged += size;
    from += size;
  }
  return staged;
}

/** Writes the number of bits, big-endian, over zeros in front of an address; an array takes the low bits of the integer part. FIPS 180-4 §5.1 */
export function writeLength(memory: Uint8Array, end: number, length: number): void {
  for (let i = 1, bits = 8 * length; bits >= 1; i++, bits /= 256) memory[end - i] = bits;
}

/** Pads a message of `length` bytes, whose last ones are staged, and hashes them. FIPS 180-4 §5.1 */
export function finish(kernel: Kernel, { blockLen }: Hash, staged: number, length: number): void {
  const { memory } = kernel;
  const at = STAGE + staged;
  // The bit that ends the message, and its length in an eighth of a block.
  const blocks = floor((staged + blockLen / 8) / blockLen) + 1;
  // What an earlier part or message has left behind.
  fillBytes(memory, 0, at, STAGE + blocks * blockLen);
  memory[at] = 0x80;
  writeLength(memory, STAGE + blocks * blockLen, length);
  kernel.run.compress(STAGE, blocks);
}

/** The digest of the chaining value. */
export function read(kernel: Kernel, { outputLen }: Hash, digest: Uint8Array): void {
  kernel.run.digest(DIGEST, outputLen);
  kernel.read(DIGEST, outputLen, digest);
}

/** Pads the block at DIGEST, which begins with a digest and follows the block of the key. RFC 2104 §2 */
export function padDigest({ memory }: Kernel, { blockLen, outputLen }: Hash): void {
  fillBytes(memory, 0, DIGEST, DIGEST + blockLen);
  memory[DIGEST + outputLen] = 0x80;
  writeLength(memory, DIGEST + blockLen, blockLen + outputLen);
}
