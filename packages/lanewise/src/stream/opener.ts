/** Openers of chunks, as callers see them. */
import type { Destroyable } from './life.ts';
import type { Written } from './shell.ts';

/**
 * Decrypts a stream without its header, in pieces of any length. `opener` of {@link chunked} and {@link agePayload} makes it.
 *
 * **Call `end`**: the stream is complete only if `end` returns. Until then each chunk of plaintext is authentic, but the end
 * of the stream may be missing.
 */
export interface Opener extends Destroyable {
  /**
   * The number of bytes that the next call returns if the stream is authentic; otherwise it returns fewer.
   *
   * @param length - The length in bytes of the ciphertext for `push`; omit it for `end`.
   * @returns The minimum length of `out`.
   * @throws TypeError or RangeError if it isn't an integer from 0 up, Error after `end` or `destroy`.
   */
  outputLength(length?: number): number;

  /**
   * Decrypts all chunks that are complete, and keeps the rest for the next call. The plaintext doesn't depend on how you
   * cut the stream into pieces.
   *
   * If a chunk isn't authentic, or bytes follow the last one, the call returns the plaintext of the chunks before it, and the next
   * call throws; without such chunks, this call throws. From then on the opener holds no key, and each call throws that error.
   *
   * @param bytes - Ciphertext of any length. You may overwrite it after the call.
   * @param out - Receives the plaintext: at least `outputLength(bytes.length)` bytes. It may overlap `bytes`, at the cost of a copy.
   * @returns Authentic plaintext, possibly empty: a view of `out`, or of fresh bytes.
   * @throws Error `chunk 12 is not authentic` (chunks are counted from 0), `data after the end`. TypeError if an argument
   * has the wrong type, RangeError if it has the wrong length or value, Error after `end` or `destroy`; then nothing is
   * written, and the opener's state is unchanged. Anything else, such as a stack overflow, wipes the opener, which then
   * refuses all calls but `destroy`.
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(bytes: Uint8Array, out: Out): Written<Out>;

  /**
   * Decrypts the kept bytes as the last chunk, checks that the stream is complete, and wipes the opener.
   *
   * @param out - Receives the plaintext: at least `outputLength()` bytes.
   * @returns The end of the plaintext, possibly empty: a view of `out`, or fresh bytes.
   * @throws Error `truncated after N bytes`, the header included; `chunk 12 is not authentic, or truncated after N
   * bytes`; or the error that `push` has found. TypeError if `out` isn't a Uint8Array, RangeError if it is too short,
   * Error after `end` or `destroy`; then nothing is written, and the opener's state is unchanged. Anything else wipes the opener, which
   * then refuses all calls but `destroy`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;
}
