/** Hashes inputs: a short file in one call, a long one on all cores, any other piece by piece. */
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { blake3, type Blake3Options } from 'lanewise/blake3.js';
import type { Pool, PoolSource } from 'lanewise/pool.js';
import type { Argument } from '../command-line.ts';
import { Failure } from '../command.ts';
import type { Meter } from '../progress.ts';
import { isSystemError } from '../system-errors.ts';
import { printable } from '../terminal.ts';
import type { Threads } from '../threads.ts';
import { PIECE, piecesOf, piecesOfFile, readShort, withInput, type Input } from './input.ts';

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

/** A file, and its output when it is there. */
export interface Hashed {
  readonly file: Argument;
  readonly output: Promise<Iterable<Uint8Array>>;
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

  /**
   * Hashes files in their order. When workers run, those of a few MiB are begun before the ones in front of them are done, because such
   * a file alone keeps no two threads busy. Others wait for their turn: opening a pipe may wait for its writer.
   *
   * @param hash - `hash`, perhaps with checks before it.
   */
  *hashAll(
    files: readonly Argument[],
    hash: (file: Argument, amongMany: boolean) => Promise<Iterable<Uint8Array>>,
  ): Generator<Hashed, void> {
    const begun: Hashed[] = [];
    for (const file of files) {
      const most = this.#together(file);
      while (begun.length >= most) yield begun.shift()!;
      const output = hash(file, most > 1);
      // It is waited for in its turn.
      output.catch(() => undefined);
      begun.push({ file, output });
      if (most === 1) yield begun.shift()!;
    }
    yield* begun;
  }

  /** How many files may be under way when this one begins. */
  #together({ path }: Argument): number {
    if (!this.#threads.running || path === '-') return 1;
    const information = statSync(path, { throwIfNoEntry: false });
    return information?.isFile() === true ? this.#threads.together(information.size) : 1;
  }

  /**
   * Hashes a file, or standard input for `-`.
   *
   * @param amongMany - Whether it is one of several short ones that are under way.
   */
  async hash({ path, text }: Argument, amongMany = false): Promise<Iterable<Uint8Array>> {
    return await withInput(path, async (input) => {
      const { descriptor, size = PIECE } = input;
      let read: Uint8Array | undefined;
      if (size < PIECE) {
        read = readShort(descriptor, size);
        if (read.length < PIECE) {
          await this.#threads.works(read.length);
          return this.#outputOfShort(read);
        }
        // The file is longer by now.
      }
      const name = path === '-' ? 'standard input' : printable(text);
      const work = async (meter?: Meter): Promise<Hasher> => {
        const found = path === '-' ? this.#onThreads(input, meter) : this.#inParallel(path, input, amongMany, meter);
        return (await found) ?? (await this.#inPieces(input, read, meter));
      };
      if (amongMany) return outputOf(await work(), this.#range);
      await this.#onWait();
      return outputOf(await this.#metered(name, input, work), this.#range);
    });
  }

  /** Without an object for each file. */
  #outputOfShort(message: Uint8Array): Iterable<Uint8Array> {
    const { seek, length } = this.#range;
    return seek === 0n && length <= OUTPUT_PIECE
      ? [blake3(message, { ...this.#mode, dkLen: Number(length) })]
      : outputOf(blake3.create(this.#mode).update(message), this.#range);
  }

  async #metered(name: string, { size }: Input, work: (meter: Meter) => Promise<Hasher>): Promise<Hasher> {
    this.#meter.start(name, size);
    try {
      return await work(this.#meter);
    } finally {
      this.#meter.stop();
    }
  }

  async #inPieces(
    { descriptor, size }: Input,
    read: Uint8Array | undefined,
    meter: Meter | undefined,
  ): Promise<Hasher> {
    const hasher = blake3.create(this.#mode);
    try {
      if (read) hasher.update(read);
      const pieces = size === undefined ? piecesOf : piecesOfFile;
      for await (const piece of this.#threads.working(pieces(descriptor, meter), size)) hasher.update(piece);
      return hasher;
    } catch (error) {
      hasher.destroy();
      throw error;
    }
  }

  /** Workers read a file of known size themselves. */
  async #inParallel(
    path: string | Buffer,
    { size = 0 }: Input,
    amongMany: boolean,
    meter: Meter | undefined,
  ): Promise<Hasher | undefined> {
    const pool = await this.#threads.poolFor(size, amongMany);
    if (!pool) return undefined;
    const file = await open(path);
    try {
      return await this.#by(pool, file, meter);
    } catch (error) {
      // One thread hashes a file that has become shorter as far as it goes, and needs no workers.
      if (isSystemError(error) || (error as Error).constructor !== Error) throw error;
      return undefined;
    } finally {
      await file.close();
    }
  }

  /** This thread reads a pipe, which takes about as long as hashing, and workers hash. */
  async #onThreads({ descriptor, size = 0 }: Input, meter: Meter | undefined): Promise<Hasher | undefined> {
    await this.#threads.works(size);
    if (this.#threads.count < PIPE_THREADS) return undefined;
    const pool = await this.#threads.pool();
    if (!pool) return undefined;
    try {
      return await this.#by(pool, piecesOf(descriptor), meter);
    } catch (error) {
      throw isSystemError(error) ? error : new Failure(`standard input: ${(error as Error).message}`, { cause: error });
    }
  }

  #by(pool: Pool, source: PoolSource, meter: Meter | undefined): Promise<Hasher> {
    let before = 0;
    const onProgress = (done: number): void => {
      meter?.advance(done - before);
      before = done;
    };
    return pool.blake3Xof(source, { ...this.#mode, onProgress });
  }
}
