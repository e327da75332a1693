/** Reads any range of a content, each byte proven. */
import type { Tree } from './proof.ts';
import { Proof } from './proof.ts';
import { refuseSurplus, sizeOf } from '../calls/checks.ts';
import { abortable, follow, signalOf } from '../work/abort.ts';
import { Bytes, copyBytes, part } from '../engine/intrinsics.ts';

/** Any range of a content. Made by {@link verifiedReader}. */
export class VerifiedReader {
  /** The length of the content in bytes, which is proven. */
  readonly size: number;
  readonly #tree: Tree;
  /** Aborted with the reason for which the reader has ended. */
  readonly #end = new AbortController();
  readonly #unfollow: () => void;

  /** @internal */
  constructor(tree: Tree, size: number, signal: AbortSignal | undefined) {
    if (typeof tree?.origin !== 'object') throw new TypeError('a reader is made by verifiedReader()');
    this.size = size;
    this.#tree = tree;
    this.#unfollow = follow(signal, (reason) => this.#end.abort(reason));
  }

  /** @internal */
  static async open(tree: Tree, its: AbortSignal, signal: AbortSignal | undefined): Promise<VerifiedReader> {
    // The slice after every end has the last group.
    const proof = new Proof(tree, Number.MAX_SAFE_INTEGER, 1);
    while (await proof.next(its));
    return new VerifiedReader(tree, proof.size, signal);
  }

  /**
   * Reads the bytes from `from` to `to`, without the one at `to`. Any number of reads may be under way.
   *
   * @param from - The first byte: an integer from 0 up.
   * @param to - Where to stop: an integer from `from` to `size`.
   * @param signal - An AbortSignal, if the read is to be given up some day.
   * @returns A promise of all of these bytes, fresh ones. It is rejected with an Error `bytes 16384 to 32768 do not match the hash` when no
   * source has the right ones, the reason of a signal, or whatever a source throws: then nothing is given, and the reader can still be used.
   * @throws TypeError or RangeError if an argument is not of that form, Error after `destroy`: at once.
   */
  read(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    refuseSurplus(arguments, 3);
    if (sizeOf(to, 'to', sizeOf(from, 'from')) > this.size)
      throw new RangeError(`"to" expected integer from "from" to ${this.size}, the size, got ${to}`);
    return abortable([this.#end.signal, signalOf(signal)], async (its) => {
      const bytes = new Bytes(to - from);
      if (from === to) return bytes;
      const proof = new Proof(this.#tree, from, to - from);
      await proof.begin(its, this.size);
      for (;;) {
        const proven = await proof.next(its, ({ offset, length }) =>
          offset >= from && offset + length <= to ? part(bytes, offset - from, length) : undefined,
        );
        if (!proven) return bytes;
        const { node, content } = proven;
        const { first, end } = proof.overlapOf(node);
        if (end - first < node.length) copyBytes(bytes, part(content, first, end - first), node.offset + first - from);
      }
    });
  }

  /** Ends the reader: reads that are under way are rejected, and later ones, too. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#unfollow();
    this.#end.abort(new Error('cannot use a reader after destroy()'));
  }
}
