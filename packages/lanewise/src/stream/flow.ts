/** A byte stream that pulls a source through a conversion. */
import type { Conversion } from './conversion.ts';
import type { Source } from './source.ts';
import { byteLengthOf, Bytes, copyBytes, copyOf, fillBytes, min, part } from '../engine/intrinsics.ts';

/** The most bytes of a result that nobody has given memory for. */
const BATCH_BYTES = 262_144;

/** As far as it is used, the controller of a byte stream; that of another stream has no requests for bytes. */
interface Controller {
  readonly byobRequest?: ReadableStreamBYOBRequest | null;
  enqueue(chunk: Uint8Array<ArrayBuffer>): void;
  close(): void;
  error(reason: unknown): void;
}

export class Flow {
  readonly #conversion: Conversion;
  readonly #source: Source;
  readonly #onEnd: () => void;
  #controller: Controller | undefined;
  /** What is left of the bytes that the source has given. */
  #piece: Uint8Array | undefined;
  #at = 0;
  #left = 0;
  /** Bytes that were made and not yet given: a header, or a result for which the reader's memory is too small. */
  #spill: Uint8Array = new Bytes(0);
  #from = 0;
  #to = 0;
  /** Whether these are the last. */
  #complete = false;
  #ended = false;

  /** @param onEnd - Called once, when nothing more is done. */
  constructor(conversion: Conversion, source: Source, onEnd: () => void) {
    this.#conversion = conversion;
    this.#source = source;
    this.#onEnd = onEnd;
  }

  start(controller: Controller): void {
    this.#controller = controller;
  }

  /** Gives the reader bytes, or the end. */
  async pull(): Promise<void> {
    const conversion = this.#conversion;
    try {
      while (!this.#ended) {
        if (this.#from < this.#to) {
          this.#giveSpill();
          if (this.#complete && this.#from === this.#to) this.#close();
          return;
        }
        if (!conversion.started && conversion.startable) {
          const header = await conversion.start();
          if (this.#ended) return;
          this.#spill = header;
          this.#to = byteLengthOf(header);
          continue;
        }
        if (!this.#left) {
          const read = this.#source.read();
          const piece = read && 'then' in read ? await read : read;
          if (this.#ended) return;
          if (!piece) {
            this.#end();
            return;
          }
          this.#piece = piece;
          this.#at = 0;
          this.#left = byteLengthOf(piece);
          if (!this.#left) {
            this.#taken(0);
            continue;
          }
        }
        if (!conversion.started) this.#taken(conversion.takeHeader(this.#piece!, this.#at, this.#left));
        else if (this.#push()) return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends with an error, of which both the reader and the source are told. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#controller!.error(error);
    this.cancel(error).catch(() => undefined);
  }

  /** Ends because nobody reads any more. */
  async cancel(reason: unknown): Promise<void> {
    if (this.#ended) return;
    this.#wipe();
    await this.#source.cancel(reason);
  }

  /** Pushes as many bytes as the reader has room for. Returns whether it was given anything. */
  #push(): boolean {
    const conversion = this.#conversion;
    const view = this.#controller!.byobRequest?.view;
    const length = conversion.portion(this.#left, view ? byteLengthOf(view) : BATCH_BYTES);
    const bytes = part(this.#piece!, this.#at, length);
    const room = conversion.outputLength(length);
    if (room) this.#give(room, (out) => conversion.push(bytes, length, out));
    else conversion.push(bytes, length, this.#spill);
    this.#taken(length);
    if (room) conversion.report();
    return room > 0;
  }

  #end(): void {
    const conversion = this.#conversion;
    if (!conversion.started) throw conversion.truncated();
    const room = conversion.outputLength();
    if (room) this.#give(room, (out) => conversion.end(out));
    else conversion.end(this.#spill);
    conversion.report();
    this.#complete = true;
    if (this.#from === this.#to && !this.#ended) this.#close();
  }

  /** Bytes of the piece are no longer needed. */
  #taken(length: number): void {
    this.#at += length;
    this.#left -= length;
    if (this.#left) return;
    this.#piece = undefined;
    this.#source.release?.();
  }

  /** Gives the reader a result of at most `length` bytes, which is written to its memory if there is room enough. */
  #give(length: number, make: (out: Uint8Array) => Uint8Array): void {
    const request = this.#controller!.byobRequest;
    const view = request?.view;
    if (!view) this.#controller!.enqueue(make(new Bytes(length)) as Uint8Array<ArrayBuffer>);
    else if (length <= byteLengthOf(view)) request.respond(byteLengthOf(make(part(view as Uint8Array, 0, length))));
    else {
      if (byteLengthOf(this.#spill) < length) this.#spill = new Bytes(length);
      this.#from = 0;
      this.#to = byteLengthOf(make(part(this.#spill, 0, length)));
      this.#giveSpill();
    }
  }

  #giveSpill(): void {
    const request = this.#controller!.byobRequest;
    const view = request?.view;
    const length = min(this.#to - this.#from, view ? byteLengthOf(view) : Infinity);
    const bytes = part(this.#spill, this.#from, length);
    this.#from += length;
    if (view) {
      copyBytes(view as Uint8Array, bytes);
      request.respond(length);
    } else this.#controller!.enqueue(copyOf(bytes, length));
  }

  #close(): void {
    this.#wipe();
    this.#source.close();
    this.#controller!.close();
    // Settles the reads of those who gave memory.
    this.#controller!.byobRequest?.respond(0);
  }

  #wipe(): void {
    this.#ended = true;
    this.#piece = undefined;
    this.#conversion.destroy();
    fillBytes(this.#spill, 0);
    this.#onEnd();
  }
}
