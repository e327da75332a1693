/** Reads files and standard input, a piece at a time. */
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { OpenFile } from 'lanewise/stream.js';
import { clean } from 'lanewise/utils.js';
import { refuseNodePipe } from '../node-pipes.ts';
import type { Meter } from '../progress.ts';

/** 1 MiB: larger reads are not faster, and do not fit the processor's caches. */
export const PIECE = 2 ** 20;
const LINE = 64 * 1024;
export const STANDARD_INPUT = 0;
const LINE_FEED = 10;

export interface Input {
  readonly descriptor: number;
  /** The size in bytes, where it is known. */
  readonly size: number | undefined;
}

/** Opens a file, or standard input for `-`, for as long as `use` takes. */
export async function withInput<Result>(
  path: string | Buffer,
  use: (input: Input) => Result | Promise<Result>,
): Promise<Result> {
  // A path given as bytes is not valid UTF-8, so it is not `-`.
  const descriptor = path === '-' ? STANDARD_INPUT : openSync(path, 'r');
  try {
    const information = fstatSync(descriptor);
    refuseNodePipe(descriptor, information);
    return await use({ descriptor, size: information.isFile() ? information.size : undefined });
  } finally {
    if (descriptor !== STANDARD_INPUT) closeSync(descriptor);
  }
}

/** The buffer of all short files. */
let shared: Uint8Array | undefined;

/**
 * Reads a file that was shorter than a piece to its end, synchronously, which takes a tenth of the time.
 *
 * @param size - Of the file when it was opened.
 * @returns its bytes, until something else is read; a whole piece if the file has become longer, and more may follow.
 */
export function readShort(descriptor: number, size: number): Uint8Array {
  const buffer = (shared ??= new Uint8Array(PIECE));
  for (let done = 0; ;) {
    const length = readSync(descriptor, buffer, done, PIECE - done, null);
    done += length;
    // A file that gives all that it said to have, and less than it was asked for, has ended. Those of /proc say 0.
    if (length === 0 || done === PIECE || (size > 0 && done >= size)) return buffer.subarray(0, done);
  }
}

const readAt = promisify(read) as (...values: unknown[]) => Promise<{ bytesRead: number }>;

/** A file as the streams of the library take it, which can give it to workers. It stays open as long as the descriptor does. */
export const openFileOf = (descriptor: number): OpenFile => ({
  fd: descriptor,
  read: (buffer, offset, length, position) => readAt(descriptor, buffer, offset, length, position),
  stat: () => Promise.resolve(fstatSync(descriptor)),
});

/** The bytes of a file, piece by piece. A piece stays as it is until the next is asked for. */
export type Pieces = AsyncGenerator<Uint8Array>;

/** Reads of this size leave the bytes in the caches that a processor has for itself. */
const NEAR = 2 ** 18;
/** So many of them come between two turns of the event loop, in which signals arrive: some milliseconds. */
const NEAR_A_TURN = 32;

/**
 * Reads a file where the work is done. With a single processor, a thread that reads ahead only takes turns with this one, and has filled its
 * caches meanwhile.
 */
async function* piecesHere(descriptor: number, meter?: Meter): Pieces {
  const buffer = new Uint8Array(NEAR);
  try {
    for (let length, i = 1; (length = readSync(descriptor, buffer, 0, NEAR, null)) > 0; i++) {
      yield buffer.subarray(0, length);
      meter?.advance(length);
      if (i % NEAR_A_TURN === 0) await nextTurn();
    }
  } finally {
    clean(buffer);
  }
}

/** Reads a descriptor into two buffers by turns: one is filled while the other is worked on. They are wiped at the end. */
export async function* piecesOf(descriptor: number, meter?: Meter): Pieces {
  let [filling, filled] = [new Uint8Array(PIECE), new Uint8Array(PIECE)];
  let [next, most] = [readSome(descriptor, filling), 0];
  try {
    for (let length; (length = await next) > 0;) {
      [filling, filled] = [filled, filling];
      next = readSome(descriptor, filling);
      next.catch(() => undefined);
      most = Math.max(most, length);
      yield filled.subarray(0, length);
      meter?.advance(length);
    }
  } finally {
    // The read must have ended before the file is closed.
    most = Math.max(most, await next.catch(() => PIECE));
    clean(filling.subarray(0, most), filled.subarray(0, most));
  }
}

/**
 * The bytes of a file, piece by piece, as {@link piecesOf} gives them.
 *
 * @param processors - How many there are.
 */
export const piecesOfFile = (descriptor: number, meter?: Meter, processors = availableParallelism()): Pieces =>
  (processors === 1 ? piecesHere : piecesOf)(descriptor, meter);

/** Reads at least one byte; 0 at the end. */
export async function readSome(descriptor: number, buffer: Uint8Array): Promise<number> {
  for (;;) {
    try {
      return await new Promise<number>((resolve, reject) => {
        read(descriptor, buffer, 0, buffer.length, null, (error, length) => (error ? reject(error) : resolve(length)));
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Windows reports the end of standard input as this error.
      if (code === 'EOF') return 0;
      // Another process that shares standard input may have made it non-blocking.
      if (code !== 'EAGAIN') throw error;
      await sleep(5);
    }
  }
}

/**
 * The lines of a file without their line ends. A line that is too long for any checksum and name is cut off, so that a file
 * without lines is not read into memory.
 */
export async function* eachLine(descriptor: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(LINE);
  let line = Buffer.alloc(0);
  for (let length; (length = await readSome(descriptor, buffer)) > 0;) {
    let from = 0;
    for (let end; (end = buffer.subarray(0, length).indexOf(LINE_FEED, from)) >= 0; from = end + 1) {
      yield Buffer.concat([line, buffer.subarray(from, end)]);
      line = Buffer.alloc(0);
    }
    if (line.length < LINE) line = Buffer.concat([line, buffer.subarray(from, length)]);
  }
  if (line.length > 0) yield line;
}
