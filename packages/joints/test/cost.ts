/** Work of n parts, whose cost must grow as n does. */
import { ArmorDecoder, ArmorEncoder, HeaderReader, inspect } from '@lanewise/age';
import { outboard } from 'lanewise/bao.js';
import { blake3, hashMany, TreeBuilder, subtree } from 'lanewise/blake3.js';
import { chacha20 } from 'lanewise/chacha.js';
import { adiantum, encryptedFile } from 'lanewise/disk.js';
import { poly1305 } from 'lanewise/poly1305.js';
import { createPool, type Pool } from 'lanewise/pool.js';
import { chacha8rand } from 'lanewise/random.js';
import { createEncryptor } from 'lanewise/stream-node.js';
import { agePayload, chunked, secretstream, type Streams } from 'lanewise/stream.js';
import { memoryFile } from '../../lanewise/test/support/memory-file.ts';
import { ofDropInHashers, ofHashers } from './cost-hashers.ts';
import { ofSqlite } from './cost-sqlite.ts';
import { collect, decrypter, encrypter, file } from './rows/age.ts';

export interface Cost {
  readonly title: string;
  readonly covers: readonly string[];
  /** Does the work; its result is awaited. */
  readonly run: (n: number) => unknown;
  /** The least n: below it other costs are greater. */
  readonly least?: number;
}

const [key, one] = [new Uint8Array(32).fill(3), new Uint8Array(1)];
const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(5);
const times = (n: number, work: (i: number) => unknown): void => {
  for (let i = 0; i < n; i++) work(i);
};
function* single(all: Uint8Array): Generator<Uint8Array> {
  for (let i = 0; i < all.length; i++) yield all.subarray(i, i + 1);
}
const drained = async (stream: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of stream);
};

/** A pool whose workers never answer: their tasks stay under way until they are aborted. */
const silent = (): Pool =>
  createPool({
    threads: 2,
    threshold: 0,
    spawn: () => ({
      on: () => undefined,
      ref: () => undefined,
      unref: () => undefined,
      terminate: () => Promise.resolve(),
      postMessage: () => undefined,
    }),
  });
/** Lets calls come so far that their work waits in the queue of the pool. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const lanewise = (title: string, covers: readonly string[], run: Cost['run'], least?: number): Cost => ({
  title: `lanewise: ${title}`,
  covers: covers.map((each) => `lanewise ${each}`),
  run,
  ...(least === undefined ? {} : { least }),
});
const LONG = bytes(2 * 1_048_576);

const pools: readonly Cost[] = [
  lanewise(
    'hashes of a pool, aborted by one signal',
    ['Pool.blake3', 'Pool.blake3Xof', 'Pool.encryptPages', 'Pool.decryptPages'],
    async (n) => {
      const pool = silent();
      const controller = new AbortController();
      const all = Array.from({ length: n }, () => pool.blake3(LONG, { signal: controller.signal }));
      await turn();
      controller.abort();
      await Promise.allSettled(all);
      await pool.close();
    },
    500,
  ),
  lanewise(
    'hashes of a pool, aborted each by its own',
    ['Pool.blake3'],
    async (n) => {
      const pool = silent();
      const controllers = Array.from({ length: n }, () => new AbortController());
      const all = controllers.map(({ signal }) => pool.blake3(LONG, { signal }));
      await turn();
      for (const controller of controllers) controller.abort();
      await Promise.allSettled(all);
      await pool.close();
    },
    500,
  ),
  lanewise(
    'derivations of a pool, aborted',
    ['Pool.scrypt'],
    async (n) => {
      const pool = silent();
      // Each by its own: engines search the list of a signal's listeners for each that is removed.
      const controllers = Array.from({ length: n }, () => new AbortController());
      const all = controllers.map(({ signal }) => pool.scrypt(one, one, { N: 2, signal }));
      await turn();
      for (const controller of controllers) controller.abort();
      await Promise.allSettled(all);
      await pool.close();
    },
    500,
  ),
  lanewise(
    'a pool that is closed',
    ['Pool.close'],
    async (n) => {
      const pool = silent();
      const all = Array.from({ length: n }, () => pool.blake3(LONG));
      void Promise.allSettled(all);
      await turn();
      await pool.close();
      await Promise.allSettled(all);
    },
    500,
  ),
];

const formats: Readonly<Record<string, (key: Uint8Array) => Streams>> = { chunked, agePayload, secretstream };
const streams: readonly Cost[] = Object.entries(formats).flatMap(([name, its]) => [
  lanewise(
    `${name}.encrypt, pieces of one byte`,
    [`${name}().encrypt`],
    (n) => drained(its(key).encrypt(single(bytes(n)), {})),
    2000,
  ),
  lanewise(
    `${name}.decrypt, pieces of one byte`,
    [`${name}().decrypt`, `${name}().decryptWhole`],
    async (n) => {
      const sealed = await collect(its(key).encrypt(bytes(n), {}));
      await its(key).decryptWhole(single(sealed), {});
    },
    2000,
  ),
  lanewise(
    `${name}.encryptor, pieces of one byte`,
    [`${name}().encryptor`, `${name}().decryptor`],
    async (n) => {
      const { readable, writable } = its(key).encryptor();
      const writer = writable.getWriter();
      const ended = drained(readable);
      const written = Array.from({ length: n }, () => writer.write(one));
      await Promise.allSettled([...written, writer.close()]);
      await ended;
    },
    1000,
  ),
  lanewise(
    `${name}, streams that are aborted`,
    [],
    async (n) => {
      // Each by its own: engines search the list of a signal's listeners for each that is removed.
      const controllers = Array.from({ length: n }, () => new AbortController());
      const all = controllers.map(({ signal }) => drained(its(key).encrypt(new ReadableStream(), { signal })));
      for (const controller of controllers) controller.abort();
      await Promise.allSettled(all);
    },
    300,
  ),
]);

const machines: readonly Cost[] = [
  ...ofHashers(lanewise, times),
  lanewise(
    'a hasher',
    ['Blake3.update', 'Blake3.peek', 'Blake3.save', 'Blake3.clone'],
    (n) => {
      const hasher = blake3.create();
      times(n, () => hasher.update(one));
      hasher.digest();
    },
    5000,
  ),
  lanewise(
    'output of a hasher',
    ['Blake3.xof', 'Blake3.xofInto', 'Blake3.seek'],
    (n) => {
      const hasher = blake3.create();
      times(n, () => hasher.xof(1));
    },
    2000,
  ),
  lanewise(
    'OutboardHasher',
    ['OutboardHasher.update', 'OutboardHasher.digest'],
    (n) => {
      const its = outboard.create();
      times(n, () => its.update(one).length);
    },
    2000,
  ),
  lanewise('hashMany', ['blake3.hashMany'], (n) => hashMany(Array.from({ length: n }, () => one)), 2000),
  lanewise(
    'parts of a tree',
    ['TreeBuilder.add', 'TreeBuilder.digest', 'TreeBuilder.xof'],
    (n) => {
      const count = 2 ** Math.round(Math.log2(n));
      const tree = new TreeBuilder();
      // In an order in which nothing can be merged for long.
      const add = (i: number) => tree.add(subtree(bytes(1024), { offset: 1024 * i }));
      for (const from of [0, 1]) for (let i = from; i < count; i += 2) add(i);
      tree.digest();
    },
    512,
  ),
  lanewise(
    'a MAC',
    ['Poly1305.update'],
    (n) => {
      const mac = poly1305.create(key);
      times(n, () => mac.update(one));
      mac.digest();
    },
    5000,
  ),
  lanewise(
    'a cipher in pieces',
    ['CipherStream.update', 'CipherStream.seek'],
    (n) => {
      const stream = chacha20.stream(key, key.subarray(0, 12));
      times(n, () => stream.update(one));
    },
    2000,
  ),
  lanewise(
    'a generator',
    [
      'ChaCha8Rand.bytes',
      'ChaCha8Rand.uint32',
      'ChaCha8Rand.uint64',
      'ChaCha8Rand.float',
      'ChaCha8Rand.below',
      'ChaCha8Rand.save',
    ],
    (n) => {
      const generator = chacha8rand(key);
      times(n, () => generator.bytes(1));
      times(n, () => generator.below(6));
    },
    5000,
  ),
  lanewise('a shuffle', ['ChaCha8Rand.shuffle'], (n) => void chacha8rand(key).shuffle(bytes(n)), 5000),
  lanewise(
    'a sealer',
    ['Sealer.push'],
    (n) => {
      const sealer = agePayload(key).sealer();
      times(n, () => sealer.push(one));
      sealer.end();
    },
    5000,
  ),
  lanewise(
    'an opener',
    ['Opener.push'],
    (n) => {
      const sealer = agePayload(key).sealer();
      const sealed = Buffer.concat([sealer.push(bytes(n)), sealer.end()]);
      const opener = agePayload(key).opener();
      for (const piece of single(sealed)) opener.push(piece);
      opener.end();
    },
    5000,
  ),
  lanewise(
    'messages',
    ['MessageSealer.push', 'MessageOpener.push', 'MessageSealer.rekey', 'MessageOpener.rekey'],
    (n) => {
      const sealer = secretstream(key).sealer();
      const opener = secretstream(key).opener({ header: sealer.header, requireFinal: false });
      times(n, () => opener.push(sealer.push(one)));
    },
    1000,
  ),
  lanewise(
    'a reader',
    ['Reader.read', 'agePayload().reader', 'chunked().reader', 'Source.read'],
    async (n) => {
      const sealer = agePayload(key).sealer();
      const sealed = new Uint8Array(Buffer.concat([sealer.push(bytes(1000)), sealer.end()]));
      const reader = await agePayload(key).reader(sealed);
      for (let i = 0; i < n; i++) await reader.read(i % 900, (i % 900) + 5);
    },
    300,
  ),
  lanewise(
    'reads of a reader at once',
    ['Reader.read'],
    async (n) => {
      const sealer = agePayload(key).sealer();
      const sealed = new Uint8Array(Buffer.concat([sealer.push(bytes(1000)), sealer.end()]));
      const reader = await agePayload(key).reader(sealed);
      await Promise.all(Array.from({ length: n }, (_, i) => reader.read(i % 900, (i % 900) + 5)));
    },
    300,
  ),
  lanewise(
    'writes of a file',
    ['encryptedFile().write', 'encryptedFile().read'],
    (n) => {
      const stored = encryptedFile(memoryFile(bytes(4096)), adiantum(key), { pageSize: 512, tweak: 'offset64' });
      times(n, (i) => stored.write(one, i % 4000));
    },
    300,
  ),
  lanewise(
    'a stream of Node, pieces of one byte',
    ['stream-node.createEncryptor', 'stream-node.createDecryptor'],
    async (n) => {
      const transform = createEncryptor(agePayload(key));
      const ended = drained(transform as AsyncIterable<Uint8Array>);
      times(n, () => transform.write(Buffer.from(one)));
      transform.end();
      await ended;
    },
    1000,
  ),
];

const age = (title: string, covers: readonly string[], run: Cost['run'], least: number): Cost => ({
  title: `age: ${title}`,
  covers: covers.map((each) => `age ${each}`),
  run,
  least,
});
const armored = (n: number): Uint8Array => {
  const encoder = new ArmorEncoder();
  return new Uint8Array(Buffer.concat([encoder.push(bytes(n)), encoder.end()]));
};
const ofAge: readonly Cost[] = [
  age(
    'an encoder of armor',
    ['ArmorEncoder.push', 'armor.encoder'],
    (n) => {
      const encoder = new ArmorEncoder();
      times(n, () => encoder.push(one));
      encoder.end();
    },
    5000,
  ),
  age(
    'a decoder of armor',
    ['ArmorDecoder.push', 'armor.decoder'],
    (n) => {
      const decoder = new ArmorDecoder();
      for (const piece of single(armored(n))) decoder.push(piece);
      decoder.end();
    },
    5000,
  ),
  age(
    'a header',
    ['HeaderReader.push', 'readHeader'],
    (n) => {
      const header = Buffer.from(`age-encryption.org/v1\n${'-> none a\n\n'.repeat(n / 100)}`);
      const reader = new HeaderReader();
      for (const piece of single(header)) reader.push(piece);
    },
    20_000,
  ),
  age(
    'a file in pieces of one byte',
    ['Encrypter.encrypt', 'Encrypter.sealer'],
    async (n) => drained(await encrypter().encrypt(single(bytes(n)))),
    5000,
  ),
  age(
    'a file read in pieces of one byte',
    ['Decrypter.decrypt', 'Decrypter.decryptWhole', 'Decrypter.reader', 'Decrypter.opener'],
    async (n) => {
      const sealed = await encrypter().encrypt(bytes(n));
      await decrypter().decryptWhole(single(sealed));
    },
    5000,
  ),
  age('inspection in pieces of one byte', ['inspect'], (n) => inspect(single(file.slice(0, n))), 5000),
  age(
    'many recipients',
    ['Encrypter.addRecipient'],
    (n) => {
      const made = encrypter();
      times(n, () => made.addRecipient({ wrapFileKey: () => [] }));
    },
    500,
  ),
  age(
    'many identities',
    ['Decrypter.addIdentity', 'Decrypter.addPassphrase'],
    (n) => {
      const made = decrypter();
      times(n, () => made.addPassphrase('a'));
    },
    5000,
  ),
];

export const costs: readonly Cost[] = [...pools, ...streams, ...machines, ...ofAge, ...ofDropInHashers, ofSqlite];
