/** The block counter of raw stream ciphers: 32 or 64 bits, which never wrap. */
import { floor, toNumber } from '../engine/intrinsics.ts';

/** The number of a block, in two halves so that all 64 bits are exact. */
export interface Counter {
  low: number;
  high: number;
}

/** The width of a cipher's counter. */
interface Width {
  readonly counterBits: 32 | 64;
}

export const counterOf = (block: bigint): Counter => ({
  low: toNumber(block & 0xffffffffn),
  high: toNumber(block >> 32n),
});

/** Adds blocks. One past the last block, `low` is 2^32 and `high` is unchanged. */
export function plus({ counterBits }: Width, { low, high }: Counter, blocks: number): Counter {
  const sum = low + blocks;
  const carry = floor(sum / 2 ** 32);
  const most = counterBits === 32 ? 0 : 2 ** 32 - 1;
  return high + carry > most ? { low: 2 ** 32, high } : { low: sum % 2 ** 32, high: high + carry };
}

/**
 * Libraries differ at the last block: OpenSSL carries into the nonce, libsodium aborts, others wrap and repeat keystream. Here the
 * last block may be used, and one more byte is refused before anything is written.
 */
export function checkBlocks({ counterBits }: Width, { low, high }: Counter, blocks: number): void {
  const left = counterBits === 32 || high === 0xffffffff ? 2 ** 32 - low : Infinity;
  if (blocks > left)
    throw new RangeError(`"data" expected at most ${left} blocks of 64 bytes up to the counter's end, got ${blocks}`);
}
