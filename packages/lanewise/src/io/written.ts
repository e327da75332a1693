/** The source that a WritableStream is: what one side writes, the other side reads. */
import { ended, type OpenSource } from './parts-source.ts';
import { pieceOf } from './source.ts';

/** As far as it is used, the controller of a WritableStream. Its signal, which not every host has, tells of an abort at once. */
interface Controller {
  readonly signal?: AbortSignal;
  error(reason: unknown): void;
}

/** Takes a piece as long as it is now, when its turn comes. Throws only then, because a WritableStream reports no error in its strategy. */
function begun(chunk: unknown): () => Uint8Array {
  try {
    const piece = pieceOf(chunk);
    return () => pieceOf(piece);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/**
 * A write lasts until its bytes were taken, so that no more than one piece is kept, and the caller may overwrite them when its promise
 * is settled. A close lasts until the end was read.
 */
export class WrittenSource implements OpenSource {
  readonly #abort: (reason: unknown) => void;
  #controller: Controller | undefined;
  /** The pieces of writes that wait in the WritableStream, by the number of the write. */
  readonly #begun: Record<number, () => Uint8Array> = { __proto__: null } as never;
  #writes = 0;
  #taken = 0;
  #piece: Uint8Array | undefined;
  #closing = false;
  /** Settles the read that waits for a piece. */
  #give: ((piece: Uint8Array | undefined) => void) | undefined;
  /** Settle the write or close that waits until it was taken. */
  #done: (() => void) | undefined;
  #refused: ((reason: unknown) => void) | undefined;

  /** @param abort - Called when the writer aborts, or writes anything but bytes. It must cancel this source. */
  constructor(abort: (reason: unknown) => void) {
    this.#abort = abort;
  }

  /** What a WritableStream is made of. */
  get sink(): UnderlyingSink<Uint8Array> {
    return {
      __proto__: null,
      start: (controller: Controller) => {
        this.#controller = controller;
        const { signal } = controller;
        signal?.addEventListener('abort', () => this.#aborted(signal.reason));
      },
      write: (chunk: unknown) => this.#write(chunk),
      close: () => {
        this.#closing = true;
        return this.#offer(undefined);
      },
      abort: (reason: unknown) => this.#aborted(reason),
    } as UnderlyingSink<Uint8Array>;
  }

  /**
   * How a WritableStream counts pieces. It asks for the size at once when a piece is written, and hands the piece over when those before it
   * are done. So this keeps the length that the piece has when it is written: its buffer may be transferred, shrink or grow while it waits.
   */
  get strategy(): QueuingStrategy<Uint8Array> {
    return {
      __proto__: null,
      size: (chunk: unknown) => {
        this.#begun[this.#writes++] = begun(chunk);
        return 1;
      },
    } as QueuingStrategy<Uint8Array>;
  }

  read(): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const piece = this.#piece;
    this.#piece = undefined;
    if (piece || this.#closing) return piece;
    return new Promise((resolve) => {
      this.#give = resolve;
    });
  }

  release(): void {
    this.#done?.();
  }

  close(): void {
    this.#done?.();
  }

  cancel(reason: unknown): Promise<void> {
    this.#piece = undefined;
    this.#refused?.(reason);
    this.#give?.(undefined);
    this.#controller?.error(reason);
    return ended();
  }

  /** The writer has aborted: the WritableStream knows the error, and WebKit fails if it is told once more. */
  #aborted(reason: unknown): void {
    this.#controller = undefined;
    this.#abort(reason);
  }

  #write(chunk: unknown): Promise<void> {
    // A Transform of Node asks for no size.
    const take = (this.#begun[this.#taken] as (() => Uint8Array) | undefined) ?? begun(chunk);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a page may replace the methods of an array or Map
    delete this.#begun[this.#taken++];
    try {
      return this.#offer(take());
    } catch (error) {
      this.#abort(error);
      // Not thrown: a Transform of Node would end the process.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the error that was caught
      return Promise.reject(error);
    }
  }

  /** Lets the reader have a piece, or the end. */
  #offer(piece: Uint8Array | undefined): Promise<void> {
    const give = this.#give;
    this.#give = undefined;
    if (!give) this.#piece = piece;
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#refused = reject;
      give?.(piece);
    });
  }
}
