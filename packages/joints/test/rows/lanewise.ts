/**
 * Calls of the library: its own table of them, and those that go on after they have returned, with messages long enough for
 * several chunks or jobs. Randomness is undone, so that results are the same each time.
 */
import type { Transform } from 'node:stream';
import { createBox } from 'lanewise/box.js';
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { adiantum, authenticatedPages, encryptedFile } from 'lanewise/disk.js';
import { createPool, type Pool } from 'lanewise/pool.js';
import { scrypt } from 'lanewise/scrypt.js';
import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';
import {
  agePayload,
  chunked,
  fetchRange,
  randomAccess,
  secretstream,
  type AgePayload,
  type ChunkedOptions,
  type Streams,
} from 'lanewise/stream.js';
import { calls } from '../../../lanewise/test/support/calls.ts';
import { memoryFile } from '../../../lanewise/test/support/memory-file.ts';
import { rowOf, type Given, type Row } from '../row.ts';
import { collect } from './age.ts';
import { stored, storedLater, taggedFile, taggedLater } from './stores.ts';

const sample = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (seed + (i >> 8) + 11 * i) % 251);
export const key = sample(32, 1);
const context = sample(9, 2);
/** Several chunks. */
export const MESSAGE = sample(300_000, 3);
/** Several jobs of a pool. */
const LONG = sample(3 * 1_048_576, 4);
const PAGES = LONG.subarray(0, 2 * 1_048_576);

let pool: Pool | undefined;
/** One for all rows. Two workers, and one of them is busy with every message that has two jobs. */
const workers = (): Pool => (pool ??= createPool({ threads: 2, threshold: 0 }));
export const close = (): Promise<void> | undefined => pool?.close();

const one = (name: string, run: Row['run'], what = ''): Row => ({
  title: `lanewise ${name}${what}`,
  covers: [`lanewise ${name}`],
  run,
});
const progress = (given: Given) => ({ onProgress: () => given.moment() });
const halves = (bytes: Uint8Array): Uint8Array[] => [bytes.slice(0, 131_000), bytes.slice(131_000)];

/** A source of two pieces. */
async function* inTwo(bytes: Uint8Array, given: Given): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (const each of halves(bytes)) {
    yield given.bytes(each);
    given.moment();
  }
}
/** A place for a file, which keeps it in memory. */
function place(given: Given) {
  const written: Uint8Array[] = [];
  const file = {
    write(piece: Uint8Array) {
      written.push(piece.slice());
      given.moment();
    },
    close: () => undefined,
    abort: () => undefined,
  };
  return { written, createWritable: () => Promise.resolve(file) };
}
async function through(
  pair: { readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<Uint8Array> },
  bytes: Uint8Array,
  given: Given,
) {
  const writer = pair.writable.getWriter();
  const ended = Promise.allSettled([...halves(bytes).map((each) => writer.write(given.bytes(each))), writer.close()]);
  given.moment();
  const result = await collect(pair.readable);
  await ended;
  return result;
}

/** Written to a stream of Node in two pieces. */
function written(transform: Transform, bytes: Uint8Array, given: Given): Promise<Uint8Array> {
  const result = collect(transform as AsyncIterable<Uint8Array>);
  for (const each of halves(bytes)) transform.write(given.bytes(each));
  transform.end();
  given.moment();
  return result;
}

/** A format, whose context only one has. */
type KeyFirst = (key: Uint8Array, options?: ChunkedOptions) => Streams<object>;

const boundTo = (given: Given) =>
  chunked(given.bytes(key.slice()), given.options({ context: given.bytes(context.slice()) }));

/** The streams of a format, which are undone without `given`. */
const streamsOf = (
  name: string,
  format: KeyFirst,
  sealed: Uint8Array,
  { context, ...own }: { context?: Uint8Array; messageLength?: number } = {},
): Row[] => {
  const bound = context && { context };
  const opened = (bytes: Uint8Array) => format(key, bound).decryptWhole(bytes, own);
  const options = (given: Given, more: object = {}): object => given.options({ ...own, ...progress(given), ...more });
  const its = (given: Given) =>
    format(given.bytes(key.slice()), bound && given.options({ context: given.bytes(bound.context.slice()) }));
  return [
    one(
      `${name}().encrypt`,
      async (given) =>
        opened(
          await collect(its(given).encrypt(given.bytes(MESSAGE.slice()), options(given, { size: MESSAGE.length }))),
        ),
      ' of bytes',
    ),
    one(
      `${name}().encrypt`,
      async (given) => opened(await collect(its(given).encrypt(inTwo(MESSAGE, given), options(given)))),
      ' of a stream',
    ),
    one(
      `${name}().encrypt`,
      async (given) =>
        opened(await collect(its(given).encrypt(given.bytes(LONG.slice()), options(given, { pool: workers() })))),
      ' by a pool',
    ),
    one(`${name}().encryptor`, async (given) =>
      opened(await through(its(given).encryptor(options(given)), MESSAGE, given)),
    ),
    one(
      `${name}().decrypt`,
      (given) => collect(its(given).decrypt([given.bytes(sealed.slice())], options(given))),
      ' of a list',
    ),
    one(
      `${name}().decrypt`,
      (given) => collect(its(given).decrypt(inTwo(sealed, given), options(given))),
      ' of a stream',
    ),
    one(`${name}().decryptor`, (given) => through(its(given).decryptor(options(given)), sealed, given)),
    one(
      `${name}().decryptWhole`,
      (given) => its(given).decryptWhole(given.bytes(sealed.slice()), options(given, { maxLength: MESSAGE.length })),
      ' of bytes',
    ),
    one(
      `${name}().decryptWhole`,
      async (given) => {
        const to = place(given);
        await its(given).decryptWhole(inTwo(sealed, given), { ...options(given), to });
        return Buffer.concat(to.written);
      },
      ' to a place',
    ),
    {
      title: `lanewise stream-node, ${name}`,
      covers: ['lanewise stream-node.createEncryptor', 'lanewise stream-node.createDecryptor'],
      async run(given) {
        const transform = createDecryptor(its(given), options(given));
        return written(transform, sealed, given);
      },
    },
    {
      title: `lanewise stream-node, ${name}, sealing`,
      covers: ['lanewise stream-node.createEncryptor'],
      async run(given) {
        const transform = createEncryptor(its(given), options(given));
        return opened(await written(transform, MESSAGE, given));
      },
    },
  ];
};

const sealed = {
  chunked: await collect(chunked(key, { context }).encrypt(MESSAGE)),
  agePayload: await collect(agePayload(key).encrypt(MESSAGE)),
  secretstream: await collect(secretstream(key).encrypt(MESSAGE, { messageLength: 60_000 })),
};
const longSealed = await collect(agePayload(key).encrypt(LONG));
const pageOptions = { pageSize: 4096, first: 1, tweak: 'index64' } as const;
const pages = adiantum(key).encryptPages(PAGES, pageOptions);
const bothOf = async (reader: Awaited<ReturnType<AgePayload['reader']>>): Promise<Uint8Array> =>
  Buffer.concat([await reader.read(5, 70_000), await reader.read(200_000, 300_000)]);

/** The writable sides of streams whose chunks threads do. */
const ofPool: readonly Row[] = [
  one(
    'agePayload().encryptor',
    async (given) =>
      agePayload(key).decryptWhole(
        await through(agePayload(given.bytes(key.slice())).encryptor({ pool: workers() }), LONG, given),
      ),
    ' by a pool',
  ),
  one(
    'agePayload().decryptor',
    (given) => through(agePayload(given.bytes(key.slice())).decryptor({ pool: workers() }), longSealed, given),
    ' by a pool',
  ),
  one(
    'stream-node.createEncryptor',
    async (given) =>
      agePayload(key).decryptWhole(
        await written(createEncryptor(agePayload(given.bytes(key.slice())), { pool: workers() }), LONG, given),
      ),
    ' by a pool',
  ),
  one(
    'stream-node.createDecryptor',
    (given) => written(createDecryptor(agePayload(given.bytes(key.slice())), { pool: workers() }), longSealed, given),
    ' by a pool',
  ),
];

/** Files over a store that answers at once, and over one that answers later. */
const ofFiles: readonly Row[] = [
  { what: '', at: stored, later: storedLater },
  { what: ' with tags', at: taggedFile, later: taggedLater },
].flatMap(({ what, at, later }) => [
  one(
    'encryptedFile().read',
    (given) => {
      const out = given.out(new Uint8Array(1000));
      const count = at(given).read(out, 300);
      return Buffer.concat([out, Buffer.from([count & 255])]);
    },
    what,
  ),
  one(
    'encryptedFile().read',
    async (given) => {
      const out = given.out(new Uint8Array(1000));
      const count = await later(given).read(out, 300);
      return Buffer.concat([out, Buffer.from([count & 255])]);
    },
    `${what} later`,
  ),
  one(
    'encryptedFile().write',
    (given) => {
      const file = at(given);
      file.write(given.bytes(MESSAGE.slice(0, 1000)), 300);
      const out = new Uint8Array(4096);
      file.read(out, 0);
      return out;
    },
    what,
  ),
  one(
    'encryptedFile().write',
    async (given) => {
      const file = later(given);
      await file.write(given.bytes(MESSAGE.slice(0, 1000)), 300);
      const out = new Uint8Array(4096);
      await file.read(out, 0);
      return out;
    },
    `${what} later`,
  ),
]);

export const asynchronous: readonly Row[] = [
  ...streamsOf('chunked', chunked, sealed.chunked, { context }),
  ...streamsOf('agePayload', agePayload, sealed.agePayload),
  ...streamsOf('secretstream', secretstream, sealed.secretstream, { messageLength: 60_000 }),
  ...ofPool,
  one('chunked().reader', async (given) => {
    const reader = await boundTo(given).reader(given.bytes(sealed.chunked.slice()), given.options({ offset: 0 }));
    given.moment();
    return bothOf(reader);
  }),
  one('Box.reader', async (given) => {
    const box = createBox(given.bytes(key.slice()), { chunked });
    const reader = await box.reader(given.bytes(sealed.chunked.slice()), given.options({ for: context, offset: 0 }));
    given.moment();
    return bothOf(reader);
  }),
  one('agePayload().reader', async (given) => {
    const reader = await agePayload(given.bytes(key.slice())).reader(
      given.bytes(sealed.agePayload.slice()),
      given.options({ offset: 0 }),
    );
    given.moment();
    return bothOf(reader);
  }),
  one('chunked().sealer', async (given) => {
    const sealer = await boundTo(given).sealer();
    return chunked(key, { context }).decryptWhole(
      new Uint8Array(Buffer.concat([sealer.header, sealer.push(given.bytes(MESSAGE.slice())), sealer.end()])),
    );
  }),
  one('chunked().opener', async (given) => {
    const opener = await boundTo(given).opener(given.options({ header: given.bytes(sealed.chunked.slice(0, 56)) }));
    return Buffer.concat([opener.push(given.bytes(sealed.chunked.slice(56))), opener.end()]);
  }),
  one('Source.read', async (given) => {
    const source = randomAccess(given.bytes(MESSAGE.slice()));
    given.moment();
    return source.read(100, 200_000);
  }),
  one('stream.fetchRange', async (given) => {
    const headers = {
      'accept-ranges': 'bytes',
      etag: '"a"',
      'content-range': `bytes 0-${MESSAGE.length - 1}/${MESSAGE.length}`,
    };
    const answer = (): Promise<Response> => {
      given.moment();
      return Promise.resolve(new Response(MESSAGE, { status: 206, headers }));
    };
    return fetchRange(
      'http://localhost/',
      given.options({ fetch: answer, headers: given.options({ accept: 'x' }) }),
    ).size();
  }),
  one('Pool.blake3', (given) =>
    workers().blake3(
      given.bytes(LONG.slice()),
      given.options({ key: given.bytes(key.slice()), dkLen: 40, ...progress(given) }),
    ),
  ),
  one(
    'Pool.blake3',
    (given) => workers().blake3(given.bytes(MESSAGE.slice()), given.options({ context: 'joints' })),
    ' of a short message',
  ),
  one('Pool.blake3', (given) => workers().blake3(inTwo(MESSAGE, given), given.options({})), ' of a stream'),
  one('Pool.blake3Xof', async (given) =>
    (await workers().blake3Xof(given.bytes(LONG.slice()), given.options({ key: given.bytes(key.slice()) }))).xof(100),
  ),
  one('Pool.encryptPages', (given) =>
    workers().encryptPages(
      adiantum(key),
      given.out(PAGES.slice()),
      given.options({ ...pageOptions, ...progress(given) }),
    ),
  ),
  one('Pool.decryptPages', (given) =>
    workers().decryptPages(
      adiantum(key),
      given.out(pages.slice()),
      given.options({ ...pageOptions, ...progress(given) }),
    ),
  ),
  one('Pool.scrypt', (given) =>
    workers().scrypt(given.bytes(MESSAGE.slice()), given.bytes(key.slice()), given.options({ N: 2 ** 10 })),
  ),
  one('scrypt.scrypt', (given) =>
    scrypt(
      given.bytes(MESSAGE.slice()),
      given.bytes(key.slice()),
      given.options({ N: 2 ** 12, dkLen: 40, ...progress(given) }),
    ),
  ),
  ...ofFiles,
  one(
    'disk.encryptedFile',
    (given) => {
      const file = encryptedFile(
        memoryFile(),
        authenticatedPages(xchacha20poly1305, key),
        given.options({ pageSize: 512 }),
      );
      file.write(given.bytes(MESSAGE.slice(0, 1000)), 300);
      const out = given.out(new Uint8Array(1300));
      file.read(out, 0);
      return out;
    },
    ' with tags',
  ),
];

export const rows: readonly Row[] = [
  ...Object.keys(calls).map((name) => rowOf(name, () => calls[name].call())),
  ...asynchronous,
];
