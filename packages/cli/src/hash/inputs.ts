/** Hashes inputs: a short file in one call, a long one on all cores, any other piece by piece. */
import { open } from 'node:fs/promises';
import { blake3, type Blake3Options } from 'lanewise/blake3.js';
import type { Pool, PoolSource } from 'lanewise/pool.js';
import type { Argument } from '../command-line.ts';
import { Failure } from '../command.ts';
import type { Meter } from '../progress.ts';
import { isSystemError } from '../system-errors.ts';
import { printable } from '../terminal.ts';
import type { Threads } from '../threads.ts';
import { PIECE, piecesOf, readShort, withInput, type Input } from './input.ts';

/** With fewer threads, the one that reads ahead takes the place of a worker. */
const PIPE_THREADS = 3;
/** Output is made and written in pieces of this size. */
export const OUTPUT_PIECE = 65_536n;

type Hasher = ReturnType<typeof blake3.create>;

/** The bytes of the output that are asked for. */
export interface Range {
  readonly seek: bigint;
  readonly length: bigint;
}

/** The bytes of a range, in pieces: one at least. */
function* outputOf(hasher: Hasher, { seek, length }: Range): Generator<Uint8Array> {
  try {
    for (let left = length; left > 0n;) {
      const size = left < OUTPUT_PIECE ? left : OUTPUT_PIECE;
      if (left === length) hasher.seek(seek);
      yield hasher.xof(Number(size));
      left -= size;
    }
  } finally {
    hasher.destroy();
  }
}

export class Inputs {
  readonly #mode: Blake3Options;
  readonly #range: Range;
  readonly #threads: Threads;
  readonly #meter: Meter;
  readonly #onWait: () => Promise<void>;

  /**
   * @param range - Of the output.
   * @param onWait - Called before an input is hashed that may take long.
   */
  constructor(mode: Blake3Options, range: Range, threads: Threads, meter: Meter, onWait: () => Promise<void>) {
    this.#mode = mode;
    this.#range = range;
    this.#threads = threads;
    this.#meter = meter;
    this.#onWait = onWait;
  }

  /** Hashes a file, or standard input for `-`. */
  hash({ path, text }: Argument): Promise<Iterable<Uint8Array>> {
    return withInput(path, async (input) => {
      const { descriptor, size = PIECE } = input;
      let read: Uint8Array | undefined;
      if (size < PIECE) {
        read = readShort(descriptor, size);
        if (read.length < PIECE) return this.#outputOfShort(read);
        // The file is longer by now.
      }
      await this.#onWait();
      const name = path === '-' ? 'standard input' : printable(text);
      const hasher = await this.#metered(name, input, async () => {
        const hasher = path === '-' ? await this.#onThreads(input) : await this.#inParallel(path, input);
        return hasher ?? (await this.#inPieces(input, read));
      });
      return outputOf(hasher, this.#range);
    });
  }

  /** Without an object for each file. */
  #outputOfShort(message: Uint8Array): Iterable<Uint8Array> {
    const { seek, length } = this.#range;
    return seek === 0n && length <= OUTPUT_PIECE
      ? [blake3(message, { ...this.#mode, dkLen: Number(length) })]
      : outputOf(blake3.create(this.#mode).update(message), this.#range);
  }

  async #metered(name: string, { size }: Input, work: () => Promise<Hasher>): Promise<Hasher> {
    this.#meter.start(name, size);
    try {
      return await work();
    } finally {
      this.#meter.stop();
    }
  }

  async #inPieces(input: Input, read: Uint8Array | undefined): Promise<Hasher> {
    const hasher = blake3.create(this.#mode);
    try {
      if (read) hasher.update(read);
      for await (const piece of piecesOf(input.descriptor, this.#meter)) hasher.update(piece);
      return hasher;
    } catch (error) {
      hasher.destroy();
      throw error;
    }
  }

  /** Workers read a file of known size themselves. */
  async #inParallel(path: string | Buffer, { size = 0 }: Input): Promise<Hasher | undefined> {
    const pool = await this.#threads.poolFor(size);
    if (!pool) return undefined;
    const file = await open(path);
    try {
      return await this.#by(pool, file);
    } catch (error) {
      // One thread hashes a file that has become shorter as far as it goes, and needs no workers.
      if (isSystemError(error) || (error as Error).constructor !== Error) throw error;
      return undefined;
    } finally {
      await file.close();
    }
  }

  /** This thread reads a pipe, which takes about as long as hashing, and workers hash. */
  async #onThreads({ descriptor }: Input): Promise<Hasher | undefined> {
    if (this.#threads.count < PIPE_THREADS) return undefined;
    const pool = await this.#threads.pool();
    if (!pool) return undefined;
    try {
      return await this.#by(pool, piecesOf(descriptor));
    } catch (error) {
      throw isSystemError(error) ? error : new Failure(`standard input: ${(error as Error).message}`, { cause: error });
    }
  }

  #by(pool: Pool, source: PoolSource): Promise<Hasher> {
    let before = 0;
    const onProgress = (done: number): void => {
      this.#meter.advance(done - before);
      before = done;
    };
    return pool.blake3Xof(source, { ...this.#mode, onProgress });
  }
}
