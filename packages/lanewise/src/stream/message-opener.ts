/** Openers of messages, as callers see them. */
import type { Destroyable } from './life.ts';
import type { Written } from './shell.ts';

/** The options of an encrypted message. */
export interface OpenedMessageOptions {
  /** The additional data of its encryption; by default none. */
  readonly ad?: Uint8Array;
}

/**
 * Decrypts the messages of a stream in libsodium's format. `opener` of {@link secretstream} makes it.
 *
 * **Call `end`**: the stream is complete only if `end` returns.
 */
export interface MessageOpener extends Destroyable {
  /** The tag of the last message; undefined before the first. */
  readonly tag: number | undefined;

  /**
   * The number of bytes that the next call returns.
   *
   * @param length - The length in bytes of the encrypted message for `push`; omit it for `end`, which returns no bytes.
   * @returns The minimum length of `out`.
   * @throws TypeError or RangeError if it isn't an integer from 0 up, Error after `end` or `destroy`.
   */
  outputLength(length?: number): number;

  /**
   * Decrypts one message, and sets `tag` to its tag.
   *
   * @param message - A complete encrypted message.
   * @param out - Receives the plaintext: 17 bytes fewer than the message, or more. It may overlap the message.
   * @param options - `ad`.
   * @returns The plaintext, 17 bytes shorter than the message: a view of `out`, or fresh bytes.
   * @throws Error `message 12 is not authentic` (messages are counted from 0), or if the message is too short; from then on
   * the opener holds no key, and each call throws that error. Error `data after the end` after a message with the tag FINAL.
   * TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after `end` or
   * `destroy`; then nothing is written, and the opener's state is unchanged. Anything else, such as a stack overflow, wipes
   * the opener, which then refuses all calls but `destroy`.
   */
  push(message: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(message: Uint8Array, out: Out, options?: OpenedMessageOptions): Written<Out>;

  /**
   * Checks that the stream is complete, and wipes the opener.
   *
   * @param out - Unused: `end` has the same arguments in all formats.
   * @returns No bytes.
   * @throws Error `truncated after N bytes`, not counting the header, if the last message didn't have the tag
   * FINAL and the options require it; or the error that `push` has found. TypeError if `out` isn't of that
   * form, Error after `end` or `destroy`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;

  /** Replaces the key by a new one, as the other side did between the same messages. */
  rekey(): void;
}
