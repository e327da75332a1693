/** BLAKE3 in pieces: what is absorbed, and the output of the root. */
import { blake3Instance } from './blake3-family.ts';
import { initialValue, outputLength, wipeMode, type Mode } from './blake3-mode.ts';
import { nodeOver, OUTPUT_END, OutputNode } from './blake3-output.ts';
import { decode, encode } from './blake3-saved.ts';
import { integerOf, lengthOf } from './checks.ts';
import type { Instance } from './engine/instance.ts';
import {
  byteLengthOf,
  Bytes,
  copyBytes,
  fillBytes,
  floor,
  max,
  min,
  part,
  toBigInt,
  toNumber,
} from './engine/intrinsics.ts';
import * as layout from './kernels/blake3.ts';
import type { Blake3 as Kernel } from './kernels/blake3-module.ts';
import { BLOCK, CHUNK, CHUNK_END, PARENT, ROOT } from './rounds/blake3.ts';

const CV = layout.CV_BYTES;
/** Small updates are gathered to so many chunks, which fill the lanes. */
const GATHERED = 16;
const PENDING = GATHERED * CHUNK;
/** A tree of 2^64 bytes has no more levels above its chunks. */
const LEVELS = 54;

/** The digest of a message of `length` bytes; in one call if it fits the stage. */
export function hash(message: Uint8Array, length: number, mode: Mode): Uint8Array<ArrayBuffer> {
  if (length > layout.STAGE_BYTES || mode.length > BLOCK) return Blake3.digestOf(mode, message, length);
  const digest = new Bytes(mode.length);
  const kernel = blake3Instance(length);
  try {
    if (mode.flags) kernel.write(mode.key, layout.KEY);
    kernel.write(message, layout.STAGE);
    kernel.run.hash(length, mode.flags);
    kernel.read(layout.CV, mode.length, digest);
  } finally {
    kernel.wipe(layout.secretsFrom(length), layout.secretsTo(length));
  }
  return digest;
}

/**
 * A message in pieces. Made by `blake3.create` and `blake3.load`.
 *
 * Whole subtrees of chunks become chaining values as soon as more is known to follow; of the rest, at most 16 KiB, a copy
 * is kept.
 */
export class Blake3 {
  /** 64 bytes. */
  readonly blockLen: number = BLOCK;
  /** The length of a digest in bytes. */
  readonly outputLen: number;
  readonly #mode: Mode;
  /** Chaining values of finished subtrees, the largest first, and how many chunks they have together. */
  #stack: Uint8Array = new Bytes(0);
  #depth = 0;
  #chunks = 0;
  /** The number of the first chunk: of a subtree, not 0. */
  #first = 0;
  #pending: Uint8Array = new Bytes(0);
  #pendingLength = 0;
  #root: OutputNode | undefined;
  #position = 0n;
  #ended: 'digest()' | 'destroy()' | 'xof()' | undefined;

  /** @internal */
  constructor(mode: Mode) {
    // A key of its own, which it wipes.
    this.#mode = mode.key === initialValue ? mode : { ...mode, key: copyOf(mode.key) };
    this.outputLen = mode.length;
  }

  /** How many bytes were absorbed: a bigint above 2^53 - 1. */
  get count(): number | bigint {
    const exact = toBigInt(this.#chunks) * toBigInt(CHUNK) + toBigInt(this.#pendingLength);
    return exact < 2 ** 53 ? toNumber(exact) : exact;
  }

  /**
   * Absorbs more of the message.
   *
   * @param message - Any number of bytes; not kept.
   * @returns The object.
   * @throws TypeError if it is no Uint8Array, Error after `digest`, `xof` or `destroy`.
   */
  update(message: Uint8Array): this {
    this.#checkOpen();
    const length = lengthOf(message, 'message');
    const done = this.#pendingLength + length > PENDING ? this.#absorbMost(message, length, PENDING) : 0;
    this.#gather(message, done, length - done);
    return this;
  }

  /**
   * The digest; ends the object and wipes it.
   *
   * @returns `dkLen` fresh bytes.
   * @throws Error after `digest`, `xof` or `destroy`.
   */
  digest(): Uint8Array<ArrayBuffer> {
    const out = new Bytes(this.#mode.length);
    this.digestInto(out);
    return out;
  }

  /**
   * Like `digest`, into the caller's bytes.
   *
   * @param out - As long as the digest.
   * @throws TypeError or RangeError if it is not that, Error after `digest`, `xof` or `destroy`; then nothing is written.
   */
  digestInto(out: Uint8Array): void {
    this.#checkOpen();
    lengthOf(out, 'out', this.#mode.length);
    this.#rootNode().read(0n, ROOT, out, this.#mode.length);
    this.#end('digest()');
  }

  /**
   * The digest so far; more may follow.
   *
   * @param length - In bytes, as `dkLen` unless given.
   * @returns Fresh bytes.
   * @throws TypeError or RangeError if that is no integer from 1 up, Error after `digest`, `xof` or `destroy`.
   */
  peek(length: number = this.#mode.length): Uint8Array<ArrayBuffer> {
    this.#checkOpen();
    const out = new Bytes(outputLength(length, 'length'));
    this.#rootNode().read(0n, ROOT, out, byteLengthOf(out));
    return out;
  }

  /**
   * The next bytes of the output, §2.6: at the first call the message ends.
   *
   * @param length - In bytes.
   * @returns Fresh bytes.
   * @throws TypeError or RangeError if that is no integer from 1 up or passes 2^64 bytes, Error after `digest` or
   * `destroy`.
   */
  xof(length: number): Uint8Array<ArrayBuffer> {
    return this.xofInto(new Bytes(outputLength(length, 'length')));
  }

  /**
   * Like `xof`, into the caller's bytes.
   *
   * @param out - Any number of bytes.
   * @returns `out`
   * @throws TypeError if it is no Uint8Array, RangeError if it passes 2^64 bytes, Error after `digest` or `destroy`; then
   * nothing is written.
   */
  xofInto<Out extends Uint8Array>(out: Out): Out {
    if (this.#ended !== 'xof()') this.#checkOpen();
    const length = lengthOf(out, 'out');
    const end = this.#position + toBigInt(length);
    if (end > OUTPUT_END)
      throw new RangeError(`"out" expected at most ${OUTPUT_END - this.#position} bytes, got length=${length}`);
    if (!this.#root) {
      this.#root = this.#rootNode();
      this.#end('xof()');
    }
    this.#root.read(this.#position, ROOT, out, length);
    this.#position = end;
    return out;
  }

  /**
   * Moves to a byte of the output, so that `xof` goes on there.
   *
   * @param position - From 0 up; above 2^53 - 1 a bigint.
   * @returns The object.
   * @throws TypeError or RangeError if it is no integer from 0 to 2^64 - 1, Error after `digest` or `destroy`.
   */
  seek(position: number | bigint): this {
    if (this.#ended !== 'xof()') this.#checkOpen();
    integerOf(position, 'position', 64);
    this.#position = toBigInt(position);
    return this;
  }

  /**
   * A second object in the same state; the two don't know of each other.
   *
   * @throws Error after `digest`, `xof` or `destroy`.
   */
  clone(): Blake3 {
    this.#checkOpen();
    const twin = new Blake3(this.#mode);
    twin.#stack = copyOf(this.#stack);
    twin.#depth = this.#depth;
    twin.#chunks = this.#chunks;
    twin.#pending = copyOf(this.#pending);
    twin.#pendingLength = this.#pendingLength;
    twin.#position = this.#position;
    return twin;
  }

  /**
   * Forgets the message; mode and key stay.
   *
   * @returns The object.
   * @throws Error after `digest` or `destroy`, which have wiped the key.
   */
  reset(): this {
    if (this.#ended !== 'xof()') this.#checkOpen();
    this.#wipe();
    this.#ended = undefined;
    return this;
  }

  /** Wipes the object; it can't be used any more. */
  destroy(): void {
    this.#end('destroy()');
  }

  /**
   * The state, to go on elsewhere or later with `blake3.load`. It holds the key and up to 16 KiB of the message.
   *
   * @returns Fresh bytes.
   * @throws Error after `digest`, `xof` or `destroy`.
   */
  save(): Uint8Array<ArrayBuffer> {
    this.#checkOpen();
    return encode({
      mode: this.#mode,
      chunks: this.#chunks,
      stack: part(this.#stack, 0, this.#depth * CV),
      pending: part(this.#pending, 0, this.#pendingLength),
    });
  }

  /** @internal */
  static load(saved: Uint8Array): Blake3 {
    const { mode, chunks, stack, pending } = decode(saved, GATHERED, PENDING);
    const hasher = new Blake3(mode.flags ? mode : { ...mode, key: initialValue });
    hasher.#stack = stack;
    hasher.#depth = byteLengthOf(stack) / CV;
    hasher.#chunks = chunks;
    hasher.#pending = pending;
    hasher.#pendingLength = byteLengthOf(pending);
    return hasher;
  }

  /**
   * The digest of a message that is all there.
   * @internal
   */
  static digestOf(mode: Mode, message: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
    const hasher = new Blake3(mode);
    const digest = new Bytes(mode.length);
    hasher.#rootOver(message, length).read(0n, ROOT, digest, mode.length);
    hasher.destroy();
    return digest;
  }

  /**
   * The chaining value of a part of a message that starts at chunk `first`.
   * @internal
   */
  static chainingValue(mode: Mode, first: number, message: Uint8Array): Uint8Array<ArrayBuffer> {
    const hasher = new Blake3(mode);
    hasher.#first = first;
    const node = hasher.#rootOver(message, byteLengthOf(message));
    const value = new Bytes(CV);
    // Chunks go by number, parents by 0.
    node.read(node.flags & PARENT ? 0n : toBigInt(first) << 6n, 0, value, CV);
    hasher.#wipe();
    return value;
  }

  /**
   * The output of the root over two chaining values.
   * @internal
   */
  static over(mode: Mode, left: Uint8Array, right: Uint8Array): Blake3 {
    const hasher = new Blake3(mode);
    hasher.#root = nodeOver(mode, left, right);
    hasher.#ended = 'xof()';
    return hasher;
  }

  #gather(message: Uint8Array, from: number, size: number): void {
    const needed = this.#pendingLength + size;
    if (needed > byteLengthOf(this.#pending)) {
      // One chunk first: most messages are short.
      const larger = new Bytes(needed <= CHUNK ? CHUNK : PENDING);
      copyBytes(larger, part(this.#pending, 0, this.#pendingLength));
      fillBytes(this.#pending, 0);
      this.#pending = larger;
    }
    if (size) copyBytes(this.#pending, part(message, from, size), this.#pendingLength);
    this.#pendingLength = needed;
  }

  /** The node at the top of a message that is all there: what is left of it at the end is not kept, but goes to the root. */
  #rootOver(message: Uint8Array, length: number): OutputNode {
    const done = length > layout.STAGE_BYTES ? this.#absorbMost(message, length, layout.STAGE_BYTES) : 0;
    return this.#rootNode(part(message, done, length - done), length - done);
  }

  /** Makes subtrees of what is pending and of the message, all but the last `rest` bytes or less; how much of the message. */
  #absorbMost(message: Uint8Array, length: number, rest: number): number {
    const kernel = blake3Instance(PENDING);
    let done = 0;
    let most = PENDING;
    try {
      kernel.write(this.#mode.key, layout.KEY);
      if (this.#pendingLength) {
        // More follows: what is pending is no part of the root.
        done = PENDING - this.#pendingLength;
        this.#gather(message, 0, done);
        this.#absorb(kernel, this.#pending, GATHERED);
        this.#pendingLength = 0;
      }
      while (length - done > rest) {
        // The largest subtree that may start here, and leaves something for the root.
        let chunks = layout.STAGE_BYTES / CHUNK;
        while (chunks * CHUNK >= length - done || this.#chunks % chunks) chunks /= 2;
        most = max(most, chunks * CHUNK);
        this.#absorb(kernel, part(message, done, chunks * CHUNK), chunks);
        done += chunks * CHUNK;
      }
    } finally {
      kernel.wipe(layout.SETS, layout.secretsTo(most));
    }
    return done;
  }

  /** A subtree of `chunks` chunks, a power of two from 16 up that divides how many there were. */
  #absorb(kernel: Instance<Kernel>, bytes: Uint8Array, chunks: number): void {
    const { flags } = this.#mode;
    kernel.write(bytes, layout.STAGE);
    const { low, high } = this.#counter();
    kernel.run.tree(chunks * CHUNK, low, high, flags);
    kernel.run.parent(flags);
    this.#chunks += chunks;
    // Two subtrees of one size are one of the next.
    for (let whole = this.#chunks / chunks; whole % 2 === 0; whole /= 2) {
      kernel.write(part(this.#stack, --this.#depth * CV, CV), layout.CVS);
      kernel.run.copyUp();
      kernel.run.parent(flags);
    }
    if ((this.#depth + 1) * CV > byteLengthOf(this.#stack)) {
      const larger = new Bytes(min(LEVELS, 2 * this.#depth + 8) * CV);
      copyBytes(larger, this.#stack);
      this.#stack = larger;
    }
    kernel.read(layout.CV, CV, this.#stack, this.#depth++ * CV);
  }

  /** The number of the next chunk, in two words. */
  #counter(): { low: number; high: number } {
    const number = this.#first + this.#chunks;
    return { low: number | 0, high: floor(number / 2 ** 32) | 0 };
  }

  /** The node at the top of all there is: what was absorbed, and `length` bytes behind that. §2.1 */
  #rootNode(rest = this.#pending, length = this.#pendingLength): OutputNode {
    const { key, flags } = this.#mode;
    // What has absorbed goes on, so that a long message does not wait for a second kernel.
    const size = this.#depth ? PENDING : length;
    const kernel = blake3Instance(size);
    const node = (blockAt: number, chainingValueAt: number, blockLength: number, nodeFlags: number): OutputNode => {
      const made = new OutputNode(blockLength, nodeFlags, size);
      kernel.read(blockAt, BLOCK, made.block);
      kernel.read(chainingValueAt, CV, made.chainingValue);
      return made;
    };
    try {
      kernel.write(key, layout.KEY);
      kernel.write(part(rest, 0, length), layout.STAGE);
      const { low, high } = this.#counter();
      if (this.#depth === 0 && length <= CHUNK) {
        const start = kernel.run.prepare(length, low, high, flags);
        const last = length === 0 ? 0 : (length - 1) & -BLOCK;
        return node(layout.BLOCK, layout.CV, length - last, flags | start | CHUNK_END);
      }
      if (length > CHUNK) kernel.run.tree(length, low, high, flags);
      if (this.#depth === 0) return node(layout.CVS, layout.KEY, BLOCK, flags | PARENT);
      if (length > CHUNK) kernel.run.parent(flags);
      else kernel.run.chunk(length, low, high, flags, 0);
      for (let level = this.#depth; ;) {
        kernel.write(part(this.#stack, --level * CV, CV), layout.CVS);
        kernel.run.copyUp();
        if (level === 0) return node(layout.CVS, layout.KEY, BLOCK, flags | PARENT);
        kernel.run.parent(flags);
      }
    } finally {
      kernel.wipe(layout.SETS, layout.secretsTo(length));
    }
  }

  #wipe(): void {
    fillBytes(this.#stack, 0);
    fillBytes(this.#pending, 0);
    this.#root?.wipe();
    this.#depth = this.#chunks = this.#pendingLength = 0;
    this.#root = undefined;
    this.#position = 0n;
  }

  /** The root of an output stays, for as long as there may be more of it; the key, for `reset`. */
  #end(by: 'digest()' | 'destroy()' | 'xof()'): void {
    if (by !== 'xof()') {
      this.#wipe();
      wipeMode(this.#mode);
    }
    this.#ended = by;
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error(`cannot use Blake3 after ${this.#ended}`);
  }
}

function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Bytes(byteLengthOf(bytes));
  copyBytes(copy, bytes);
  return copy;
}
