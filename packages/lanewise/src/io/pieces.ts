/** Sources of bytes as pools take them: in parts that can be read at any place, or one after the other. */
import { largerBy } from '../work/job-size.ts';
import { fixed, isBytes, lengthOf, present } from '../calls/checks.ts';
import { openFileOf } from './node.ts';
import { memoryOf, type Range } from '../work/threads.ts';
import { copyBytes, fillBytes, hosted, min, part } from '../engine/intrinsics.ts';
import { randomAccess, type RandomAccessSource, type Source } from './random-access.ts';
import { sourceOf, type ByteSource, type CheckedSource } from './source.ts';

/** What a pool can read: in parts, by the workers themselves where the host lets them, or from its start to its end. */
export type PoolSource = ByteSource | RandomAccessSource;

/** A part of a source. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
  readonly input: Uint8Array | Range;
  /** Called when the input is no longer needed. */
  release?(): void;
}

/** A source that was checked, and not touched yet. */
export interface Pieces {
  /** Its size, if that is known: then parts can be read at any place. */
  size(signal: AbortSignal): Promise<number | undefined>;
  /**
   * The parts of `length` bytes, the last one shorter. Each is asked for once, when there is room for it. Those of a long file that workers
   * read are larger, by a power of two.
   *
   * @param count - The number of threads.
   */
  read(length: number, signal: AbortSignal, count: number): AsyncGenerator<Piece, void>;
}

const HostBlob = /* @__PURE__ */ hosted<typeof Blob>('Blob');

/** Whether a source has bytes at any place, and no order in which they must be read. */
export const isRandom = (source: unknown): boolean =>
  typeof source === 'object' &&
  source !== null &&
  !('getReader' in source) &&
  ('getFile' in source ||
    ('slice' in source && 'size' in source) ||
    ('read' in source && ('size' in source || 'getSize' in source || 'stat' in source)));

function inRanges(source: RandomAccessSource): Pieces {
  const its: Source = randomAccess(source);
  const Host = HostBlob();
  return {
    size: (signal) => its.size(signal),
    async *read(jobBytes, signal, count) {
      const isBlob = Host && source instanceof Host && source.slice === Host.prototype.slice;
      const file = isBlob ? source : openFileOf(source)?.file;
      const size = await its.size(signal);
      const length = jobBytes * (isBlob || !file ? 1 : largerBy(size, jobBytes, count));
      for (let from = 0; from < size; from += length) {
        const to = min(size, from + length);
        const input = { from, to, file, read: () => its.read(from, to, signal) };
        yield { offset: from, length: to - from, input };
      }
    },
  };
}

/** @param bytes - A view of fixed length. */
const inMemory = (bytes: Uint8Array): Pieces => ({
  size: () => Promise.resolve(lengthOf(bytes, 'source')),
  // eslint-disable-next-line @typescript-eslint/require-await -- memory waits for nothing
  async *read(length) {
    const size = lengthOf(bytes, 'source');
    for (let offset = 0; offset < size; offset += length) {
      const itsLength = min(length, size - offset);
      yield { offset, length: itsLength, input: part(present(bytes, 'source'), offset, itsLength) };
    }
  },
});

/** Gathers what a source gives in memory of its own, which is used again. */
function inOrderOf(checked: CheckedSource): Pieces {
  return {
    size: () => Promise.resolve(undefined),
    async *read(length, signal) {
      const source = checked.open();
      const [all, free]: [Uint8Array[], Uint8Array[]] = [[], []];
      let isAtEnd = false;
      // The end of the source may never come, and is not waited for.
      const giveUp = (): void => {
        for (const one of all) fillBytes(one, 0);
        source.cancel(signal.reason).catch(() => undefined);
      };
      // Parts may still be in use when the source has ended, so this stays.
      signal.addEventListener('abort', giveUp);
      let [memory, held, offset]: [Uint8Array | undefined, number, number] = [undefined, 0, 0];
      const piece = (from: Uint8Array): Piece => ({
        offset,
        length: held,
        input: part(from, 0, held),
        release() {
          if (isAtEnd) fillBytes(from, 0);
          else free.push(from);
        },
      });
      try {
        for (;;) {
          const given = await source.read();
          signal.throwIfAborted();
          if (!given) break;
          for (let at = 0, rest = lengthOf(given, 'chunk'); rest > 0;) {
            if (memory && held === length) {
              yield piece(memory);
              offset += held;
              [memory, held] = [undefined, 0];
            }
            memory ??= free.pop();
            if (!memory) all.push((memory = memoryOf(length)));
            const taken = min(rest, length - held);
            copyBytes(memory, part(present(given, 'chunk'), at, taken), held);
            [at, rest, held] = [at + taken, rest - taken, held + taken];
          }
          source.release?.();
        }
        source.close();
        isAtEnd = true;
        for (const one of free) fillBytes(one, 0);
        if (memory) yield piece(memory);
      } finally {
        if (!isAtEnd) giveUp();
      }
    },
  };
}

/** Checks a source, without touching it. */
export function piecesOf(source: unknown): Pieces {
  if (isBytes(source)) return inMemory(fixed(source, 'source'));
  return isRandom(source) ? inRanges(source as RandomAccessSource) : inOrderOf(sourceOf(source));
}
