/** BLAKE3 on all threads. */
import { progressOf, type PoolProgress } from '../work/progress.ts';
import { piecesOf, type Piece, type PoolSource } from '../io/pieces.ts';
import { JOB_BYTES, ParallelHash } from './jobs.ts';
import type { Blake3 } from './hasher.ts';
import { modeFrom, type Blake3Options } from './options.ts';
import { isBytes, present } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { inOrder } from '../work/in-order.ts';
import { breathe, sliceIsOver } from '../work/slices.ts';
import type { Input, Threads } from '../work/threads.ts';
import { Bytes } from '../engine/intrinsics.ts';
import { abortable, outcome, signalOf } from '../work/abort.ts';

/** The options of a hash on all threads. */
export interface PoolBlake3Options extends Blake3Options {
  /** Gives the hash up: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with the number of bytes that are done, and the size if it is known. An error that it throws ends the hash. */
  readonly onProgress?: PoolProgress;
}

const OPTIONS = { __proto__: null, key: 1, context: 1, dkLen: 1, signal: 1, onProgress: 1 } as const;

/** Sizes up to which the caller's thread is quicker: with workers that run, and with workers that are to be started. */
const WARM_BYTES = 12 * JOB_BYTES;
const COLD_BYTES = 96 * JOB_BYTES;

/** Jobs under way for each thread: one that it works at, one that waits for it, and one that is done before those in front of it. */
const LOAD = 3;

/** A part of the message, and its chaining value. */
interface Hashed {
  readonly piece: Piece;
  readonly value: Uint8Array<ArrayBuffer>;
}

const bytesOf = async (input: Input): Promise<Uint8Array> => (isBytes(input) ? input : input.read());

/** What a hash becomes in the end. */
interface Ending<Result> {
  /** For a message of at least two parts. */
  ofParts(hash: ParallelHash): Result;
  /** For one that is shorter. */
  of(hash: ParallelHash, message: Uint8Array): Result;
}

/** The digest. */
export const DIGEST: Ending<Uint8Array<ArrayBuffer>> = {
  ofParts: (hash) => hash.digest(),
  of: (hash, message) => hash.digestOf(message),
};

/** Output of any length. */
export const OUTPUT: Ending<Blake3> = {
  ofParts: (hash) => hash.output(),
  of: (hash, message) => hash.outputOf(message),
};

/** Checks the arguments, then hashes. */
export function hashOn<Result>(
  threads: Threads,
  source: PoolSource,
  options: unknown,
  ending: Ending<Result>,
): Promise<Result> {
  const given = optionsOf(options, OPTIONS);
  const signal = signalOf(optionOf(given, 'signal'));
  const onProgress = progressOf(optionOf(given, 'onProgress'));
  const pieces = piecesOf(source);
  const hash = new ParallelHash(modeFrom(given));
  const session = threads.session(hash.work);

  const work = async (its: AbortSignal, read: AsyncGenerator<Piece, void>): Promise<Result> => {
    const total = await pieces.size(its);
    const few = threads.least(WARM_BYTES, COLD_BYTES);
    const first = await read.next();
    if (first.done) return ending.of(hash, new Bytes(0));
    const second = await read.next();
    if (second.done) {
      const bytes = await bytesOf(first.value.input);
      if (sliceIsOver()) await breathe();
      its.throwIfAborted();
      const result = ending.of(hash, present(bytes, 'source'));
      onProgress?.(first.value.length, total);
      return result;
    }

    const start = (piece: Piece) => async (): Promise<Hashed> => {
      const { offset, length, input } = piece;
      const bytes = (total ?? offset + length) <= few && (await bytesOf(input));
      if (bytes && sliceIsOver()) await breathe();
      its.throwIfAborted();
      const value = await (bytes
        ? hash.work.here({ offset }, present(bytes, 'source'))
        : session.run({ offset }, input));
      return { piece, value };
    };
    const jobs = async function* (): AsyncGenerator<() => Promise<Hashed>, void> {
      yield start(first.value);
      yield start(second.value);
      for await (const piece of read) yield start(piece);
    };
    let done = 0;
    for await (const { piece, value } of inOrder(LOAD * threads.count, jobs())) {
      its.throwIfAborted();
      hash.add(piece.offset, piece.length, value);
      piece.release?.();
      done += piece.length;
      onProgress?.(done, total);
    }
    if (done > WARM_BYTES && done <= few) threads.missed(done);
    return ending.ofParts(hash);
  };
  const workAndEnd = async (its: AbortSignal): Promise<Result> => {
    // The source may be waiting, and hears of the end by the signal only.
    const read = pieces.read(JOB_BYTES, its, threads.count);
    try {
      return await work(its, read);
    } finally {
      read.return().catch(() => undefined);
    }
  };
  // The session's signal is aborted before the keys are wiped: no digest is made of zeros.
  const { promise, resolve, reject, giveUp } = outcome<Result>();
  session.onEnd(giveUp);
  abortable([signal, session.signal], workAndEnd)
    .finally(() => session.close())
    .then(resolve, reject);
  return promise;
}
