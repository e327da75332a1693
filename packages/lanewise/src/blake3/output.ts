/** The output of a node, §2.6 of the paper: that of the root is the hash, of any length. */
import { blake3Instance } from './binding.ts';
import { lend } from '../calls/lifetime.ts';
import type { Mode } from './mode.ts';
import { Bytes, copyBytes, fillBytes, max, min, toBigInt, toNumber } from '../engine/intrinsics.ts';
import * as layout from './map.ts';
import { BLOCK_BYTES, CHUNK, PARENT, ROOT } from './rounds.ts';

/** §2.6: the output has at most 2^64 bytes. */
export const OUTPUT_END = 1n << 64n;

/** A node before its last compression. */
export class OutputNode {
  readonly block = new Bytes(BLOCK_BYTES);
  readonly chainingValue = new Bytes(layout.CV_BYTES);
  readonly #length: number;
  readonly #size: number;
  readonly flags: number;

  /**
   * A node whose last block has `length` bytes; `size` is the length of the message, by which its kernel was chosen.
   */
  constructor(length: number, flags: number, size: number) {
    this.#length = length;
    this.#size = size;
    this.flags = flags;
  }

  /** Writes bytes of the output from `position` on; `more` are flags in addition to the node's own. */
  read(position: bigint, more: number, out: Uint8Array, length: number): void {
    if (length === 0) return;
    let number = position >> 6n;
    let skip = toNumber(position & 63n);
    const to = layout.secretsTo(min(length + BLOCK_BYTES, layout.STAGE_BYTES) + CHUNK);
    lend(blake3Instance(max(length, this.#size)), layout.SETS, to, (kernel) => {
      kernel.write(layout.BLOCK, BLOCK_BYTES, this.block);
      kernel.write(layout.CV, layout.CV_BYTES, this.chainingValue);
      for (let done = 0; done < length;) {
        const size = min(length - done, layout.STAGE_BYTES - skip);
        const blocks = (skip + size + BLOCK_BYTES - 1) >>> 6;
        const low = toNumber(number & 0xffffffffn) | 0;
        const high = toNumber(number >> 32n) | 0;
        kernel.run.output(this.#length, low, high, this.flags | more, blocks);
        kernel.read(layout.STAGE + skip, size, out, done);
        done += size;
        number += toBigInt(blocks);
        skip = 0;
      }
    });
  }

  /** Writes the digest, and wipes the node. */
  take(out: Uint8Array, length: number): void {
    try {
      this.read(0n, ROOT, out, length);
    } finally {
      this.wipe();
    }
  }

  wipe(): void {
    fillBytes(this.block, 0);
    fillBytes(this.chainingValue, 0);
  }
}

/** The node over two chaining values. */
export function nodeOver({ key, flags }: Mode, left: Uint8Array, right: Uint8Array): OutputNode {
  const node = new OutputNode(BLOCK_BYTES, flags | PARENT, 0);
  copyBytes(node.block, left);
  copyBytes(node.block, right, layout.CV_BYTES);
  copyBytes(node.chainingValue, key);
  return node;
}
