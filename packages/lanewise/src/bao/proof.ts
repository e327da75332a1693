/** Proves the bytes of a range, subtree by subtree. */
import type { Given, Mirror } from './contents.ts';
import { type Checker, wrongError } from './nodes.ts';
import type { Origin, Parts } from './origins.ts';
import { overlapOf, type Subtree } from './shape.ts';
import { sliceOf, Walk } from './walk.ts';
import { breathe, sliceIsOver } from '../work/slices.ts';
import { byteLengthOf, Bytes, copyBytes, min, part } from '../engine/intrinsics.ts';

/**
 * The most bytes that are proven at a time, which then are still in a processor's own cache, and how many the first time, so that the
 * first bytes come soon.
 */
export const MOST_BYTES = 524_288;
const FIRST_BYTES = 65_536;

/** A subtree whose bytes are proven. */
export interface Proven {
  readonly node: Subtree;
  /** All of its bytes, in memory that nothing else can write to. */
  readonly content: Uint8Array<ArrayBuffer>;
}

/** A subtree as it came, which nothing has proven. */
interface Got {
  readonly node: Subtree;
  readonly parts: Parts;
}

/** A tree that a hash proves, and where its nodes come from. */
export interface Tree {
  readonly origin: Origin;
  readonly hash: Uint8Array;
  readonly groupLength: number;
  readonly checker: Checker;
}

export class Proof {
  readonly #origin: Origin;
  readonly #hash: Uint8Array;
  readonly #groupLength: number;
  readonly #checker: Checker;
  /** The range that was asked for. */
  readonly #start: number;
  readonly #length: number;
  #size = 0;
  #walk: Walk | undefined;
  #coming: Promise<Got | undefined> | undefined;
  #most = FIRST_BYTES;

  /** @param length - How many bytes are asked for from `start` on: fewer if the content ends before. Infinity for all. */
  constructor({ origin, hash, groupLength, checker }: Tree, start: number, length: number) {
    this.#origin = origin;
    this.#hash = hash;
    this.#groupLength = groupLength;
    this.#start = start;
    this.#length = length;
    this.#checker = checker;
  }

  /** The length of the content, when its last group is proven; before that, only what the header tells. */
  get size(): number {
    return this.#size;
  }

  /** The bytes that were asked for, as far as a subtree has them. */
  overlapOf(node: Subtree): { readonly first: number; readonly end: number } {
    return overlapOf(node, this.#start, this.#start + this.#length);
  }

  /** Reads the header, unless the size is known. What the header tells is proven with the last group only. */
  async begin(signal: AbortSignal, size?: number): Promise<void> {
    this.#size = size ?? (await this.#origin.size(signal));
    const extent = sliceOf(this.#start, this.#length, this.#size);
    this.#walk = new Walk(this.#size, extent, this.#groupLength, this.#hash);
  }

  /**
   * The next subtree that has bytes of the range; undefined after the last one.
   *
   * @param room - Memory that the content may be put in: asked for when the subtree is known.
   */
  async next(signal: AbortSignal, room?: (node: Subtree) => Uint8Array | undefined): Promise<Proven | undefined> {
    if (!this.#walk) await this.begin(signal);
    const coming = this.#coming ?? this.#ask(signal);
    this.#coming = undefined;
    const got = await coming;
    if (!got) return undefined;
    this.#most = min(2 * this.#most, MOST_BYTES);
    if (this.#origin.isAnyPlace) {
      // The next bytes come while these are proven.
      this.#coming = this.#ask(signal);
      this.#coming.catch(() => undefined);
    }
    if (sliceIsOver()) await breathe();
    signal.throwIfAborted();
    const { node, parts } = got;
    return { node, content: await this.#prove(node, parts, room?.(node), signal) };
  }

  /** Goes down to the next subtree, and asks for it. */
  async #ask(signal: AbortSignal): Promise<Got | undefined> {
    const walk = this.#walk!;
    for (let step = walk.next(this.#most); step; step = walk.next(this.#most)) {
      const { node, isParent } = step;
      if (!isParent) return { node, parts: await this.#origin.subtree(node, signal) };
      const parent = await this.#origin.parent(node, signal);
      signal.throwIfAborted();
      walk.descend(node, parent);
    }
    return undefined;
  }

  /** Throws unless the origin has ended, too. */
  async end(): Promise<void> {
    await this.#origin.end?.();
  }

  /** The content is copied before it is compared: those who gave it might change it afterwards. */
  async #prove(
    node: Subtree,
    parts: Parts,
    room: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { content, parents, isOwn } = parts;
    // Memory that is made of bytes isn't zeroed first.
    const own = room ?? (isOwn ? content : new Bytes(content));
    if (room) copyBytes(room, content);
    let wrong = this.#checker.wrongOf(node, own, parents);
    // The bytes before `until` that were wrong have come from elsewhere.
    let [last, until]: [Given, number] = [parts, 0];
    // Of this read alone: another may be at another place meanwhile.
    let [place, sources] = [-1, new Set<Mirror>()];
    // The first time the next source is asked for one group; if that does not suffice, for all from the next wrong one on.
    for (let again = 0; wrong; again++) {
      if (wrong.what === 'parent') throw wrongError(wrong);
      const { offset } = wrong;
      const length = again ? node.offset + node.length - offset : wrong.length;
      if (offset !== place) [place, sources] = [offset, new Set()];
      const { mirror } = offset < until ? last : parts;
      if (mirror) sources.add(mirror);
      const other = await this.#origin.again?.(sources, offset, length, signal);
      signal.throwIfAborted();
      if (!other) throw wrongError(wrong);
      copyBytes(own, part(other.content, 0, min(length, byteLengthOf(other.content))), offset - node.offset);
      [last, until] = [other, offset + length];
      wrong = this.#checker.wrongOf(node, own, parents);
    }
    return own as Uint8Array<ArrayBuffer>;
  }
}
