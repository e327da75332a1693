/** Decrypts the messages of a stream in libsodium's format. */
import { Life, Machine, roomIn, type Written } from './life.ts';
import { additionalOf, FINAL } from './message-sealer.ts';
import { EXTRA_BYTES, type SecretstreamState } from './secretstream-state.ts';
import { lengthOf, refuseExtra, sizeOf } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { byteLengthOf, max } from '../engine/intrinsics.ts';

const MESSAGE = { __proto__: null, ad: 1, tag: 'the message has it: see opener.tag' } as const;

/** The options of an encrypted message. */
export interface OpenedMessageOptions {
  /** The additional data that it was encrypted with; none unless given. */
  readonly ad?: Uint8Array;
}

/**
 * Decrypts the messages of a stream in libsodium's format. Made by `opener` of {@link secretstream}.
 *
 * **Call `end`**: only when it returns is the stream known to be complete.
 */
export class MessageOpener extends Machine {
  readonly #state: SecretstreamState;
  readonly #requireFinal: boolean;
  readonly #life: Life;
  #tag: number | undefined;
  #count = 0;
  #bytes = 0;
  #failure: string | undefined;

  /** @internal */
  constructor(state: SecretstreamState, requireFinal: boolean) {
    const life = new Life('an opener', () => state.wipe(), state.secrets);
    super(life);
    this.#life = life;
    this.#state = state;
    this.#requireFinal = requireFinal;
  }

  /** The tag of the last message; undefined before the first. */
  get tag(): number | undefined {
    return this.#tag;
  }

  /**
   * The number of bytes that the next call returns.
   *
   * @param length - The length in bytes of the encrypted message that `push` would get; left out for the result of
   * `end`, which has no bytes.
   * @returns The least length that `out` may have.
   * @throws TypeError or RangeError if it isn't an integer from 0 up, Error after `end` or `destroy`.
   */
  outputLength(length?: number): number;
  outputLength(length?: number, extra?: unknown): number {
    refuseExtra(extra, 1);
    this.#life.check();
    return length === undefined ? 0 : max(0, sizeOf(length, 'length', 0) - EXTRA_BYTES);
  }

  /**
   * Decrypts one message; `tag` then is the tag of this message.
   *
   * @param message - An encrypted message, whole.
   * @param out - Where the plaintext goes, from its start on: at least 17 bytes fewer; may be or overlap the message.
   * @param options - `ad`.
   * @returns The plaintext, 17 bytes shorter than the message: a view of `out`, or fresh bytes.
   * @throws Error `message 12 is not authentic` (messages are counted from 0), or it is too short to be one; from then on the
   * machine holds no key, and each call throws that error. Error `data behind the end` after a message with the tag FINAL.
   * TypeError or RangeError if an argument is not of that form, Error after `end` or `destroy`; then nothing is written, and the
   * machine is where it was. If it throws anything else, as when the stack overflows, the machine is wiped, and refuses all but
   * `destroy`.
   */
  push(message: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(message: Uint8Array, out: Out, options?: OpenedMessageOptions): Written<Out>;
  push(message: Uint8Array, out?: Uint8Array, options?: OpenedMessageOptions, extra?: unknown): Uint8Array {
    refuseExtra(extra, 3);
    this.#life.check();
    const length = lengthOf(message, 'message');
    const ad = additionalOf(optionOf(optionsOf(options, MESSAGE), 'ad'));
    const result = roomIn(out, max(0, length - EXTRA_BYTES));
    // Checked again, because an option's getter may have detached the buffer.
    lengthOf(message, 'message', length);
    this.#check();
    if (this.#tag === FINAL) this.#fail('data behind the end');
    else if (length < EXTRA_BYTES) this.#fail(`message ${this.#count} is truncated: it has fewer than 17 bytes`);
    else this.#life.work(() => this.#open(message, length, ad, result));
    this.#check();
    return result;
  }

  /**
   * Shows that the stream is complete. Ends the machine and wipes it.
   *
   * @param out - Not used: it is accepted so that `end` has the same arguments in all formats.
   * @returns No bytes.
   * @throws Error `truncated after N bytes`, which do not count the header, if the last message did not have the tag
   * FINAL and the machine was made to require it; or the error that `push` has found. TypeError if `out` is not of that
   * form, Error after `end` or `destroy`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;
  end(out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 1);
    this.#life.check();
    const result = roomIn(out, 0);
    this.#check();
    if (this.#requireFinal && this.#tag !== FINAL) this.#fail(`truncated after ${this.#bytes} bytes`);
    this.#check();
    this.#life.finish('end()');
    return result;
  }

  /** Goes on under a new key, and forgets this one, as the other side did between the same messages. */
  rekey(): void;
  rekey(extra?: unknown): void {
    refuseExtra(extra, 0);
    this.#life.check();
    this.#check();
    if (this.#tag === FINAL) throw new Error('cannot use an opener after its FINAL message');
    this.#life.work(() => this.#state.rekey());
  }

  #check(): void {
    if (this.#failure !== undefined) throw new Error(this.#failure);
  }

  #fail(failure: string): void {
    this.#failure = failure;
    this.#state.wipe();
  }

  #open(message: Uint8Array, length: number, ad: Uint8Array, out: Uint8Array): void {
    const tag = this.#state.open(ad, byteLengthOf(ad), message, length - EXTRA_BYTES, out);
    if (tag === undefined) {
      this.#fail(`message ${this.#count} is not authentic`);
      return;
    }
    this.#tag = tag;
    this.#count++;
    this.#bytes += length;
    if (tag === FINAL) this.#state.wipe();
  }
}
