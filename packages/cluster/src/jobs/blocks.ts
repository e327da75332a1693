/** Pieces of any length, as blocks of one length. */

/**
 * Puts pieces together to blocks; the last one may be shorter. A piece that is a whole block is given as it is; other blocks are in one
 * buffer, which is used again.
 */
export async function* blocksOf(
  pieces: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let block: Uint8Array | undefined;
  let filled = 0;
  for await (const piece of pieces)
    for (let at = 0; at < piece.length;) {
      if (filled === 0 && piece.length - at >= blockBytes) {
        yield piece.subarray(at, at + blockBytes);
        at += blockBytes;
        continue;
      }
      block ??= new Uint8Array(blockBytes);
      const count = Math.min(piece.length - at, blockBytes - filled);
      block.set(piece.subarray(at, at + count), filled);
      at += count;
      filled += count;
      if (filled === blockBytes) {
        yield block;
        filled = 0;
      }
    }
  if (filled > 0) yield block!.subarray(0, filled);
}
