/** Reads files and standard input, a piece at a time. */
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** 1 MiB: larger reads are not faster, and do not fit the processor's caches. */
export const PIECE = 2 ** 20;
const LINE = 64 * 1024;
const STANDARD_INPUT = 0;
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
    return await use({ descriptor, size: information.isFile() ? information.size : undefined });
  } finally {
    if (descriptor !== STANDARD_INPUT) closeSync(descriptor);
  }
}

/** The two halves of the double buffer, which all files share. */
let buffers: [Uint8Array, Uint8Array] | undefined;

/**
 * Calls `visit` with each piece, which it must not keep. The next piece is read meanwhile. A file of one piece is read
 * synchronously, which takes a tenth of the time.
 */
export async function eachPiece(input: Input, visit: (piece: Uint8Array) => void): Promise<void> {
  buffers ??= [new Uint8Array(PIECE), new Uint8Array(PIECE)];
  const { descriptor, size } = input;
  if (size !== undefined && size <= PIECE) {
    for (let length; (length = readSync(descriptor, buffers[0])) > 0;) visit(buffers[0].subarray(0, length));
    return;
  }
  let [filling, filled] = buffers;
  let next = readSome(descriptor, filling);
  for (let length; (length = await next) > 0;) {
    [filling, filled] = [filled, filling];
    next = readSome(descriptor, filling);
    try {
      visit(filled.subarray(0, length));
    } catch (error) {
      // The read must have ended before the file is closed.
      await next.catch(() => 0);
      throw error;
    }
  }
}

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
