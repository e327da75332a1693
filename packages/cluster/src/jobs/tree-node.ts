/** A node of BLAKE3's tree over a range of bytes, which come in pieces. */
import { merge, subtree, type Subtree } from 'lanewise/blake3.js';
import { blocksOf } from './blocks.ts';
import { FinalError } from './errors.ts';
import type { ModeOptions } from './mode.ts';

/** Bytes that are hashed at once. */
const BLOCK_BYTES = 2 ** 20;

/** Merges nodes, given from left to right. All but the last have one length, a power of two. */
export class Merger {
  readonly #parts: Subtree[] = [];

  add(part: Subtree): void {
    const parts = this.#parts;
    parts.push(part);
    // Whole siblings are merged as soon as both are there, so that about log2(n) of n parts are kept.
    while (parts.length > 1) {
      const [left, right] = [parts[parts.length - 2], parts[parts.length - 1]];
      if (left.length !== right.length || left.offset % (2 * left.length) !== 0) return;
      parts.splice(-2, 2, merge(left, right));
    }
  }

  /** The last part may be short; then the waiting nodes are merged from the right. */
  end(): Subtree {
    return this.#parts.reduceRight((right, left) => merge(left, right));
  }
}

/** The node over a range whose bytes are these pieces. */
export async function nodeOf(
  pieces: AsyncIterable<Uint8Array>,
  offset: number,
  length: number,
  options: ModeOptions['options'],
): Promise<Subtree> {
  const merger = new Merger();
  let at = offset;
  for await (const block of blocksOf(pieces, Math.min(BLOCK_BYTES, length))) {
    merger.add(subtree(block, { ...options, offset: at }));
    at += block.length;
  }
  // The reader has checked lengths; a wrong one here would be a wrong hash.
  if (at !== offset + length) throw new FinalError(`"object" expected ${length} bytes in a range, got ${at - offset}`);
  return merger.end();
}
