/** A byte stream that pulls a source through a conversion. */
import type { Conversion } from './conversion.ts';
import type { Source } from './source.ts';
import { byteLengthOf, Bytes, copyOf, part } from '../engine/intrinsics.ts';

/** The most bytes of a result for which the reader has given no memory, or too little for a chunk. */
export const BATCH_BYTES = 262_144;

const NOTHING = /* @__PURE__ */ new Bytes(0);

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
  /** Whether nothing is left to do but to close the stream, after the reader has taken all. */
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
    if (this.#complete) this.#close();
    try {
      while (!this.#ended) {
        if (!conversion.started && conversion.startable) {
          const header = await conversion.start();
          if (this.#ended) return;
          if (!header) continue;
          this.#controller!.enqueue(copyOf(header));
          return;
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
    const room = view ? byteLengthOf(view) : 0;
    const length = conversion.portion(this.#left, room < conversion.unit ? BATCH_BYTES : room);
    const bytes = part(this.#piece!, this.#at, length);
    const made = conversion.outputLength(length);
    if (made) this.#give(made, (out) => conversion.push(bytes, length, out));
    else conversion.push(bytes, length, NOTHING);
    this.#taken(length);
    if (made) conversion.report();
    return made > 0;
  }

  #end(): void {
    const conversion = this.#conversion;
    if (!conversion.started) throw conversion.truncated();
    const made = conversion.outputLength();
    let kept = false;
    if (made) kept = this.#give(made, (out) => conversion.end(out));
    else conversion.end(NOTHING);
    conversion.report();
    // The caller's function may have cancelled.
    if (this.#ended) return;
    this.#wipe();
    this.#source.close();
    // Closing a stream that still keeps bytes would be an error for readers that want more at least.
    if (kept) this.#complete = true;
    else this.#close();
  }

  /** Bytes of the piece are no longer needed. */
  #taken(length: number): void {
    this.#at += length;
    this.#left -= length;
    if (this.#left) return;
    this.#piece = undefined;
    this.#source.release?.();
  }

  /**
   * Gives the reader a result of at most `length` bytes, which is written to its memory if there is room enough. Returns whether the
   * stream keeps bytes, or may.
   */
  #give(length: number, make: (out: Uint8Array) => Uint8Array): boolean {
    const request = this.#controller!.byobRequest;
    const view = request?.view;
    if (view && length <= byteLengthOf(view)) {
      request.respond(byteLengthOf(make(part(view as Uint8Array, 0, length))));
      return false;
    }
    this.#controller!.enqueue(make(new Bytes(length)) as Uint8Array<ArrayBuffer>);
    return true;
  }

  #close(): void {
    this.#controller!.close();
    // Settles the reads of those who gave memory.
    this.#controller!.byobRequest?.respond(0);
  }

  #wipe(): void {
    this.#ended = true;
    this.#piece = undefined;
    this.#conversion.destroy();
    this.#onEnd();
  }
}
