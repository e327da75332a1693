/** The state of a message in pieces: the chaining values of its finished subtrees, and the bytes after them. */
import { blake3Instance } from './binding.ts';
import type { Mode } from './mode.ts';
import { OutputNode } from './output.ts';
import type { State } from './saved.ts';
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import {
  byteLengthOf,
  Bytes,
  copyBytes,
  copyOf,
  fillBytes,
  floor,
  max,
  min,
  part,
  toBigInt,
} from '../engine/intrinsics.ts';
import * as layout from './map.ts';
import type { Functions as Kernel } from './module.ts';
import { BLOCK_BYTES, CHUNK, CHUNK_END, PARENT } from './rounds.ts';

const CV = layout.CV_BYTES;
/** Small updates are gathered until there are 16 chunks, which fill the lanes. */
export const GATHERED = 16;
export const PENDING = GATHERED * CHUNK;
/** The number of levels above the chunks in a tree of 2^64 bytes. */
const LEVELS = 54;

/**
 * A message that is absorbed in pieces. Whole subtrees of chunks become chaining values as soon as more bytes are known
 * to follow. The rest, at most 16 KiB, is kept as a copy.
 */
export class Message {
  readonly #mode: Mode;
  /** The number of the first chunk: of a subtree, not 0. */
  readonly #first: number;
  /** Chaining values of finished subtrees, the largest first, and how many chunks they have together. */
  #stack: Uint8Array = new Bytes(0);
  #depth = 0;
  #chunks = 0;
  #pending: Uint8Array = new Bytes(0);
  #pendingLength = 0;

  constructor(mode: Mode, first = 0) {
    this.#mode = mode;
    this.#first = first;
  }

  /** In bytes. */
  get length(): bigint {
    return toBigInt(this.#chunks) * toBigInt(CHUNK) + toBigInt(this.#pendingLength);
  }

  /** Absorbs `length` bytes. */
  update(bytes: Uint8Array, length: number): void {
    const done = this.#pendingLength + length > PENDING ? this.#absorbMost(bytes, length, PENDING) : 0;
    this.#gather(bytes, done, length - done);
  }

  /** A copy with bytes of its own: no call on one message changes the other. */
  copy(mode: Mode): Message {
    const twin = new Message(mode, this.#first);
    twin.#stack = copyOf(this.#stack);
    twin.#depth = this.#depth;
    twin.#chunks = this.#chunks;
    twin.#pending = copyOf(this.#pending);
    twin.#pendingLength = this.#pendingLength;
    return twin;
  }

  /** The state as views of the message's own bytes. */
  get state(): State {
    return {
      chunks: this.#chunks,
      stack: part(this.#stack, 0, this.#depth * CV),
      pending: part(this.#pending, 0, this.#pendingLength),
    };
  }

  /** Makes a message of a decoded state, and takes its arrays over: the caller must not change them any more. */
  static load(mode: Mode, { chunks, stack, pending }: State): Message {
    const message = new Message(mode);
    message.#stack = stack;
    message.#depth = byteLengthOf(stack) / CV;
    message.#chunks = chunks;
    message.#pending = pending;
    message.#pendingLength = byteLengthOf(pending);
    return message;
  }

  #gather(message: Uint8Array, from: number, size: number): void {
    const needed = this.#pendingLength + size;
    if (needed > byteLengthOf(this.#pending)) {
      // The first buffer has one chunk, because most messages are short.
      const larger = new Bytes(needed <= CHUNK ? CHUNK : PENDING);
      copyBytes(larger, part(this.#pending, 0, this.#pendingLength));
      fillBytes(this.#pending, 0);
      this.#pending = larger;
    }
    if (size) copyBytes(this.#pending, part(message, from, size), this.#pendingLength);
    this.#pendingLength = needed;
  }

  /** The node at the top of a message whose last bytes are here: they are not copied, but go to the root directly. */
  rootOver(message: Uint8Array, length: number): OutputNode {
    const done = length > layout.STAGE_BYTES ? this.#absorbMost(message, length, layout.STAGE_BYTES) : 0;
    return this.root(part(message, done, length - done), length - done);
  }

  /**
   * Makes subtrees of the pending bytes and of the message, all but at most the last `rest` bytes; returns how many
   * bytes of the message were absorbed.
   */
  #absorbMost(message: Uint8Array, length: number, rest: number): number {
    const to = layout.secretsTo(min(layout.STAGE_BYTES, max(PENDING, length)));
    return lend(blake3Instance(PENDING), layout.SETS, to, (kernel) => {
      let done = 0;
      kernel.write(layout.KEY, CV, this.#mode.key);
      if (this.#pendingLength) {
        // More bytes follow, so the pending bytes aren't part of the root.
        done = PENDING - this.#pendingLength;
        this.#gather(message, 0, done);
        this.#absorb(kernel, this.#pending, GATHERED);
        this.#pendingLength = 0;
      }
      while (length - done > rest) {
        // The largest subtree that may start here and leaves at least one byte for the root. Half of a kernel's memory is the stage; native code,
        // which reads bytes where they are, has more.
        let chunks = byteLengthOf(kernel.memory) / (2 * CHUNK);
        while (chunks * CHUNK >= length - done || this.#chunks % chunks) chunks /= 2;
        this.#absorb(kernel, part(message, done, chunks * CHUNK), chunks);
        done += chunks * CHUNK;
      }
      return done;
    });
  }

  /** Absorbs a subtree of `chunks` chunks: a power of two from 16 up that divides the number of chunks before it. */
  #absorb(kernel: Instance<Kernel>, bytes: Uint8Array, chunks: number): void {
    const { flags } = this.#mode;
    kernel.write(layout.STAGE, chunks * CHUNK, bytes);
    const { low, high } = this.#counter();
    kernel.run.tree(chunks * CHUNK, low, high, flags);
    kernel.run.parent(flags);
    this.#chunks += chunks;
    // Two adjacent subtrees of one size merge to one of twice the size.
    for (let whole = this.#chunks / chunks; whole % 2 === 0; whole /= 2) {
      kernel.write(layout.CVS, CV, part(this.#stack, --this.#depth * CV, CV));
      kernel.run.copyUp();
      kernel.run.parent(flags);
    }
    if (byteLengthOf(this.#stack) < LEVELS * CV) {
      const larger = new Bytes(LEVELS * CV);
      copyBytes(larger, this.#stack);
      fillBytes(this.#stack, 0);
      this.#stack = larger;
    }
    kernel.read(layout.CV, CV, this.#stack, this.#depth++ * CV);
  }

  /** The number of the next chunk, in two words. */
  #counter(): { low: number; high: number } {
    const number = this.#first + this.#chunks;
    return { low: number | 0, high: floor(number / 2 ** 32) | 0 };
  }

  /** The node at the top of the whole message: the absorbed bytes, and `length` bytes after them. §2.1 */
  root(rest = this.#pending, length = this.#pendingLength): OutputNode {
    const { key, flags } = this.#mode;
    // The kernel that absorbed the message also computes its root, so that a long message does not wait for a second
    // kernel.
    const size = this.#depth ? PENDING : length;
    return lend(blake3Instance(size), layout.SETS, layout.secretsTo(length), (kernel) => {
      const node = (blockAt: number, chainingValueAt: number, blockLength: number, nodeFlags: number): OutputNode => {
        const made = new OutputNode(blockLength, nodeFlags, size);
        kernel.read(blockAt, BLOCK_BYTES, made.block);
        kernel.read(chainingValueAt, CV, made.chainingValue);
        return made;
      };
      kernel.write(layout.KEY, CV, key);
      kernel.write(layout.STAGE, length, part(rest, 0, length));
      const { low, high } = this.#counter();
      if (this.#depth === 0 && length <= CHUNK) {
        const start = kernel.run.prepare(length, low, high, flags);
        const last = length === 0 ? 0 : (length - 1) & -BLOCK_BYTES;
        return node(layout.BLOCK, layout.CV, length - last, flags | start | CHUNK_END);
      }
      if (length > CHUNK) kernel.run.tree(length, low, high, flags);
      if (this.#depth === 0) return node(layout.CVS, layout.KEY, BLOCK_BYTES, flags | PARENT);
      if (length > CHUNK) kernel.run.parent(flags);
      else kernel.run.chunk(length, low, high, flags, 0);
      for (let level = this.#depth; ;) {
        kernel.write(layout.CVS, CV, part(this.#stack, --level * CV, CV));
        kernel.run.copyUp();
        if (level === 0) return node(layout.CVS, layout.KEY, BLOCK_BYTES, flags | PARENT);
        kernel.run.parent(flags);
      }
    });
  }

  /** Wipes all bytes of the message. */
  wipe(): void {
    fillBytes(this.#stack, 0);
    fillBytes(this.#pending, 0);
    this.#depth = this.#chunks = this.#pendingLength = 0;
  }
}

/** The chaining value of a part of a message, `length` bytes that start at chunk `first`. */
export function chainingValueOf(mode: Mode, first: number, bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const message = new Message(mode, first);
  const value = new Bytes(CV);
  try {
    const node = message.rootOver(bytes, length);
    // The counter of a chunk is its number, that of a parent is 0: §2.4 and §2.5.
    node.read(node.flags & PARENT ? 0n : toBigInt(first) << 6n, 0, value, CV);
    node.wipe();
  } finally {
    message.wipe();
  }
  return value;
}
