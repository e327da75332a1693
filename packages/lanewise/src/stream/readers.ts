/** Random access to encrypted streams: what the formats that allow it have in common. */
import { abortable, signalOf } from '../work/abort.ts';
import { chunksIn, noStream, TAG_BYTES, type ChunkCipher, type Chunking } from './chunking.ts';
import { randomAccess, type RandomAccessSource, type Source } from '../io/random-access.ts';
import { Reader, type Opened } from './reader.ts';
import { present, sizeOf } from '../calls/checks.ts';
import { optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { threadsOf, watch, type PoolHandle } from '../work/threads.ts';
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
  heeded: AbortSignal,
  unlocking: Unlocking,
  its: Pick<Opened, 'signal' | 'threads' | 'closed'>,
): Promise<Reader> {
  let opened: { wipe(): void } = unlocking;
  try {
    const all = await source.size(heeded);
    if (offset > all)
      throw new RangeError(`"offset" expected integer from 0 to ${all}, the size of the source, got ${offset}`);
    const size = all - offset;
    const chunks = chunksIn(chunking, size);
    if (!chunks) throw noStream(size);
    const start = offset + chunking.headerLength;
    // The bytes may be the caller's, who may change them while keys are derived.
    const header = copyOf(present(await source.read(offset, start, heeded), 'source'));
    const cipher = await unlocking.withHeader(header);
    const kept = new Bytes(min(chunking.chunkLength, size));
    opened = {
      wipe() {
        cipher.wipe();
        fillBytes(kept, 0);
      },
    };
    const index = chunks.count - 1;
    const sealed = await source.read(start + index * (chunking.chunkLength + TAG_BYTES), all, heeded);
    if (!cipher.open(index, true, present(sealed, 'source'), part(kept, 0, chunks.last)))
      throw new Error(`chunk ${index} is not authentic, or truncated after ${size} bytes`);
    heeded.throwIfAborted();
    return new Reader({ chunking, cipher, source, start, ...chunks, kept, ...its });
  } catch (error) {
    opened.wipe();
    throw error;
  }
}

const context = 'chunked(key, { context }) takes it';
const READER = { __proto__: null, offset: 1, signal: 1, pool: 1, context } as const;

/** Opens a reader. `unlock` is called when all is checked, and copies the key. */
export function readerOf(
  chunking: Chunking,
  source: RandomAccessSource,
  options: ReaderOptions | undefined,
  unlock: () => Unlocking,
): Promise<Reader> {
  const given = optionsOf(options, READER);
  const offset = sizeOf(optionOr(given, 'offset', 0), 'offset', 0);
  const signal = signalOf(optionOf(given, 'signal'));
  const pool = optionOf(given, 'pool');
  const threads = pool === undefined ? undefined : threadsOf(pool);
  const its = randomAccess(source);
  const unlocking = unlock();
  const closed = watch(threads);
  const ends = { signal, threads, closed };
  return abortable([signal, closed?.signal], (heeded) => open(chunking, its, offset, heeded, unlocking, ends));
}
