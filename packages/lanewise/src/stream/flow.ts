/** A byte stream that pulls a source through a conversion. */
import { BATCH_BYTES, type Conversion } from './conversion.ts';
import { Intake } from '../io/intake.ts';
import type { Made, ParallelChunks } from './parallel.ts';
import type { OpenSource } from '../io/parts-source.ts';
import { follow } from '../work/abort.ts';
import { breathe, sliceIsOver } from '../work/slices.ts';
import { byteLengthOf, Bytes, copyBytes, copyOf, fillBytes, min, part } from '../engine/intrinsics.ts';

const NOTHING = /* @__PURE__ */ new Bytes(0);

/** As far as it is used, the controller of a byte stream; that of another stream has no requests for bytes. */
interface Controller {
  readonly byobRequest?: Pick<ReadableStreamBYOBRequest, 'view' | 'respond'> | null | undefined;
  enqueue(chunk: Uint8Array<ArrayBuffer>): void;
  close(): void;
  error(reason: unknown): void;
}

export class Flow {
  readonly #conversion: Conversion;
  readonly #intake: Intake;
  readonly #unfollow: (() => void)[];
  #controller: Controller | undefined;
  /** While threads do the chunks: they, and their result, whose first bytes the reader has taken. */
  #parallel: ParallelChunks | undefined;
  #made: Made | undefined;
  #given = 0;
  /** Whether nothing is left to do but to close the stream, after the reader has taken all. */
  #complete = false;
  #ended = false;

  /** Whether nothing more is done. */
  get ended(): boolean {
    return this.#ended;
  }

  /** @param signal - Ends the flow. */
  constructor(conversion: Conversion, source: OpenSource, signal?: AbortSignal) {
    this.#conversion = conversion;
    this.#intake = new Intake(source);
    this.#unfollow = [signal, conversion.closed].map((its) => follow(its, (reason) => this.fail(reason)));
  }

  start(controller: Controller): void {
    this.#controller = controller;
  }

  /** Gives the reader bytes, or the end. */
  async pull(): Promise<void> {
    const conversion = this.#conversion;
    const intake = this.#intake;
    if (this.#complete) this.#close();
    try {
      for (;;) {
        if (sliceIsOver()) await breathe();
        if (this.#ended) return;
        this.#parallel ??= conversion.divide(intake);
        if (this.#parallel) {
          if (await this.#giveMade(this.#parallel)) return;
          continue;
        }
        if (!conversion.started && conversion.startable) {
          const header = await conversion.start();
          if (!header || this.#ended) continue;
          this.#controller!.enqueue(copyOf(header));
          return;
        }
        if (!intake.left) {
          const more = await intake.read(conversion.missing);
          if (!more && !this.#ended) {
            this.#end();
            return;
          }
        } else if (!conversion.started) intake.taken(conversion.takeHeader(intake.view(intake.left), 0, intake.left));
        else if (this.#push()) return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends with an error, for both the reader and the source. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#controller!.error(error);
    this.cancel(error).catch(() => undefined);
  }

  /** Ends because the reader has ended. */
  async cancel(reason: unknown): Promise<void> {
    if (this.#ended) return;
    this.#wipe();
    await this.#intake.cancel(reason);
  }

  /** Pushes as many bytes as the reader has room for. Returns whether it was given anything. */
  #push(): boolean {
    const conversion = this.#conversion;
    const view = this.#controller!.byobRequest?.view;
    const room = view ? byteLengthOf(view) : 0;
    const intake = this.#intake;
    const length = conversion.portion(intake.left, room < conversion.unit ? BATCH_BYTES : room);
    const bytes = intake.view(length);
    const made = conversion.outputLength(length);
    if (made) this.#give(made, (out) => conversion.push(bytes, length, out));
    else conversion.push(bytes, length, NOTHING);
    intake.taken(length);
    if (made) conversion.report();
    return made > 0;
  }

  /** Gives the reader a result of the threads, as much as it has room for. Returns false if this thread has to go on. */
  async #giveMade(parallel: ParallelChunks): Promise<boolean> {
    const made = (this.#made ??= await parallel.next());
    if (this.#ended) {
      if (made) fillBytes(made.bytes, 0);
      return true;
    }
    if (!made) {
      this.#conversion.rejoin();
      this.#parallel = undefined;
      return false;
    }
    const { bytes, done } = made;
    const length = byteLengthOf(bytes);
    const request = this.#controller!.byobRequest;
    const view = request?.view;
    if (view) {
      const taken = min(byteLengthOf(view), length - this.#given);
      copyBytes(view as Uint8Array, part(bytes, this.#given, taken));
      this.#given += taken;
      if (this.#given === length) {
        this.#made = undefined;
        parallel.giveBack(bytes);
      }
      request.respond(taken);
    } else {
      this.#made = undefined;
      this.#controller!.enqueue(this.#given ? copyOf(part(bytes, this.#given, length - this.#given)) : bytes);
    }
    if (this.#made) return true;
    this.#given = 0;
    this.#conversion.report(done);
    return true;
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
    this.#intake.close();
    // Closing a stream that still keeps bytes would be an error for readers that want more at least.
    if (kept) this.#complete = true;
    else this.#close();
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
    if (this.#made) fillBytes(this.#made.bytes, 0);
    this.#conversion.destroy();
    for (const unfollow of this.#unfollow) unfollow();
  }
}
