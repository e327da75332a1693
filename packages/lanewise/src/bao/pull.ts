/** Takes the bytes of a source in order, and ends the source if the work ends before it. */
import { RangesSource, type OpenSource } from '../io/parts-source.ts';
import type { CheckedSource } from '../io/source.ts';
import { lengthOf, present } from '../calls/checks.ts';
import { breathe, sliceIsOver } from '../work/slices.ts';
import { Bytes, copyBytes, max, min, part } from '../engine/intrinsics.ts';

/** Most bytes that are hashed before others may have a turn. */
const SLICE_BYTES = 1_048_576;

/** Calls a function with all pieces of a source, in slices of up to 1 MiB. */
export async function pull(from: CheckedSource, signal: AbortSignal, take: (piece: Uint8Array) => void): Promise<void> {
  const source = from.open();
  // Each piece of a file is memory of its own, so the next one is read meanwhile.
  const isFile = (source as object) instanceof RangesSource;
  const cancel = cancelling(source, signal);
  try {
    let coming: ReturnType<OpenSource['read']> = source.read();
    for (let piece = await coming; piece; piece = await coming) {
      if (isFile) {
        coming = source.read();
        void Promise.resolve(coming).catch(() => undefined);
      }
      const length = lengthOf(piece, 'chunk');
      // Others have a turn after empty pieces, too, which may never end.
      for (let at = 0; at < max(1, length); at += SLICE_BYTES) {
        if (sliceIsOver()) await breathe();
        signal.throwIfAborted();
        take(part(present(piece, 'chunk'), at, min(SLICE_BYTES, length - at)));
      }
      source.release?.();
      signal.throwIfAborted();
      if (!isFile) coming = source.read();
    }
    cancel.close();
  } finally {
    cancel.end();
  }
}

/** Ends a source when a signal is aborted, unless the source has ended by itself. */
function cancelling(source: OpenSource, signal: AbortSignal): { close(): void; end(): void } {
  let isOpen = true;
  const end = (): void => {
    signal.removeEventListener('abort', end);
    if (!isOpen) return;
    isOpen = false;
    // The end of the source may never come, and is not waited for.
    source.cancel(signal.reason).catch(() => undefined);
  };
  signal.addEventListener('abort', end);
  return {
    end,
    close() {
      isOpen = false;
      source.close();
    },
  };
}

/** Takes as many bytes at a time as are asked for. */
export class Taker {
  readonly #checked: CheckedSource;
  #source: OpenSource | undefined;
  #piece: Uint8Array | undefined;
  #at = 0;
  #left = 0;
  #taken = 0;

  constructor(checked: CheckedSource) {
    this.#checked = checked;
  }

  /** The next bytes, as a view that stays as it is until the next call, or in memory of their own. */
  async take(length: number): Promise<Uint8Array> {
    if (length === 0) return new Bytes(0);
    if (!this.#left && !(await this.#read())) throw this.#truncated();
    if (this.#left >= length) return this.#view(length);
    const bytes = new Bytes(length);
    for (let done = 0; done < length;) {
      if (!this.#left && !(await this.#read())) throw this.#truncated();
      const taken = min(this.#left, length - done);
      copyBytes(bytes, this.#view(taken), done);
      done += taken;
    }
    return bytes;
  }

  /** Throws unless the source has ended, too. */
  async end(): Promise<void> {
    if (this.#left || (await this.#read()))
      throw new Error(`the source goes on after ${this.#taken} bytes, where it should end`);
    this.#source!.close();
    this.#source = undefined;
  }

  /** Ends the source before its end. */
  cancel(reason: unknown): Promise<void> {
    const source = this.#source;
    this.#source = this.#piece = undefined;
    this.#left = 0;
    return source ? source.cancel(reason) : Promise.resolve();
  }

  #view(length: number): Uint8Array {
    const view = part(present(this.#piece!, 'chunk'), this.#at, length);
    this.#at += length;
    this.#left -= length;
    this.#taken += length;
    return view;
  }

  /** Gets the next piece that isn't empty. Returns whether there is one. */
  async #read(): Promise<boolean> {
    this.#source ??= this.#checked.open();
    for (;;) {
      if (this.#piece) this.#source.release?.();
      if (sliceIsOver()) await breathe();
      // There is none if it was ended meanwhile.
      const piece = await this.#source?.read();
      [this.#piece, this.#at] = [piece, 0];
      this.#left = piece ? lengthOf(piece, 'chunk') : 0;
      if (!piece || this.#left) return piece !== undefined;
    }
  }

  #truncated(): Error {
    return new Error(`the source is truncated: it ended after ${this.#taken} bytes`);
  }
}
