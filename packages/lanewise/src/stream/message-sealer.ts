/** Sealers of messages, as callers see them. */
import type { Destroyable } from './life.ts';
import type { Written } from './shell.ts';

/** The options of a message. */
export interface MessageOptions {
  /**
   * 0 to 255; by default TAG_MESSAGE. The application defines the meaning of all tags but TAG_REKEY and TAG_FINAL.
   */
  readonly tag?: number;
  /** Additional data, authenticated with the message but not sent with it; by default none. */
  readonly ad?: Uint8Array;
}

/** Encrypts the messages of a stream in libsodium's format. `sealer` of {@link secretstream} makes it. */
export interface MessageSealer extends Destroyable {
  /** 24 bytes to send first. Not secret. */
  readonly header: Uint8Array<ArrayBuffer>;

  /**
   * The number of bytes that the next call returns.
   *
   * @param length - The length in bytes of the message for `push`; omit it for `end`.
   * @returns The minimum length of `out`.
   * @throws TypeError or RangeError if it isn't an integer from 0 up, Error after `end` or `destroy`.
   */
  outputLength(length?: number): number;

  /**
   * Encrypts one message. The tag FINAL ends the stream and wipes its key: only `end` may follow.
   *
   * @param message - At most 64·(2^32 - 2) bytes.
   * @param out - Receives the result: at least 17 bytes more than the message, which it may overlap.
   * @param options - `tag` and `ad`.
   * @returns The encrypted tag, the ciphertext and a MAC, 17 bytes more than the message: a view of `out`, or fresh bytes.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after `end`,
   * `destroy` or a message with the tag FINAL; then nothing is written, and the sealer's state is unchanged. Anything else,
   * such as a stack overflow, wipes the sealer, which then refuses all calls but `destroy`.
   */
  push(message: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(message: Uint8Array, out: Out, options?: MessageOptions): Written<Out>;

  /**
   * Ends the stream, with an empty message of the tag FINAL unless the last message had it, and wipes the sealer.
   *
   * @param out - Receives the result: at least `outputLength()` bytes.
   * @returns That message, of 17 bytes, or no bytes: a view of `out`, or fresh bytes.
   * @throws TypeError if `out` isn't a Uint8Array, RangeError if it is too short, Error after `end` or `destroy`; then nothing is
   * written.
   * Anything else wipes the sealer, which then refuses all calls but `destroy`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;

  /** Replaces the key by a new one. The other side must do so between the same messages. */
  rekey(): void;
}
