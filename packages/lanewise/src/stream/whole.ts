/** Decryption of a whole stream: nothing is given before the last chunk is known to be authentic, and the last. */
import { abortable, patiently } from '../work/abort.ts';
import { BATCH_BYTES, type Conversion } from './conversion.ts';
import { Intake } from '../io/intake.ts';
import { has, type FileTarget, type WritableFile } from '../io/handles.ts';
import type { Source } from '../io/parts-source.ts';
import { sizeOf, typeOf } from '../calls/checks.ts';
import { breathe, sliceIsOver } from '../work/slices.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes, part } from '../engine/intrinsics.ts';

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
  /** Memory for so many bytes. */
  room(length: number): Uint8Array;
  /** Takes bytes that were put at the start of that memory. */
  put(bytes: Uint8Array): Promise<void> | undefined;
  finish(): Result | Promise<Result>;
  /**
   * Gives up: wipes memory and removes files. The place may never answer, so that is waited for a while only.
   *
   * @param most - How many milliseconds.
   */
  abort(reason: unknown, most?: number): Promise<void> | undefined;
}

class MemorySink implements Sink<Uint8Array<ArrayBuffer>> {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  /** How many bytes of each are plaintext. */
  readonly #lengths: number[] = [];
  /** In the last piece. */
  #at = 0;

  /** @param total - The number of bytes, if it is known: then they are decrypted to where they stay. */
  constructor(total: number | undefined) {
    this.#add(total ?? 0);
  }

  room(length: number): Uint8Array {
    const last = this.#pieces[this.#pieces.length - 1];
    if (byteLengthOf(last) - this.#at >= length) return part(last, this.#at, length);
    return this.#add(length);
  }

  put(bytes: Uint8Array): undefined {
    this.#at += byteLengthOf(bytes);
    this.#lengths[this.#pieces.length - 1] = this.#at;
  }

  finish(): Uint8Array<ArrayBuffer> {
    let length = 0;
    for (let i = 0; i < this.#lengths.length; i++) length += this.#lengths[i];
    const [first] = this.#pieces;
    if (byteLengthOf(first) === length) return first;
    const whole = new Bytes(length);
    for (let i = 0, at = 0; i < this.#pieces.length; at += this.#lengths[i++])
      copyBytes(whole, part(this.#pieces[i], 0, this.#lengths[i]), at);
    this.abort();
    return whole;
  }

  abort(): undefined {
    for (let i = 0; i < this.#pieces.length; i++) fillBytes(this.#pieces[i], 0);
  }

  #add(length: number): Uint8Array<ArrayBuffer> {
    const piece = new Bytes(length);
    this.#pieces[this.#pieces.length] = piece;
    this.#lengths[this.#lengths.length] = 0;
    this.#at = 0;
    return piece;
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
  #buffer = new Bytes(0);
  #length = 0;
  #wanted = true;

  constructor(target: FileTarget) {
    this.#target = target;
  }

  room(length: number): Uint8Array {
    if (byteLengthOf(this.#buffer) < length) {
      fillBytes(this.#buffer, 0);
      this.#buffer = new Bytes(length);
    }
    return part(this.#buffer, 0, length);
  }

  async put(bytes: Uint8Array): Promise<void> {
    this.#length += byteLengthOf(bytes);
    const file = await this.#open();
    // It may have been given up while the file was made.
    if (this.#wanted) await file.write(bytes as Uint8Array<ArrayBuffer>);
  }

  async finish(): Promise<number> {
    const file = await this.#open();
    fillBytes(this.#buffer, 0);
    await file.close();
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

/** Decrypts all that the source gives. */
async function decryptAll(
  conversion: Conversion,
  intake: Intake,
  sink: Sink<unknown>,
  whole: Whole,
  signal: AbortSignal,
): Promise<void> {
  let done = 0;
  const take = async (length: number, make: (out: Uint8Array) => Uint8Array): Promise<void> => {
    if (done + length > whole.most) throw tooMuch(whole.most, 'more', whole);
    const bytes = make(sink.room(length));
    done += byteLengthOf(bytes);
    await sink.put(bytes);
    signal.throwIfAborted();
    // A conversion gives what is authentic first; its next call throws the error.
    if (byteLengthOf(bytes) < length) conversion.push(bytes, 0, bytes);
  };
  for (;;) {
    if (!conversion.started && conversion.startable) await conversion.start();
    if (sliceIsOver()) await breathe();
    signal.throwIfAborted();
    const parallel = conversion.divide(intake);
    if (parallel) {
      for (let made = await parallel.next(); made; made = await parallel.next()) {
        const { bytes } = made;
        // The work may have been given up while it waited.
        if (signal.aborted) fillBytes(bytes, 0);
        signal.throwIfAborted();
        await take(byteLengthOf(bytes), (out) => {
          copyBytes(out, bytes);
          parallel.giveBack(bytes);
          return out;
        });
        conversion.report(made.done);
      }
      conversion.rejoin();
    }
    if (!intake.left) {
      const more = await intake.read(conversion.missing);
      signal.throwIfAborted();
      if (!more) break;
    } else if (!conversion.started) intake.taken(conversion.takeHeader(intake.view(intake.left), 0, intake.left));
    else {
      const taken = conversion.portion(intake.left, BATCH_BYTES);
      const room = conversion.outputLength(taken);
      const push = (out: Uint8Array): Uint8Array => conversion.push(intake.view(taken), taken, out);
      if (room) {
        await take(room, push);
        conversion.report();
      } else push(sink.room(0));
      intake.taken(taken);
    }
  }
  if (!conversion.started) throw conversion.truncated();
  await take(conversion.outputLength(), (out) => conversion.end(out));
  conversion.report();
}

/**
 * Decrypts a source, and gives the result when all of it is known to be authentic: bytes, or the number of bytes in the file.
 *
 * @param total - The number of bytes of plaintext, if it is known.
 */
export async function decryptWhole(
  conversion: Conversion,
  source: Source,
  whole: Whole,
  total: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer> | number> {
  let sink: Sink<Uint8Array<ArrayBuffer> | number> | undefined;
  const intake = new Intake(source);
  try {
    if (total !== undefined && total > whole.most) throw tooMuch(whole.most, total, whole);
    const its = (sink = whole.target ? new FileSink(whole.target) : new MemorySink(total));
    const work = (heeded: AbortSignal): Promise<void> => decryptAll(conversion, intake, its, whole, heeded);
    await abortable([signal, conversion.closed], work);
    conversion.destroy();
    intake.close();
    // From here on an abort is too late.
    return await its.finish();
  } catch (error) {
    conversion.destroy();
    intake.cancel(error).catch(() => undefined);
    await sink?.abort(error, signal?.aborted ? HURRIED_MS : undefined);
    throw error;
  }
}
