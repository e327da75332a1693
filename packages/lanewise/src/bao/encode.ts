/** Makes encodings and outboards. */
import { OutboardBuilder, type Outboard } from './builder.ts';
import { OutboardHasher, type GroupOptions } from './hasher.ts';
import { JOB_BYTES, treeWork, type TreeJob } from './jobs.ts';
import { hashSubtree, type Place } from './nodes.ts';
import { pull } from './pull.ts';
import { groupLengthOf, Growing, HEADER, parentBytes, VALUE, weave } from './shape.ts';
import { fixed, isBytes, present, refuseSurplus } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { piecesOf, type Piece, type PoolSource } from '../io/pieces.ts';
import { sourceOf, type ByteSource } from '../io/source.ts';
import { abortable, outcome, signalOf } from '../work/abort.ts';
import { inOrder } from '../work/in-order.ts';
import { progressOf, type PoolProgress } from '../work/progress.ts';
import { threadsOf, type PoolHandle, type Threads } from '../work/threads.ts';
import { byteLengthOf, Bytes, copyBytes, part } from '../engine/intrinsics.ts';

/** The options of calls that hash a content. */
export interface BaoOptions extends GroupOptions {
  /** A pool of `lanewise/pool.js`, whose threads hash long contents. */
  readonly pool?: PoolHandle;
  /** Gives the work up: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with the number of bytes of content that are done, and the size if it is known. An error that it throws ends the work. */
  readonly onProgress?: PoolProgress;
}

/** A hash, and the content with the tree over it. */
export interface Encoded {
  /** 32 bytes: the same as `blake3` of the content. */
  readonly hash: Uint8Array<ArrayBuffer>;
  /** The length of the content in 8 bytes, 64 bytes for each group but one, and the content between. */
  readonly encoded: Uint8Array<ArrayBuffer>;
}

const OPTIONS = { __proto__: null, groupLength: 1, pool: 1, signal: 1, onProgress: 1 } as const;

/** Options that were checked. */
interface Its {
  readonly groupLength: number;
  readonly threads: Threads | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: PoolProgress | undefined;
}

function itsOf(options: unknown): Its {
  const given = optionsOf(options, OPTIONS);
  const pool = optionOf(given, 'pool');
  return {
    groupLength: groupLengthOf(optionOf(given, 'groupLength')),
    threads: pool === undefined ? undefined : threadsOf(pool),
    signal: signalOf(optionOf(given, 'signal')),
    onProgress: progressOf(optionOf(given, 'onProgress')),
  };
}

async function outboardHere(source: ByteSource, { groupLength, signal, onProgress }: Its): Promise<Outboard> {
  const checked = sourceOf(source);
  return abortable([signal], async (its) => {
    const hasher = OutboardHasher.create({ groupLength }, checked.size);
    try {
      await pull(checked, its, (piece) => {
        hasher.update(piece);
        onProgress?.(hasher.length, checked.size);
      });
      return hasher.digest();
    } finally {
      hasher.destroy();
    }
  });
}

/** Jobs under way for each thread. */
const LOAD = 3;

/** Each thread hashes whole subtrees; the parents above them are few. */
function outboardOn(threads: Threads, source: PoolSource, { groupLength, signal, onProgress }: Its): Promise<Outboard> {
  const pieces = piecesOf(source);
  const work = treeWork(groupLength);
  const session = threads.session(work);
  const { promise, resolve, reject, giveUp } = outcome<Outboard>();
  session.onEnd(giveUp);
  const make = async (its: AbortSignal): Promise<Outboard> => {
    const read = pieces.read(JOB_BYTES, its, threads.count);
    try {
      const total = await pieces.size(its);
      let builder: OutboardBuilder | undefined;
      let [done, last]: [number, Uint8Array | undefined] = [0, undefined];
      const jobs = async function* (): AsyncGenerator<() => Promise<[Piece, Uint8Array]>, void> {
        let first: Piece | undefined;
        for await (const piece of read) {
          // Whether the first part is the only one shows when the second comes.
          if (first) yield job(first, false);
          if (first) first = undefined;
          if (piece.offset === 0) first = piece;
          else yield job(piece, false);
        }
        if (first) yield job(first, true);
      };
      const job = (piece: Piece, isRoot: boolean) => async (): Promise<[Piece, Uint8Array]> => {
        const { offset, input } = piece;
        const its: TreeJob = { offset, isRoot };
        return [piece, await session.run(its, input)];
      };
      for await (const [piece, hashed] of inOrder(LOAD * threads.count, jobs())) {
        its.throwIfAborted();
        piece.release?.();
        // All parts but the last are as long as the first.
        if (last) (builder ??= new OutboardBuilder(groupLength, done)).add(last);
        last = hashed;
        done += piece.length;
        onProgress?.(done, total);
      }
      builder ??= new OutboardBuilder(groupLength, JOB_BYTES);
      return builder.finish(done - builder.length, (place, to, at) => answered(place, last, groupLength, to, at));
    } finally {
      read.return().catch(() => undefined);
    }
  };
  abortable([signal, session.signal], make)
    .finally(() => session.close())
    .then(resolve, reject);
  return promise;
}

/** Takes the parents of the last part from its answer; an empty content has had no job. */
function answered(
  place: Place,
  hashed: Uint8Array | undefined,
  groupLength: number,
  to: Uint8Array,
  at: number,
): Uint8Array<ArrayBuffer> {
  const value = new Bytes(VALUE);
  if (!hashed) hashSubtree(place, new Bytes(0), groupLength, to, value);
  else {
    const parents = byteLengthOf(hashed) - VALUE;
    copyBytes(to, part(hashed, 0, parents), at);
    copyBytes(value, part(hashed, parents, VALUE));
  }
  return value;
}

function makeOutboard(source: PoolSource, its: Its): Promise<Outboard> {
  return its.threads ? outboardOn(its.threads, source, its) : outboardHere(source as ByteSource, its);
}

/** {@link outboard} */
export interface OutboardFunction {
  (source: PoolSource, options?: BaoOptions): Promise<Outboard>;
  /**
   * Makes an object that takes the content in pieces, and whose state can be saved.
   *
   * @param options - `groupLength`.
   * @returns An object with `update`, `digest`, `save` and `destroy`.
   * @throws TypeError or RangeError if an option is not of its form.
   */
  create(options?: GroupOptions): OutboardHasher;
  /**
   * Restores such an object from the bytes that `save` gave.
   *
   * @param state - The bytes; copied.
   * @returns An object that goes on from there.
   * @throws TypeError if that isn't a Uint8Array, RangeError if it isn't a saved state of this version.
   */
  load(state: Uint8Array): OutboardHasher;
}

function outboardOf(source: PoolSource, options?: BaoOptions): Promise<Outboard> {
  refuseSurplus(arguments, 2);
  return makeOutboard(source, itsOf(options));
}

/**
 * The hash of a content, and the tree over it apart from the content: the outboard format of Bao. Whoever has the hash, and gets the
 * outboard and any range of the content from anywhere, can prove that range.
 *
 * @param source - A Uint8Array, Blob or File, `FileHandle` of Node, Response, ReadableStream or iterable of Uint8Array; with a pool also
 * a `FileSystemFileHandle`, or an object with `size` and `read`. It is left as it is until the promise is settled.
 * @param options - `groupLength`: 1024 unless given, as the `bao` crate has it; 16384 as bao-tree and iroh. `pool`, `signal`,
 * `onProgress`.
 * @returns A promise of `hash`, 32 bytes, and `outboard`: 8 bytes and 64 for each group but one. It is rejected with the reason of the
 * signal, or with whatever the source throws.
 * @throws TypeError or RangeError if an argument is not of that form: at once.
 * @example
 * ```ts
 * import { outboard } from 'lanewise/bao.js';
 * const film = new Blob([new Uint8Array(100_000)]);
 * const { hash, outboard: tree } = await outboard(film, { groupLength: 16384 });
 * console.log(hash.length, tree.length); // prints 32 392
 *
 * // In pieces, with a state that can be saved:
 * const hasher = outboard.create({ groupLength: 16384 }).update(new Uint8Array(70_000));
 * const { hash: same } = outboard.load(hasher.save()).update(new Uint8Array(30_000)).digest();
 * ```
 */
export const outboard: OutboardFunction = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign(outboardOf, {
    create(options?: GroupOptions): OutboardHasher {
      refuseSurplus(arguments, 1);
      return OutboardHasher.create(options);
    },
    load(state: Uint8Array): OutboardHasher {
      refuseSurplus(arguments, 1);
      return OutboardHasher.load(state);
    },
  }),
);

/** All bytes of a source. Bytes are taken as they are. */
async function gathered(source: ByteSource, { groupLength, threads, signal }: Its): Promise<Uint8Array> {
  if (isBytes(source)) return fixed(source, 'source');
  const checked = sourceOf(source);
  // The source may wait for ever: the end of the pool is heard from here on.
  const session = threads?.session(treeWork(groupLength));
  return abortable([signal, session?.signal], async (its) => {
    const bytes = new Growing(checked.size);
    await pull(checked, its, (piece) => bytes.append(piece));
    return bytes.view;
  }).finally(() => session?.close());
}

/**
 * The hash of a content, and the content together with the tree over it: the combined format of Bao.
 *
 * @param source - A Uint8Array, Blob or File, `FileHandle` of Node, Response, ReadableStream or iterable of Uint8Array. It is left as it
 * is until the promise is settled. All of it is held in memory: for long contents take {@link outboard}.
 * @param options - `groupLength`, `pool`, `signal`, `onProgress`, as for {@link outboard}.
 * @returns A promise of `hash`, 32 bytes, and `encoded`: 8 bytes, the content, and 64 bytes for each group but one. It is rejected with
 * the reason of the signal, or with whatever the source throws.
 * @throws TypeError or RangeError if an argument is not of that form: at once.
 * @example
 * ```ts
 * import { decode, encode } from 'lanewise/bao.js';
 * const { hash, encoded } = await encode(new Uint8Array(5000));
 * const content = await decode(encoded, hash);
 * ```
 */
export function encode(source: ByteSource, options?: BaoOptions): Promise<Encoded> {
  refuseSurplus(arguments, 2);
  const its = itsOf(options);
  const gathering = gathered(checkedSource(source), its);
  return gathering.then(async (content) => {
    const { hash, outboard } = await makeOutboard(content, its);
    const { groupLength } = its;
    const length = byteLengthOf(present(content, 'source'));
    const encoded = new Bytes(HEADER + length + parentBytes(length, groupLength));
    copyBytes(encoded, part(outboard, 0, HEADER));
    weave(part(outboard, HEADER, byteLengthOf(outboard) - HEADER), content, groupLength, encoded, HEADER);
    return { hash, encoded };
  });
}

/** Throws at once if a source is of no kind that is known. */
function checkedSource(source: ByteSource): ByteSource {
  sourceOf(source);
  return source;
}
