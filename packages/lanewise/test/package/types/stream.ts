/** Random access and whole streams of stream.js in the hands of a user with strict types. Not run. */
import { open } from 'node:fs/promises';
import {
  agePayload,
  chunked,
  fetchRange,
  randomAccess,
  secretstream,
  type FileTarget,
  type RandomAccess,
  type RandomAccessSource,
  type Reader,
  type ReaderOptions,
  type Secretstream,
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
const reader: Reader = await chunked(bytes, { context: bytes }).reader(sources[0], options);
export const read: Uint8Array<ArrayBuffer>[] = [
  await reader.read(0, reader.size, { signal }),
  await (await agePayload(bytes).reader(file, options)).read(0, 1),
];
using used = reader;
export const size: number = used.size;

export const whole: Uint8Array<ArrayBuffer>[] = [
  await chunked(bytes, { context: bytes }).decryptWhole(file, { maxLength: 5 }),
  await agePayload(bytes).decryptWhole([bytes]),
  await secretstream(bytes).decryptWhole(new Response(file), { messageLength: 100 }),
];
const target: FileTarget = webHandle;
export const written: number[] = [
  await chunked(bytes).decryptWhole(file, { to: target, signal }),
  await chunked(bytes).decryptWhole(file, { to: webHandle }),
];

// @ts-expect-error -- a stream can be read once only
await chunked(bytes).reader(file.stream());
// @ts-expect-error -- its messages are decrypted in their order
export type None = Secretstream['reader'];
// @ts-expect-error -- only chunked has a context
await agePayload(bytes, { context: bytes }).reader(file);
// @ts-expect-error -- both ends are named
await reader.read(5);
// @ts-expect-error -- with a file, the result is its length
export const wrong: Uint8Array = await chunked(bytes).decryptWhole(file, { to: target });
// @ts-expect-error -- a name isn't a file
await chunked(bytes).decryptWhole(file, { to: 'name' });
// @ts-expect-error -- `decrypt` gives chunks as they come
chunked(bytes).decrypt(file, { maxLength: 5 });

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
const sealed: ReadableStream<Uint8Array<ArrayBuffer>> = chunked(bytes, { context: bytes }).encrypt(file, {
  ...streamOptions,
});
const pair: StreamPair = secretstream(bytes).encryptor({ messageLength: 5 });
/** Results fit the platform's own functions. */
export const onwards = [
  new Response(sealed),
  chunked(bytes)
    .decrypt(sealed)
    .pipeThrough(pair)
    .pipeThrough(agePayload(bytes).decryptor())
    .getReader({ mode: 'byob' }),
  file.stream().pipeThrough(agePayload(bytes).encryptor({ header: bytes })),
];
export const transforms: Transform[] = [
  createEncryptor(chunked(bytes, { context: bytes })),
  createDecryptor(secretstream(bytes), { messageLength: 5, size: 5 }),
  createEncryptor(agePayload(bytes)),
];

// @ts-expect-error -- texts aren't bytes
chunked(bytes).encrypt('text');
// @ts-expect-error -- nor is a buffer without a view
chunked(bytes).encrypt(new ArrayBuffer(5));
// @ts-expect-error -- nor are numbers
chunked(bytes).encrypt([1, 2]);
// @ts-expect-error -- a promise is to be awaited
chunked(bytes).encrypt(fetch(''));
// @ts-expect-error -- only chunked has a context
secretstream(bytes, { context: bytes }).encryptor();
// @ts-expect-error -- only secretstream has messages
createEncryptor(chunked(bytes), { messageLength: 5 });
// @ts-expect-error -- a format is an object of the library
createEncryptor('chunked');
// @ts-expect-error -- the key comes first
createEncryptor(chunked, bytes);
// @ts-expect-error -- decryption of agePayload takes no header
agePayload(bytes).decrypt(file, { header: bytes });
