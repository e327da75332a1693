/** Streams and readers of a content that give no byte before it is proven. */
import { openTree, type Inputs, type Opened } from './inputs.ts';
import type { GroupOptions } from './hasher.ts';
import { Proof } from './proof.ts';
import { VerifiedReader } from './reader.ts';
import type { Subtree } from './shape.ts';
import { refuseSurplus, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf, type Options } from '../calls/options.ts';
import { byteStreamController, readableStream } from '../io/host-streams.ts';
import type { RandomAccessSource } from '../io/random-access.ts';
import type { ByteSource } from '../io/source.ts';
import { abortable, follow, signalOf } from '../work/abort.ts';
import { progressOf, type PoolProgress } from '../work/progress.ts';
import { byteLengthOf, part } from '../engine/intrinsics.ts';

/** The options of a reader. */
export interface VerifiedReaderOptions extends GroupOptions {
  /** The outboard of the content, from anywhere. Without it, the source is an encoding. */
  readonly outboard?: RandomAccessSource;
  /** Other sources of the content, asked when the first fails, is slow, or gives wrong bytes. */
  readonly sources?: readonly RandomAccessSource[];
  /** How long a source may be silent before the next one is asked, too, in milliseconds, below 2^31: 5000 unless given. */
  readonly patience?: number;
  /** Ends the stream or the reader with the signal's reason, when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A range of a content. */
export interface VerifiedRange {
  /** The first byte: 0 unless given. */
  readonly from?: number;
  /** The byte after the last: the end of the content unless given. */
  readonly to?: number;
}

/** The options of a stream. */
export interface VerifiedOptions extends VerifiedReaderOptions {
  /** The bytes that are wanted: from `from`, 0 unless given, to `to`, without the one at `to`; to the end unless given. */
  readonly range?: VerifiedRange;
  /** Called with the number of bytes that were given, and the size of the content as soon as it is proven. */
  readonly onProgress?: PoolProgress;
}

const READER = { __proto__: null, groupLength: 1, outboard: 1, sources: 1, patience: 1, signal: 1 } as const;
const STREAM = { ...READER, __proto__: null, range: 1, onProgress: 1 } as const;
const RANGE = { __proto__: null, from: 1, to: 1 } as const;

const inputsOf = (given: Options<typeof READER>): Inputs => ({
  groupLength: optionOf(given, 'groupLength'),
  outboard: optionOf(given, 'outboard'),
  sources: optionOf(given, 'sources'),
  patience: optionOf(given, 'patience'),
});

interface Wanted {
  readonly from: number;
  /** Undefined for all bytes from there on. */
  readonly to: number | undefined;
}

function rangeOf(value: unknown): Wanted {
  const given = optionsOf(value, RANGE, '"range" expected plain object');
  const from = sizeOf(optionOr(given, 'from', 0), 'from');
  const to = optionOf(given, 'to');
  return { from, to: to === undefined ? undefined : sizeOf(to, 'to', from) };
}

/** As far as it is used, the controller of a byte stream; that of another stream has no requests for bytes. */
interface Controller {
  readonly byobRequest?: ReadableStreamBYOBRequest | null;
  enqueue(chunk: Uint8Array<ArrayBuffer>): void;
  close(): void;
  error(reason: unknown): void;
}

/** Gives the bytes of a range as they are proven. */
class Flow {
  readonly #opened: Opened;
  readonly #range: Wanted;
  readonly #proof: Proof;
  readonly #onProgress: PoolProgress | undefined;
  readonly #end = new AbortController();
  readonly #unfollow: () => void;
  #controller: Controller | undefined;
  #given = 0;
  #ended = false;

  constructor(opened: Opened, range: Wanted, signal: AbortSignal | undefined, onProgress: PoolProgress | undefined) {
    const { from, to } = range;
    this.#opened = opened;
    this.#range = range;
    this.#proof = new Proof(opened, from, to === undefined ? Infinity : to - from);
    this.#onProgress = onProgress;
    this.#unfollow = follow(signal, (reason) => this.fail(reason));
  }

  start(controller: Controller): void {
    this.#controller = controller;
  }

  /** Gives the reader bytes, or the end. */
  async pull(): Promise<void> {
    try {
      for (;;) {
        const request = this.#controller!.byobRequest;
        const view = request?.view as Uint8Array | null | undefined;
        let isInView = false;
        const room = (node: Subtree): Uint8Array | undefined => {
          const { first, end } = this.#proof.overlapOf(node);
          isInView = !!view && node.length > 0 && first === 0 && end === node.length && byteLengthOf(view) >= end;
          return isInView ? part(view!, 0, end) : undefined;
        };
        const proven = await this.#proof.next(this.#end.signal, room);
        if (this.#ended) return;
        if (!proven) {
          await this.#finish();
          return;
        }
        const { first, end } = this.#proof.overlapOf(proven.node);
        // A group after the range, or of an empty one, that has only proven the end.
        if (first === end || this.#range.to === this.#range.from) continue;
        this.#given += end - first;
        if (isInView) request!.respond(end);
        else this.#controller!.enqueue(part(proven.content, first, end - first) as Uint8Array<ArrayBuffer>);
        const { size } = this.#proof;
        this.#onProgress?.(this.#given, proven.node.offset + proven.node.length === size ? size : undefined);
        return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends with an error, for both the reader and the source. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#controller!.error(error);
    this.cancel(error).catch(() => undefined);
  }

  /** Ends because the reader has ended. */
  async cancel(reason: unknown): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#unfollow();
    this.#end.abort(reason);
    await this.#opened.taker?.cancel(reason);
  }

  async #finish(): Promise<void> {
    const { size } = this.#proof;
    const { from, to } = this.#range;
    // The last group is proven then, and the size with it.
    if (from > size || (to ?? 0) > size)
      throw new RangeError(`"range" expected within ${size} bytes, the size, got from ${from} to ${to ?? 'the end'}`);
    if (from === 0 && to === undefined) await this.#proof.end();
    if (this.#ended) return;
    this.#ended = true;
    this.#unfollow();
    this.#opened.taker?.cancel(undefined).catch(() => undefined);
    this.#controller!.close();
    this.#controller!.byobRequest?.respond(0);
  }
}

/**
 * A stream of a content that is proven against its hash while it comes, and gives no byte before that. The source, the outboard and the
 * network are trusted with nothing but delivery. **Only when the stream ends without an error is it known to be complete.**
 *
 * Up to 512 KiB are proven at a time while the next are fetched, so memory does not grow with the content.
 *
 * @param source - With `outboard`, the content: a Blob, file, Uint8Array, the source of `fetchRange`, or a stream. Without it an encoding
 * of Bao. A stream that has only a slice needs `range`, the one that the slice was made for.
 * @param hash - 32 bytes, from someone you trust.
 * @param options - `outboard`, `groupLength`, `range`, `sources`, `patience`, `signal`, `onProgress`.
 * @returns A byte stream. It reads the source only when it is read. It ends with an Error `bytes 16384 to 32768 do not match the hash` when
 * no source has the right ones, an Error about the tree if the outboard is wrong, a RangeError if the range is not within the content, the reason of the
 * signal, or whatever a source throws.
 * @throws TypeError or RangeError if an argument is not of that form, Error if the host has no ReadableStream: at once.
 * @example
 * ```ts
 * import { outboard, verified } from 'lanewise/bao.js';
 * const film = new Blob([new Uint8Array(100_000)]);
 * const { hash, outboard: tree } = await outboard(film, { groupLength: 16384 });
 *
 * // Elsewhere: the hash from someone you trust, all else from anyone. fetchRange(url) takes the place of the Blob.
 * const stream = verified(film, hash, { outboard: tree, groupLength: 16384, range: { from: 50_000 } });
 * console.log((await new Response(stream).arrayBuffer()).byteLength); // prints 50000
 * ```
 */
export function verified(
  source: RandomAccessSource | ByteSource,
  hash: Uint8Array,
  options?: VerifiedOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  refuseSurplus(arguments, 3);
  const given = optionsOf(options, STREAM);
  const range = rangeOf(optionOf(given, 'range'));
  const signal = signalOf(optionOf(given, 'signal'));
  const onProgress = progressOf(optionOf(given, 'onProgress'));
  const Readable = readableStream();
  if (!Readable) throw new Error('ReadableStream is not available: use decode, or verifiedReader');
  const opened = openTree(source, hash, inputsOf(given));
  if (opened.taker && optionOf(given, 'outboard') !== undefined && range.from)
    throw new TypeError('"range" expected with a source that can be read at any place, got a stream; use a Blob');
  const flow = new Flow(opened, range, signal, onProgress);
  const underlying = {
    __proto__: null,
    ...(byteStreamController() && { type: 'bytes' }),
    start: (controller: Controller) => flow.start(controller),
    pull: () => flow.pull(),
    cancel: (reason: unknown) => abortable([signal], () => flow.cancel(reason)),
  };
  const readable = new Readable(
    underlying as UnderlyingSource<Uint8Array<ArrayBuffer>>,
    { __proto__: null, highWaterMark: 0 } as QueuingStrategy,
  );
  if (signal?.aborted) flow.fail(signal.reason);
  return readable;
}

/**
 * Opens a content for reading any range of it, each proven against the hash. The last group is read at once, which proves the size.
 *
 * The reader has `size` and `read`, so it is a source of random access itself: for `chunked(key).reader`, or another reader.
 *
 * @param source - As for {@link verified}, but no stream.
 * @param hash - 32 bytes, from someone you trust.
 * @param options - `outboard`, `groupLength`, `sources`, `patience`, `signal`.
 * @returns A promise of the reader. It is rejected with the errors of {@link verified}.
 * @throws TypeError or RangeError if an argument is not of that form: at once.
 * @example
 * ```ts
 * import { outboard, verifiedReader } from 'lanewise/bao.js';
 * const model = new Blob([new Uint8Array(100_000)]);
 * const { hash, outboard: tree } = await outboard(model, { groupLength: 16384 });
 * const reader = await verifiedReader(model, hash, { outboard: tree, groupLength: 16384 });
 * const bytes = await reader.read(reader.size - 10, reader.size);
 * ```
 */
export function verifiedReader(
  source: RandomAccessSource,
  hash: Uint8Array,
  options?: VerifiedReaderOptions,
): Promise<VerifiedReader> {
  refuseSurplus(arguments, 3);
  const given = optionsOf(options, READER);
  const signal = signalOf(optionOf(given, 'signal'));
  const opened = openTree(source, hash, inputsOf(given));
  if (opened.taker)
    throw new TypeError(`"source" expected one that can be read at any place, got ${typeOf(source)}; use verified`);
  return abortable([signal], async (its) => VerifiedReader.open(opened, its, signal));
}
