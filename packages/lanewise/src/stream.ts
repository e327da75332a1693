/**
 * Encryption of streams: files and bodies of any size, encrypted and authenticated piece by piece.
 *
 * | name | key | use |
 * |---|---|---|
 * | {@link chunked} | 32 bytes, for any number of streams | recommended: C2SP chunked-encryption with ChaCha20-Poly1305 |
 * | {@link agePayload} | 32 bytes, for one stream | the payload of age files |
 * | {@link secretstream} | 32 bytes, for any number of streams | libsodium's format, message by message |
 *
 * Each takes the key first, as ciphers do: `chunked(key).encrypt(source)` and `decrypt(source)` give streams, `encryptor()` and
 * `decryptor()` a pair of streams. `sealer` and `opener` make objects with `push(bytes, out?)`, `end(out?)` and `destroy()`. `push`
 * takes pieces of any length; `chunked` and `agePayload` cut them into chunks. Plaintext is released chunk by chunk, each
 * authentic; the stream is complete only if `end` of the opener returns.
 *
 * `decryptWhole` returns nothing unless all of a stream is authentic and complete. `reader` of `chunked` and `agePayload`
 * decrypts any range of a Blob, a file, or an object of a web server ({@link fetchRange}); the messages of `secretstream` can only be
 * decrypted in order.
 * @module
 */
export {
  agePayload,
  type AgePayload,
  type AgePayloadFunction,
  type AgePayloadOptions,
  type AgePayloadPart,
  type AgePayloadStreamOptions,
} from './stream/age-payload.ts';
export {
  chunked,
  type Chunked,
  type ChunkedFunction,
  type ChunkedOpenerOptions,
  type ChunkedOptions,
} from './stream/chunked.ts';
export type { StreamSizes } from './stream/chunking.ts';
export { fetchRange, type FetchRangeOptions } from './io/fetch-range.ts';
export type { Destroyable } from './stream/life.ts';
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
  type SecretstreamFunction,
  type SecretstreamOpenerOptions,
  type SecretstreamStreamOptions,
} from './stream/secretstream.ts';
export type { Written } from './stream/shell.ts';
export type { ByteSource } from './io/source.ts';
export type { ParallelStreamOptions, StreamOptions, StreamPair, Streams } from './stream/streams.ts';
export type { FileTarget, OpenFile, WritableFile } from './io/handles.ts';
export type { WholeFileOptions, WholeOptions } from './stream/whole.ts';
