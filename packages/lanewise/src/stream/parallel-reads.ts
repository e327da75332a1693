/** Reads of many whole chunks, which threads open. */
import { JOB_BYTES, type ChunksJob } from './jobs.ts';
import { inOrder } from '../work/in-order.ts';
import type { Range, Session } from '../work/threads.ts';
import { byteLengthOf, copyBytes, fillBytes, min, part } from '../engine/intrinsics.ts';

export type ChunksSession = Session<ChunksJob, Uint8Array<ArrayBuffer> | undefined>;

/** Chunks next to each other, none of them the last. */
export interface Row {
  readonly first: number;
  readonly end: number;
}

/** Where a row's chunks come from, and where they go. */
export interface RowsRead {
  readonly session: ChunksSession;
  readonly threads: number;
  readonly chunkLength: number;
  /** Where their plaintext goes. */
  readonly out: Uint8Array;
  readonly signal: AbortSignal;
  readonly rangeOf: (row: Row) => Range;
  /** Opens a row with a chunk that is not authentic on this thread, so that it throws the error. */
  readonly onWrong: (row: Row) => Promise<void>;
}

/** Opens chunks from number `first` on, up to number `end`, and puts them one after the other. */
export async function openRows({ first, end }: Row, read: RowsRead): Promise<void> {
  const { session, threads, chunkLength, out, signal, rangeOf, onWrong } = read;
  const most = JOB_BYTES / chunkLength;
  /** Answers that are not taken yet, and, when nobody waits any more, those that still come, are wiped. */
  const waiting = new Set<Uint8Array>();
  let ended = false;
  // eslint-disable-next-line @typescript-eslint/require-await -- jobs are asked for when there is room
  const jobs = async function* () {
    for (let begin = first; begin < end; begin += most) {
      const row = { first: begin, end: min(end, begin + most) };
      yield async () => {
        const made = await session.run({ index: row.first }, rangeOf(row));
        if (made && ended) fillBytes(made, 0);
        else if (made) waiting.add(made);
        return { row, made };
      };
    }
  };
  try {
    for await (const { row, made } of inOrder(threads + 1, jobs())) {
      signal.throwIfAborted();
      if (made) {
        copyBytes(part(out, (row.first - first) * chunkLength, byteLengthOf(made)), made);
        waiting.delete(made);
        session.reuse(made);
      } else await onWrong(row);
    }
  } finally {
    ended = true;
    for (const made of waiting) fillBytes(made, 0);
  }
}
