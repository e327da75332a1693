/** Decryption of a whole stream: nothing is given before the last chunk is known to be authentic, and the last. */
import { outcome, patiently } from '../work/abort.ts';
import { BATCH_BYTES, type Conversion } from './conversion.ts';
import { Flow } from './flow.ts';
import { has, type FileTarget, type WritableFile } from '../io/handles.ts';
import type { OpenSource } from '../io/parts-source.ts';
import { sizeOf, typeOf } from '../calls/checks.ts';
import { bufferOf, byteLengthOf, Bytes, copyBytes, fillBytes, max, min, part } from '../engine/intrinsics.ts';

/** How much plaintext is allowed. */
export interface WholeOptions {
  /**
   * The most bytes of plaintext: an integer from 0 up. In memory 2^30 (1 GiB) unless given; in a file any number. With more the
   * promise is rejected, before anything is read if the size of the source is known.
   */
  readonly maxLength?: number;
}

/** Where the plaintext goes. */
export interface WholeFileOptions extends WholeOptions {
  /** A file that is written beside its place, and put there when the stream is known to be complete. */
  readonly to: FileTarget;
}

/** The names of these options. */
export const WHOLE = { maxLength: 1, to: 1 } as const;

/** How long a place may take to remove a file after an abort, which is heeded within a tenth of a second. */
const HURRIED_MS = 50;

/** Where plaintext waits until all of it is authentic. */
interface Sink<Result> {
  /** Memory for the next bytes; undefined if bytes may come in memory of their own. */
  readonly room: Uint8Array | undefined;
  /** Takes bytes that are at the start of that memory, or in memory of their own. */
  put(bytes: Uint8Array<ArrayBuffer>): Promise<void> | undefined;
  finish(): Result | Promise<Result>;
  /**
   * Gives up: wipes memory and removes files. The place may never answer, so that is waited for a while only.
   *
   * @param most - How many milliseconds.
   */
  abort(reason: unknown, most?: number): Promise<void> | undefined;
}

class MemorySink implements Sink<Uint8Array<ArrayBuffer>> {
  readonly #most: number;
  readonly #whole: Uint8Array<ArrayBuffer>;
  /** How many bytes of it are plaintext. */
  #at = 0;
  /** Plaintext that came when there was no room. */
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];

  /**
   * @param total - The number of bytes, if it is known: then they are decrypted to where they stay.
   * @param most - How many bytes come at a time.
   */
  constructor(total: number | undefined, most: number) {
    this.#whole = new Bytes(total ?? 0);
    this.#most = most;
  }

  get room(): Uint8Array | undefined {
    const left = byteLengthOf(this.#whole) - this.#at;
    return left ? part(this.#whole, this.#at, min(left, this.#most)) : undefined;
  }

  put(bytes: Uint8Array<ArrayBuffer>): undefined {
    if (bufferOf(bytes) === bufferOf(this.#whole)) this.#at += byteLengthOf(bytes);
    else this.#pieces[this.#pieces.length] = bytes;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const pieces = this.#pieces;
    if (!pieces.length && this.#at === byteLengthOf(this.#whole)) return this.#whole;
    let length = this.#at;
    for (let i = 0; i < pieces.length; i++) length += byteLengthOf(pieces[i]);
    const result = new Bytes(length);
    copyBytes(result, part(this.#whole, 0, this.#at));
    for (let i = 0, at = this.#at; i < pieces.length; at += byteLengthOf(pieces[i++])) copyBytes(result, pieces[i], at);
    this.abort();
    return result;
  }

  abort(): undefined {
    fillBytes(this.#whole, 0);
    for (let i = 0; i < this.#pieces.length; i++) fillBytes(this.#pieces[i], 0);
  }
}

async function madeIn(target: FileTarget): Promise<WritableFile> {
  const file: unknown = await target.createWritable();
  if (!has(file, 'write', 'close', 'abort'))
    throw new TypeError(`"createWritable" expected function that gives { write, close, abort }, got ${typeOf(file)}`);
  return file as WritableFile;
}

class FileSink implements Sink<number> {
  readonly #target: FileTarget;
  #file: Promise<WritableFile> | undefined;
  /** The memory of the last bytes. The first have memory of their own, which is all that a short stream needs. */
  #buffer: Uint8Array<ArrayBuffer> = new Bytes(0);
  #length = 0;
  #wanted = true;

  constructor(target: FileTarget) {
    this.#target = target;
  }

  get room(): Uint8Array | undefined {
    if (this.#length && byteLengthOf(this.#buffer) < BATCH_BYTES) this.#buffer = new Bytes(BATCH_BYTES);
    return this.#length ? this.#buffer : undefined;
  }

  async put(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (bufferOf(bytes) !== bufferOf(this.#buffer)) this.#buffer = bytes;
    this.#length += byteLengthOf(bytes);
    try {
      const file = await this.#open();
      // It may have been given up while the file was made.
      if (this.#wanted) await file.write(bytes);
    } finally {
      fillBytes(bytes, 0);
    }
  }

  async finish(): Promise<number> {
    await (await this.#open()).close();
    return this.#length;
  }

  abort(reason: unknown, most?: number): Promise<void> | undefined {
    this.#wanted = false;
    fillBytes(this.#buffer, 0);
    const removed = this.#file?.then((file) => file.abort(reason));
    return removed ? patiently(removed, most) : undefined;
  }

  /** The file is made late, so that a wrong key makes none. */
  #open(): Promise<WritableFile> {
    return (this.#file ??= madeIn(this.#target));
  }
}

/** The options of a whole, checked. */
export interface Whole {
  readonly most: number;
  readonly target: FileTarget | undefined;
}

export function wholeFrom(maxLength: unknown, to: unknown): Whole {
  if (to !== undefined && !has(to, 'createWritable')) {
    const hint = typeof to === 'string' ? '; use newFile(path) of lanewise/stream-node.js' : '';
    throw new TypeError(`"to" expected FileSystemFileHandle or object { createWritable }, got ${typeOf(to)}${hint}`);
  }
  const target = to as FileTarget | undefined;
  const otherwise = target ? 2 ** 53 - 1 : 2 ** 30;
  return { most: maxLength === undefined ? otherwise : sizeOf(maxLength, 'maxLength', 0), target };
}

function tooMuch(most: number, got: number | 'more', { target }: Whole): RangeError {
  const advice = target ? '' : ', or to a file with "to"';
  return new RangeError(
    `"source" expected at most ${most} bytes of plaintext, got ${got}: decrypt it with a greater "maxLength"${advice}`,
  );
}

/**
 * Decrypts a source, and gives the result when all of it is known to be authentic: bytes, or the number of bytes in the file.
 *
 * @param total - The number of bytes of plaintext, if it is known.
 */
export async function decryptWhole(
  conversion: Conversion,
  source: OpenSource,
  whole: Whole,
  total: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer> | number> {
  const flow = new Flow(conversion, source, signal);
  const { promise: failed, giveUp } = outcome<never>();
  let sink: Sink<Uint8Array<ArrayBuffer> | number> | undefined;
  let done = 0;
  let taken: Promise<void> | undefined;
  const put = (bytes: Uint8Array<ArrayBuffer>): void => {
    done += byteLengthOf(bytes);
    if (done > whole.most) {
      fillBytes(bytes, 0);
      throw tooMuch(whole.most, 'more', whole);
    }
    taken = sink!.put(bytes);
  };
  const run = async (): Promise<void> => {
    for (; !flow.ended; await taken) await flow.pull();
  };
  flow.start({
    get byobRequest() {
      const view = flow.ended ? undefined : (sink!.room as Uint8Array<ArrayBuffer> | undefined);
      return view && { view, respond: (length: number) => put(part(view, 0, length) as typeof view) };
    },
    enqueue: put,
    close: () => undefined,
    error: giveUp,
  });
  try {
    if (signal?.aborted) throw signal.reason;
    if (total !== undefined && total > whole.most) throw tooMuch(whole.most, total, whole);
    sink = whole.target ? new FileSink(whole.target) : new MemorySink(total, max(BATCH_BYTES, conversion.unit));
    await Promise.race([failed, run()]);
    // From here on an abort is too late.
    return await sink.finish();
  } catch (error) {
    flow.fail(error);
    await sink?.abort(error, signal?.aborted ? HURRIED_MS : undefined);
    throw error;
  }
}
