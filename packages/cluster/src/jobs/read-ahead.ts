/** Reads ahead: while one range is worked on, the next are on their way. */
import type { ObjectVersion, Reader } from '../objects/object.ts';

/** Bytes of a request: short, because all of a range is kept until those before it are used. */
const RANGE_BYTES = 8 * 2 ** 20;
/** A rest that is shorter is read with the range before it, because stores count requests: a part to encrypt is ranges and a chunk. */
const REST_BYTES = 2 ** 20;
/** Requests that are under way at once, for each thread. */
const IN_FLIGHT = 3;

/** A range that is being read. Its bytes are kept until they are asked for. */
interface Range {
  readonly pieces: Promise<readonly Uint8Array[]>;
}

/** The bytes of a part of an object, in order; each piece is valid until the next is asked for. */
export const lent = (
  reader: Reader,
  object: ObjectVersion,
  offset: number,
  length: number,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> =>
  reader.lend?.(object, offset, length, signal) ?? readAhead(reader, object, offset, length, signal);

/** The bytes of a part of an object, in order. At most 25 MiB are kept. */
export async function* readAhead(
  reader: Reader,
  object: ObjectVersion,
  offset: number,
  length: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  // Ends requests that are ahead if the caller stops, or one of them fails.
  const ended = new AbortController();
  const either = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  const start = (at: number, bytes: number): Range => {
    const pieces = (async () => {
      const read: Uint8Array[] = [];
      for await (const piece of reader.read(object, at, bytes, either)) read.push(piece);
      return read;
    })();
    // An error ahead of its turn is thrown when its turn comes.
    pieces.catch(() => undefined);
    return { pieces };
  };
  const ranges: Range[] = [];
  let next = offset;
  try {
    for (;;) {
      while (ranges.length < IN_FLIGHT && next < offset + length) {
        const left = offset + length - next;
        const bytes = left < RANGE_BYTES + REST_BYTES ? left : RANGE_BYTES;
        ranges.push(start(next, bytes));
        next += bytes;
      }
      const range = ranges.shift();
      if (range === undefined) return;
      yield* await range.pieces;
    }
  } finally {
    ended.abort();
  }
}
