/** Sealers of chunks, as callers see them. */
import type { Destroyable } from './life.ts';
import type { Written } from './shell.ts';

/** Encrypts a stream, in pieces of any length. `sealer` of {@link chunked} and {@link agePayload} makes it. */
export interface Sealer extends Destroyable {
  /** The bytes to send first: 56 in {@link chunked}; in {@link agePayload} its `header`. Not secret. */
  readonly header: Uint8Array<ArrayBuffer>;

  /**
   * The number of bytes that the next call returns.
   *
   * @param length - The length in bytes of the plaintext for `push`; omit it for `end`.
   * @returns The minimum length of `out`.
   * @throws TypeError or RangeError if it isn't an integer from 0 up, Error after `end` or `destroy`.
   */
  outputLength(length?: number): number;

  /**
   * Encrypts all chunks that are complete, and keeps the rest for the next call. The ciphertext doesn't depend on how you
   * cut the plaintext into pieces.
   *
   * @param bytes - Plaintext of any length. You may overwrite it after the call.
   * @param out - Receives the ciphertext: at least `outputLength(bytes.length)` bytes. It may overlap `bytes`, at the cost of a copy.
   * @returns The ciphertext, possibly empty: a view of `out`, or fresh bytes.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, RangeError if the
   * format has no stream so long, Error after `end` or `destroy`; then nothing is written, and the sealer's state is
   * unchanged. Anything else, such as a stack overflow, wipes the sealer, which then refuses all calls but `destroy`.
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(bytes: Uint8Array, out: Out): Written<Out>;

  /**
   * Encrypts the kept bytes as the last chunk, then wipes the sealer.
   *
   * @param out - Receives the ciphertext: at least `outputLength()` bytes.
   * @returns The end of the ciphertext: a view of `out`, or fresh bytes.
   * @throws TypeError if `out` isn't a Uint8Array, RangeError if it is too short, Error after `end` or `destroy`; then nothing is
   * written, and the sealer's state is unchanged. Anything else wipes the sealer, which then refuses all calls but `destroy`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;
}
