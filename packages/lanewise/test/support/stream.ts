/** Streams for tests: cut into pieces, opened as far as they go, and built by the specification. */
import type { ChunkCipher, Chunking } from '../../src/stream/chunking.ts';
import { TAG_BYTES } from '../../src/stream/chunking.ts';
import { writeNonce } from '../../src/stream/chacha-chunks.ts';
import { concat } from './bytes.ts';

/** The methods that sealers and openers of bytes share. */
export interface Machine {
  outputLength(length?: number): number;
  push(bytes: Uint8Array, out?: Uint8Array): Uint8Array;
  end(out?: Uint8Array): Uint8Array;
}

/** Pieces of the given lengths, over and over until nothing is left. */
export function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; at += lengths[i++ % lengths.length])
    pieces.push(bytes.subarray(at, at + lengths[i % lengths.length]));
  return pieces;
}

/** The output of a machine for all pieces and the end. */
export const through = (machine: Machine, pieces: readonly Uint8Array[]): Uint8Array =>
  concat(...pieces.map((piece) => machine.push(piece)), machine.end());

/** All that is released, and the error that ended it. */
export function released(machine: Machine, pieces: readonly Uint8Array[]): { plaintext: Uint8Array; error: string } {
  const parts: Uint8Array[] = [];
  try {
    for (const piece of pieces) parts.push(machine.push(piece));
    parts.push(machine.end());
  } catch (error) {
    return { plaintext: concat(...parts), error: (error as Error).message };
  }
  return { plaintext: concat(...parts), error: '' };
}

/** Views of buffers of every kind that callers may have. */
export const viewsOf: Readonly<Record<string, (length: number) => Uint8Array>> = {
  'an offset': (length) => new Uint8Array(length + 9).subarray(3, 3 + length),
  pooled: (length) => Buffer.allocUnsafe(length),
  // Pages without COOP and COEP have none.
  ...(typeof SharedArrayBuffer === 'undefined'
    ? {}
    : {
        shared: (length: number) => new Uint8Array(new SharedArrayBuffer(length + 1), 1),
        growable: (length: number) => new Uint8Array(new SharedArrayBuffer(length, { maxByteLength: length + 50 })),
      }),
  resizable: (length) => new Uint8Array(new ArrayBuffer(length, { maxByteLength: 2 * length })),
};

/** Byte i of the messages of the vectors. */
export const pattern = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8) * 3 + seed) & 255);

/** Chunks that are as age's if the last may be full, and as those of C2SP chunked-encryption if not. */
export const chunkingOf = (
  chunkLength: number,
  fullLast: boolean,
  headerLength = 0,
  mostChunks: number = 2 ** 38,
): Chunking => ({
  chunkLength,
  fullLast,
  emptyLast: !fullLast,
  tagLength: TAG_BYTES,
  unit: 'chunk',
  headerLength,
  mostChunks,
});

/** An AEAD of a test in the library's chunks, with the library's nonces. */
export function chunksOf(
  base: Uint8Array,
  seal: (nonce: Uint8Array, plaintext: Uint8Array) => Uint8Array,
  open: (nonce: Uint8Array, ciphertext: Uint8Array) => Uint8Array | undefined,
): ChunkCipher {
  const nonceOf = (index: number): Uint8Array => {
    const nonce = new Uint8Array(12);
    writeNonce(nonce, base, index, undefined);
    return nonce;
  };
  return {
    seal(index, _, plaintext, out) {
      out.set(seal(nonceOf(index), plaintext));
    },
    open(index, _, ciphertext, out) {
      const plaintext = open(nonceOf(index), ciphertext);
      if (plaintext) out.set(plaintext);
      return plaintext?.length === ciphertext.length - TAG_BYTES;
    },
    wipe() {
      base.fill(0);
    },
    secrets: [base],
  };
}

/** Pieces that a reproducible choice makes of bytes: up to `most` bytes each, some of them empty. */
export function randomly(bytes: Uint8Array, seed: number, most: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const length = (seed >>> 8) % (most + 1);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

/** WebKit has byte streams since 2026. */
export const hasByteStreams = typeof ReadableByteStreamController !== 'undefined';

/** All that a stream gives until it ends, each chunk in memory of its own. */
export async function all(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return concat(...chunks);
    if (value.length !== value.buffer.byteLength && value.byteOffset > 0) throw new Error('a view of other memory');
    chunks.push(value);
  }
}

/** The same by a reader that gives memory of these lengths, over and over. */
export async function allInto(
  stream: ReadableStream<Uint8Array>,
  lengths: readonly number[],
  min?: number,
): Promise<Uint8Array> {
  if (!hasByteStreams) return all(stream);
  const reader = stream.getReader({ mode: 'byob' });
  const chunks: Uint8Array[] = [];
  for (let i = 0; ; i++) {
    const view = new Uint8Array(lengths[i % lengths.length]);
    const { value, done } = await reader.read(view, min ? { min: Math.min(min, view.length) } : {});
    // Where there are fewer than `min`, the last bytes come with the end.
    if (value) chunks.push(value.slice());
    if (done) return concat(...chunks);
  }
}

/** The bytes of a stream before its error, and the error. */
export async function untilError(stream: ReadableStream<Uint8Array>): Promise<{ given: Uint8Array; error: unknown }> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return { given: concat(...chunks), error: undefined };
      chunks.push(value);
    }
  } catch (error) {
    return { given: concat(...chunks), error };
  }
}
