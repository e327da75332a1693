/** The bytes of a source that were not taken yet. */
import type { OpenSource } from './parts-source.ts';
import type { Input } from '../work/threads.ts';
import { isBytes, lengthOf, present } from '../calls/checks.ts';
import { part } from '../engine/intrinsics.ts';

/** Bytes in front of those that the source gives. */
interface Before {
  readonly input: Input;
  readonly fromSource: boolean;
}

export class Intake {
  readonly #source: OpenSource;
  #before: Before[] = [];
  #piece: Uint8Array | undefined;
  #at = 0;
  #left = 0;
  /** Whether the source gave the piece, and waits until it is taken. */
  #fromSource = false;
  /** A read of the source, until its bytes are taken. */
  #coming: Promise<Uint8Array | undefined> | undefined;
  #ended = false;

  constructor(source: OpenSource) {
    this.#source = source;
  }

  /** How many bytes are there. */
  get left(): number {
    return this.#left;
  }

  /** The next of them, as many as are asked for, which must be there. */
  view(length: number): Uint8Array {
    return part(present(this.#piece!, 'chunk'), this.#at, length);
  }

  /** The next of them are no longer needed. */
  taken(length: number): void {
    this.#at += length;
    this.#left -= length;
    if (this.#left) return;
    this.#piece = undefined;
    if (this.#fromSource) this.#source.release?.();
  }

  /**
   * Gets more bytes, when none is left. The piece that comes may have none, too.
   *
   * @param most - How many bytes are wanted, if the source can tell its bytes apart.
   * @returns Whether there are more. An error of the source is thrown again by later calls.
   */
  read(most?: number): boolean | Promise<boolean> {
    const before = this.#before[0] as Before | undefined;
    if (before) {
      const { input, fromSource } = before;
      // They stay in front until they are there, so that bytes of the source that come meanwhile wait.
      const take = (bytes: Uint8Array): boolean => {
        this.#before.shift();
        return this.#take(bytes, fromSource);
      };
      return isBytes(input) ? take(input) : input.read().then(take);
    }
    if (this.#ended) return false;
    if (this.#coming) return this.#arrive(this.#coming);
    const read = this.#source.read(most);
    if (!(read && 'then' in read)) return this.#take(read, true);
    this.#coming = read;
    return this.#arrive(read);
  }

  /** The next bytes, which stay as they are until the end: whole units, at most so many bytes, and others follow. */
  skip(unit: number, most: number): Input | undefined {
    return this.#left || this.#before.length ? undefined : this.#source.skip?.(unit, most);
  }

  /** Puts bytes back in front of all others. They must stay as they are. */
  putBack(inputs: readonly Input[]): void {
    const before = inputs.map((input) => ({ input, fromSource: false }));
    if (this.#left) before.push({ input: this.view(this.#left), fromSource: this.#fromSource });
    this.#before = [...before, ...this.#before];
    this.#piece = undefined;
    this.#left = 0;
  }

  /** After the end. */
  close(): void {
    this.#piece = undefined;
    this.#source.close();
  }

  cancel(reason: unknown): Promise<void> {
    this.#piece = undefined;
    return this.#source.cancel(reason);
  }

  /** Takes what the source gives, unless others wait for it, too, and have bytes that come first. */
  async #arrive(coming: Promise<Uint8Array | undefined>): Promise<boolean> {
    const piece = await coming;
    if (this.#coming !== coming || this.#left || this.#before.length) return true;
    this.#coming = undefined;
    return this.#take(piece, true);
  }

  #take(piece: Uint8Array | undefined, fromSource: boolean): boolean {
    if (!piece) {
      this.#ended = true;
      return false;
    }
    this.#piece = piece;
    this.#at = 0;
    this.#left = lengthOf(piece, 'chunk');
    this.#fromSource = fromSource;
    if (!this.#left) this.taken(0);
    return true;
  }
}
