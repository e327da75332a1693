/** Random access and whole streams of stream.js in the hands of a user with strict types. Not run. */
import { open } from 'node:fs/promises';
import {
  agePayload,
  chunked,
  fetchRange,
  randomAccess,
  secretstream,
  type ChunkedReaderOptions,
  type FileTarget,
  type RandomAccess,
  type RandomAccessSource,
  type Reader,
  type ReaderOptions,
  type Source,
  type ByteSource,
  type StreamOptions,
  type StreamPair,
} from 'lanewise/stream.js';
import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';
import { Readable, type Transform } from 'node:stream';

declare const bytes: Uint8Array;
declare const file: File;
declare const webHandle: FileSystemFileHandle;
declare const signal: AbortSignal;
declare const access: { getSize(): number; read(buffer: Uint8Array<ArrayBuffer>, options: { at: number }): number };

const node = await open('file');
const own: RandomAccess = { size: 5, read: (from, to) => bytes.subarray(from, to) };
const asynchronous: RandomAccess = {
  size: () => Promise.resolve(5),
  read: async (from, to, its) =>
    new Uint8Array(await (await fetch('', { signal: its })).arrayBuffer()).subarray(from, to),
};
const ranged: Source = fetchRange(new URL('https://example.org/'), {
  headers: { Authorization: 'mine' },
  fetch: (url, init) => fetch(url, { ...init, credentials: 'include' }),
  signal,
});

/** All kinds of sources. */
export const sources: RandomAccessSource[] = [
  bytes,
  file,
  file.slice(5),
  node,
  webHandle,
  access,
  own,
  asynchronous,
  ranged,
  randomAccess(node),
];
const options: ReaderOptions = { offset: 200, signal };
const chunkedOptions: ChunkedReaderOptions = { ...options, context: bytes };
const reader: Reader = await chunked.reader(sources[0], bytes, chunkedOptions);
export const read: Uint8Array<ArrayBuffer>[] = [
  await reader.read(0, reader.size, { signal }),
  await (await agePayload.reader(file, bytes, options)).read(0, 1),
];
using used = reader;
export const size: number = used.size;

export const whole: Uint8Array<ArrayBuffer>[] = [
  await chunked.decryptWhole(file, bytes, { context: bytes, maxLength: 5 }),
  await agePayload.decryptWhole([bytes], bytes),
  await secretstream.decryptWhole(new Response(file), bytes, { messageLength: 100 }),
];
const target: FileTarget = webHandle;
export const written: number[] = [
  await chunked.decryptWhole(file, bytes, { to: target, signal }),
  await chunked.decryptWhole(file, bytes, { to: webHandle }),
];

// @ts-expect-error -- a stream can be read once only
await chunked.reader(file.stream(), bytes);
// @ts-expect-error -- its messages are decrypted in their order
export type None = (typeof secretstream)['reader'];
// @ts-expect-error -- only chunked has a context
await agePayload.reader(file, bytes, { context: bytes });
// @ts-expect-error -- both ends are named
await reader.read(5);
// @ts-expect-error -- with a file, the result is its length
export const wrong: Uint8Array = await chunked.decryptWhole(file, bytes, { to: target });
// @ts-expect-error -- a name is no file
await chunked.decryptWhole(file, bytes, { to: 'name' });
// @ts-expect-error -- `decrypt` gives chunks as they come
chunked.decrypt(file, bytes, { maxLength: 5 });

/** All that streams can be made of. */
export const streamSources: ByteSource[] = [
  bytes,
  file,
  file.stream(),
  new Response(file),
  new Request('', { body: file }),
  [bytes],
  new Set([bytes]),
  Readable.from([bytes]) as AsyncIterable<Uint8Array>,
];
const streamOptions: StreamOptions = { signal, size: 5, onProgress: (done, total) => done / (total ?? 1) };
const sealed: ReadableStream<Uint8Array<ArrayBuffer>> = chunked.encrypt(file, bytes, {
  context: bytes,
  ...streamOptions,
});
const pair: StreamPair = secretstream.encryptor(bytes, { messageLength: 5 });
/** Results fit the platform's own functions. */
export const onwards = [
  new Response(sealed),
  chunked.decrypt(sealed, bytes).pipeThrough(pair).pipeThrough(agePayload.decryptor(bytes)).getReader({ mode: 'byob' }),
  file.stream().pipeThrough(agePayload.encryptor(bytes, { header: bytes })),
];
export const transforms: Transform[] = [
  createEncryptor(chunked, bytes, { context: bytes }),
  createDecryptor(secretstream, bytes, { messageLength: 5, size: 5 }),
  createEncryptor(agePayload, bytes),
];

// @ts-expect-error -- texts are no bytes
chunked.encrypt('text', bytes);
// @ts-expect-error -- nor is a buffer without a view
chunked.encrypt(new ArrayBuffer(5), bytes);
// @ts-expect-error -- nor are numbers
chunked.encrypt([1, 2], bytes);
// @ts-expect-error -- a promise is to be awaited
chunked.encrypt(fetch(''), bytes);
// @ts-expect-error -- only chunked has a context
secretstream.encryptor(bytes, { context: bytes });
// @ts-expect-error -- only secretstream has messages
createEncryptor(chunked, bytes, { messageLength: 5 });
// @ts-expect-error -- a format is an object of the library
createEncryptor('chunked', bytes);
