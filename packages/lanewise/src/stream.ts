/**
 * Encryption of streams: files and bodies of any size, encrypted and authenticated piece by piece.
 *
 * | name | key | use |
 * |---|---|---|
 * | {@link chunked} | 32 bytes, for any number of streams | the one to take: C2SP chunked-encryption with ChaCha20-Poly1305 |
 * | {@link agePayload} | 32 bytes, for one stream | the payload of age files |
 * | {@link secretstream} | 32 bytes, for any number of streams | libsodium's format, message by message |
 *
 * Each has `sealer(key, …)` and `opener(key, …)`, which make objects with `push(bytes, out?)`, `end(out?)` and `destroy()`. `push`
 * takes pieces of any length; `chunked` and `agePayload` cut them into chunks. Plaintext is released chunk by chunk, each
 * authentic; that the stream is complete is known when `end` of the opener returns, and not before.
 *
 * `decryptWhole` gives nothing before all of a stream is known to be authentic and complete. `reader` of `chunked` and `agePayload`
 * decrypts any range of a Blob, a file, or an object of a web server ({@link fetchRange}); the messages of `secretstream` can only be
 * decrypted in their order.
 * @module
 */
export {
  agePayload,
  type AgePayload,
  type AgePayloadOptions,
  type AgePayloadStreamOptions,
} from './stream/age-payload.ts';
export {
  chunked,
  type Chunked,
  type ChunkedOpenerOptions,
  type ChunkedOptions,
  type ChunkedReaderOptions,
  type ChunkedStreamOptions,
} from './stream/chunked.ts';
export type { StreamSizes } from './stream/chunking.ts';
export { fetchRange, type FetchRangeOptions } from './io/fetch-range.ts';
export type { Machine, Written } from './stream/life.ts';
export type { MessageOpener, OpenedMessageOptions } from './stream/message-opener.ts';
export type { MessageOptions, MessageSealer } from './stream/message-sealer.ts';
export type { Opener } from './stream/opener.ts';
export { randomAccess, type RandomAccess, type RandomAccessSource, type Source } from './io/random-access.ts';
export type { Reader, ReadOptions } from './stream/reader.ts';
export type { ReaderOptions } from './stream/readers.ts';
export type { Sealer } from './stream/sealer.ts';
export {
  secretstream,
  type Secretstream,
  type SecretstreamOpenerOptions,
  type SecretstreamStreamOptions,
} from './stream/secretstream.ts';
export type { ByteSource } from './io/source.ts';
export type { PoolOption, StreamOptions, StreamPair, Streams } from './stream/streams.ts';
export type { FileTarget, OpenFile, WritableFile } from './io/handles.ts';
export type { WholeFileOptions, WholeOptions } from './stream/whole.ts';
