/** How a format cuts a stream into chunks, and the sizes that follow from it. */
import { refuseSurplus, sizeOf } from '../calls/checks.ts';
import { floor, max } from '../engine/intrinsics.ts';

/** Behind each chunk of {@link chunked} and {@link agePayload}. */
export const TAG_BYTES = 16;

/** The parameters of a format. */
export interface Chunking {
  /** Plaintext bytes of every chunk but the last. */
  readonly chunkLength: number;
  /**
   * Whether the last chunk may be full. If so, its nonce marks it as the last, and it is empty only in an empty stream.
   * If not, the last chunk is the one that is shorter than the others, and it may be empty.
   */
  readonly fullLast: boolean;
  /**
   * Whether a stream that is not empty may end with an empty chunk. A sealer makes one only if `fullLast` is false.
   */
  readonly emptyLast: boolean;
  /** The bytes that encryption adds to a chunk. */
  readonly tagLength: number;
  /** The format's name for a chunk, in error messages. */
  readonly unit: 'chunk' | 'message';
  /** Bytes in front of the chunks. */
  readonly headerLength: number;
  /** The most chunks that a stream may have. */
  readonly mostChunks: number;
}

/** The lengths of a chunk before and after its conversion. */
export const lengthsOf = (
  { chunkLength, tagLength }: Pick<Chunking, 'chunkLength' | 'tagLength'>,
  seals: boolean,
): [from: number, to: number] =>
  seals ? [chunkLength, chunkLength + tagLength] : [chunkLength + tagLength, chunkLength];

/** How a format encrypts one chunk. Lengths are right when it is called. */
export interface ChunkCipher {
  /** Writes ciphertext and tag to `out`. */
  seal(index: number, last: boolean, plaintext: Uint8Array, out: Uint8Array): void;
  /** Returns whether the tag is right; only then is anything written to `out`. */
  open(index: number, last: boolean, ciphertext: Uint8Array, out: Uint8Array): boolean;
  /** Fills all of `secrets` with zeros. */
  wipe(): void;
  readonly secrets: readonly Uint8Array[];
}

/** A cipher of chunks that do not depend on each other, so that other threads can have its secrets. */
export interface IndependentChunks extends ChunkCipher {
  readonly key: Uint8Array;
  readonly base: Uint8Array;
  /** Whether a nonce tells which chunk is the last. */
  readonly telling: boolean;
}

/** How many bytes a stream has, encrypted and not. */
export interface StreamSizes {
  /**
   * The size of an encrypted stream, its header included.
   *
   * @param size - Of the plaintext, in bytes: an integer from 0 up.
   * @returns The size in bytes.
   * @throws TypeError or RangeError if `size` isn't an integer from 0 up, RangeError if the format has no stream so long or
   * the result isn't a safe integer.
   */
  ciphertextSize(size: number): number;
  /**
   * The size of the plaintext of an encrypted stream.
   *
   * @param size - Of the encrypted stream with its header, in bytes: an integer from 0 up.
   * @returns The size in bytes.
   * @throws TypeError or RangeError if `size` isn't an integer from 0 up, RangeError if no stream has this size: bytes of
   * this size are truncated or no stream at all.
   */
  plaintextSize(size: number): number;
}

/**
 * How many chunks there are in an encrypted stream of `size` bytes, and how much plaintext in the last one; undefined if no stream
 * has this size.
 */
export function chunksIn(
  chunking: Chunking,
  size: number,
): { readonly count: number; readonly last: number } | undefined {
  const { chunkLength, fullLast, emptyLast, tagLength, headerLength, mostChunks } = chunking;
  const sealedLength = chunkLength + tagLength;
  const body = size - headerLength;
  // The whole chunks in front of the last one.
  const whole = max(0, fullLast ? floor((body - 1) / sealedLength) : floor(body / sealedLength));
  const last = body - whole * sealedLength - tagLength;
  if (last < 0 || (last === 0 && !emptyLast && whole > 0) || whole + 1 > mostChunks) return undefined;
  return { count: whole + 1, last };
}

/** The error for a source that has the size of no stream, so that it need not be read. */
export const noStream = (size: number): Error =>
  new Error(`truncated after ${size} bytes, or no encrypted stream: none has this size`);

/** The size of the plaintext in an encrypted stream of `size` bytes; undefined if no stream has this size. */
export function plaintextIn(chunking: Chunking, size: number): number | undefined {
  const chunks = chunksIn(chunking, size);
  return chunks && (chunks.count - 1) * chunking.chunkLength + chunks.last;
}

/** The sizes of streams of a format. */
export function sizesOf(chunking: Chunking): StreamSizes {
  const { chunkLength, fullLast, tagLength, headerLength, mostChunks } = chunking;
  const sizes = {
    ciphertextSize(size: number): number {
      refuseSurplus(arguments, 1);
      sizeOf(size, 'size', 0);
      const chunks = fullLast ? max(1, floor((size + chunkLength - 1) / chunkLength)) : floor(size / chunkLength) + 1;
      const result = headerLength + size + tagLength * chunks;
      if (chunks > mostChunks || result >= 2 ** 53)
        throw new RangeError(`"size" expected size of plaintext that this format can encrypt, got ${size}`);
      return result;
    },
    plaintextSize(size: number): number {
      refuseSurplus(arguments, 1);
      sizeOf(size, 'size', 0);
      const plaintext = plaintextIn(chunking, size);
      if (plaintext === undefined)
        throw new RangeError(`"size" expected size of a complete encrypted stream, got ${size}`);
      return plaintext;
    },
  };
  return sizes;
}
