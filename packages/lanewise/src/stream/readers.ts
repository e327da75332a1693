/** Random access to encrypted streams: what the formats that allow it have in common. */
import { signalOf } from '../work/abort.ts';
import { chunksIn, noStream, TAG_BYTES, type ChunkCipher, type Chunking } from './chunking.ts';
import { randomAccess, type RandomAccessSource, type Source } from '../io/random-access.ts';
import { Reader } from './reader.ts';
import { present, refuseExtra, sizeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf, type Grammar } from '../calls/options.ts';
import { threadsOf, type PoolHandle, type Threads } from '../work/threads.ts';
import { Bytes, copyOf, fillBytes, min, part } from '../engine/intrinsics.ts';

/** Where an encrypted stream is in its source, and how long it is read. */
export interface ReaderOptions {
  /**
   * Where the stream begins in the source, its header included; 0 unless given. The stream goes on to the end of the source.
   */
  readonly offset?: number;
  /** Ends the reader when it is aborted: the promise and all reads are rejected with its reason, and the key is wiped. */
  readonly signal?: AbortSignal;
  /** A pool of `lanewise/pool.js`, whose threads decrypt the chunks of long reads. */
  readonly pool?: PoolHandle;
}

/** Copies of a key and its options, before the header of the stream is known. */
export interface Unlocking {
  /** The cipher of the stream with this header. It is called once. */
  withHeader(header: Uint8Array): ChunkCipher | Promise<ChunkCipher>;
  wipe(): void;
}

async function open(
  chunking: Chunking,
  source: Source,
  offset: number,
  signal: AbortSignal | undefined,
  unlocking: Unlocking,
  threads: Threads | undefined,
): Promise<Reader> {
  let opened: { wipe(): void } = unlocking;
  try {
    const all = await source.size(signal);
    if (offset > all)
      throw new RangeError(`"offset" expected integer from 0 to ${all}, the size of the source, got ${offset}`);
    const size = all - offset;
    const chunks = chunksIn(chunking, size);
    if (!chunks) throw noStream(size);
    const start = offset + chunking.headerLength;
    // The bytes may be the caller's, who may change them while keys are derived.
    const header = copyOf(present(await source.read(offset, start, signal), 'source'));
    const cipher = await unlocking.withHeader(header);
    const kept = new Bytes(min(chunking.chunkLength, size));
    opened = {
      wipe() {
        cipher.wipe();
        fillBytes(kept, 0);
      },
    };
    const index = chunks.count - 1;
    const sealed = await source.read(start + index * (chunking.chunkLength + TAG_BYTES), all, signal);
    if (!cipher.open(index, true, present(sealed, 'source'), part(kept, 0, chunks.last)))
      throw new Error(`chunk ${index} is not authentic, or truncated after ${size} bytes`);
    signal?.throwIfAborted();
    return new Reader({ chunking, cipher, source, start, ...chunks, kept, signal, threads });
  } catch (error) {
    opened.wipe();
    throw error;
  }
}

/** The method of a format that gives random access. `grammar` has `offset`, `signal` and the format's own options. */
export const readersOf = <Options extends ReaderOptions>(
  chunking: Chunking,
  grammar: Grammar,
  unlock: (key: Uint8Array, options: object) => Unlocking,
): { reader(source: RandomAccessSource, key: Uint8Array, options?: Options): Promise<Reader> } => ({
  reader(source: RandomAccessSource, key: Uint8Array, options?: Options, extra?: unknown): Promise<Reader> {
    refuseExtra(extra, 3);
    const given = optionsOf(options, grammar);
    const offset = sizeOf(optionOr(given, 'offset', 0), 'offset', 0);
    const signal = signalOf(optionOf(given, 'signal'));
    const pool = optionOf(given, 'pool');
    const threads = pool === undefined ? undefined : threadsOf(pool);
    // Last, because it copies the key.
    return open(chunking, randomAccess(source), offset, signal, unlock(key, given), threads);
  },
});
