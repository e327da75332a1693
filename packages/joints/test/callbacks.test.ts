/**
 * A function of the caller throws in the midst of a call that is asynchronous or has a store: `onProgress`, a tweak, a source, a handle.
 * The call fails with that error, and the object does the same work right afterwards.
 */
import { afterAll, expect, test } from 'vitest';
import { blake3 } from 'lanewise/blake3.js';
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { adiantum, authenticatedPages, encryptedFile, type SynchronousFile } from 'lanewise/disk.js';
import { createPool } from 'lanewise/pool.js';
import { scryptSync } from 'lanewise/scrypt.js';
import { agePayload, chunked, fetchRange } from 'lanewise/stream.js';
import { memoryFile } from '../../lanewise/test/support/memory-file.ts';
import { bytes, key } from './machine.ts';
import { collect } from './rows/age.ts';

const MINE = new Error('mine');
const LONG = bytes(3 * 1_048_576 + 70_000);
const PAGES = LONG.slice(0, 3 * 1_048_576);
const cipher = adiantum(key);
const SEALED = await collect(chunked(key).encrypt(LONG));

/** A function that throws at one of its calls, and never again. */
function throwing<Arguments extends unknown[], Result>(
  at: number,
  its: (...values: Arguments) => Result,
): (...values: Arguments) => Result {
  let count = 0;
  return (...values) => {
    if (count++ === at) throw MINE;
    return its(...values);
  };
}
const silent = (): void => {};
const tweak = (page: bigint): Uint8Array => new Uint8Array(32).fill(Number(page & 255n));
async function* pieces(next: (at: number) => Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < LONG.length; at += 1_000_000) {
    await Promise.resolve();
    yield next(at);
  }
}
const piece = (at: number): Uint8Array => LONG.subarray(at, at + 1_000_000);
const digest = (value: Uint8Array): string => Buffer.from(blake3(value)).toString('hex');
const pages = () => cipher.encryptPages(PAGES.slice(), { pageSize: 4096, tweak });

/** Work of an object that stays, with functions of the caller that `wrap` has made of these; and its outcome. */
interface Case {
  readonly make: () => unknown;
  readonly work: (its: never, wrap: typeof throwing, at: number) => unknown;
  readonly expected: () => Uint8Array;
  /** At which of their calls they throw. */
  readonly at: readonly number[];
}
const pools = [createPool({ threads: 2, threshold: 0 }), createPool({ threads: 2 })] as const;
afterAll(() => Promise.all(pools.map((pool) => pool.close())));
type Pool = (typeof pools)[0];

const ofPools = pools.flatMap((pool, i): [string, Case][] => {
  const where = i === 0 ? 'with workers' : "on the caller's thread";
  const make = () => pool;
  const row = (name: string, work: Case['work'], expected: Case['expected'], at: readonly number[]) =>
    [`Pool.${name}, ${where}`, { make, work, expected, at }] as [string, Case];
  return [
    row(
      'blake3, onProgress',
      (its: Pool, wrap, at) => its.blake3(LONG, { onProgress: wrap(at, silent) }),
      () => blake3(LONG),
      [0, 2],
    ),
    row(
      'blake3, its source',
      (its: Pool, wrap, at) => its.blake3(pieces(wrap(at, piece))),
      () => blake3(LONG),
      [0, 2],
    ),
    row(
      'blake3Xof, onProgress',
      async (its: Pool, wrap, at) => (await its.blake3Xof(LONG, { onProgress: wrap(at, silent) })).xof(32),
      () => blake3(LONG),
      [1],
    ),
    row(
      'encryptPages, onProgress',
      (its: Pool, wrap, at) =>
        its.encryptPages(cipher, PAGES.slice(), { pageSize: 4096, tweak, onProgress: wrap(at, silent) }),
      pages,
      [0, 1],
    ),
    row(
      'encryptPages, its tweak',
      (its: Pool, wrap, at) => its.encryptPages(cipher, PAGES.slice(), { pageSize: 4096, tweak: wrap(at, tweak) }),
      pages,
      [0, 300],
    ),
    row(
      'decryptPages, onProgress',
      (its: Pool, wrap, at) =>
        its.decryptPages(cipher, pages(), { pageSize: 4096, tweak, onProgress: wrap(at, silent) }),
      () => PAGES,
      [1],
    ),
    row(
      'scrypt, onProgress',
      (its: Pool, wrap, at) => its.scrypt(key, key, { N: 2 ** 14, r: 8, p: 1, onProgress: wrap(at, silent) }),
      () => scryptSync(key, key, { N: 2 ** 14, r: 8, p: 1 }),
      [0],
    ),
    row(
      'encrypt, its source',
      (its: Pool, wrap, at) => collect(agePayload(key).encrypt(pieces(wrap(at, piece)), { pool: its })),
      () => agePayloadOf(LONG),
      [0, 2],
    ),
    row(
      'decrypt, onProgress',
      (its: Pool, wrap, at) => collect(chunked(key).decrypt(SEALED, { pool: its, onProgress: wrap(at, silent) })),
      () => LONG,
      [0, 1],
    ),
  ];
});
function agePayloadOf(plaintext: Uint8Array): Uint8Array {
  const sealer = agePayload(key).sealer();
  return Buffer.concat([sealer.push(plaintext), sealer.end()]);
}

const ranges = (at: number, wrap: typeof throwing) => {
  const answer = (from: number, to: number): Response =>
    new Response(SEALED.slice(from, to + 1), {
      status: 206,
      headers: { 'content-range': `bytes ${from}-${to}/${SEALED.length}`, etag: '"one"' },
    });
  const its = wrap(at, answer);
  return (_: unknown, { headers }: { headers: Headers | Record<string, string> }): Promise<Response> => {
    const [, from, to] = /(\d+)-(\d+)/.exec(new Headers(headers).get('range')!)!;
    return Promise.resolve().then(() => its(Number(from), Math.min(Number(to), SEALED.length - 1)));
  };
};

const others: readonly [string, Case][] = [
  [
    'Reader.read, its source',
    {
      async make() {
        let its = (from: number, to: number): Uint8Array => SEALED.subarray(from, to);
        const source = { size: SEALED.length, read: (from: number, to: number) => Promise.resolve(its(from, to)) };
        const reader = await chunked(key).reader(source);
        return { reader, set: (next: typeof its) => void (its = next) };
      },
      work: (
        {
          reader,
          set,
        }: { reader: { read(from: number, to: number): Promise<Uint8Array> }; set: (next: unknown) => void },
        wrap,
        at,
      ) => {
        set(wrap(at, (from: number, to: number) => SEALED.subarray(from, to)));
        return reader.read(5, LONG.length);
      },
      expected: () => LONG.subarray(5),
      at: [0],
    },
  ],
  [
    'Source.read, its fetch',
    {
      make: () => ({}),
      async work(its: { fetch?: ReturnType<typeof ranges>; source?: ReturnType<typeof fetchRange> }, wrap, at) {
        its.fetch = ranges(at, wrap);
        its.source ??= fetchRange('https://files.example/x', {
          fetch: ((...values: Parameters<ReturnType<typeof ranges>>) => its.fetch!(...values)) as never,
        });
        const reader = await chunked(key).reader(its.source);
        return reader.read(0, LONG.length);
      },
      expected: () => LONG,
      at: [0, 1],
    },
  ],
];

/** Calls of a file over a store whose calls throw once each: the file has its bytes from before, and a part of the new ones. */
const CONTENT = bytes(5000);
/** The bytes that two copies of a header take: docs/inside/authenticated-file.md. */
const HEADERS = 8192;
const tagged = authenticatedPages(xchacha20poly1305, key);
const FILES: readonly [string, boolean, (handle: ReturnType<typeof memoryFile>) => SynchronousFile][] = [
  ['', false, (handle) => encryptedFile(handle, cipher, { pageSize: 512, tweak: 'offset64' })],
  [' with tags', true, (handle) => encryptedFile(handle, tagged, { create: true, pageSize: 512 })],
];
const CALLS: readonly [string, (file: SynchronousFile) => unknown][] = [
  ['write', (file) => file.write(LONG.subarray(0, 2000), 700)],
  ['write at the end', (file) => file.write(LONG.subarray(0, 2000), CONTENT.length + 632)],
  ['truncate', (file) => file.truncate(2048)],
  ['flush', (file) => file.flush()],
  ['read', (file) => file.read(new Uint8Array(3000), 100)],
];
const files = FILES.flatMap(([what, isTagged, open]) =>
  CALLS.flatMap(([name, work]) =>
    (['write', 'read', 'truncate', 'flush', 'getSize'] as const).map(
      (operation) =>
        [`encryptedFile()${what}.${name}, its handle's ${operation}`, open, work, operation, isTagged] as const,
    ),
  ),
);
const contentOf = (file: SynchronousFile): Uint8Array => {
  const out = new Uint8Array(file.size());
  file.read(out, 0);
  return out;
};

const original =
  (store: object, name: string) =>
  (...values: unknown[]): unknown =>
    (store as Record<string, (...values: unknown[]) => unknown>)[name](...values);

test.each(files)('%s', (_, open, work, operation, isTagged) => {
  const begun = () => {
    const store = memoryFile();
    const handle = { ...store };
    const file = open(handle);
    file.write(CONTENT.slice(0, 4608), 0);
    file.flush();
    // Not flushed: a file that goes on from the header on the medium loses it.
    file.write(LONG.slice(0, 512), 4608);
    const set = (its: unknown): void => void Object.assign(handle, { [operation]: its });
    return { file, store, set };
  };
  const right = begun();
  work(right.file);
  const expected = digest(contentOf(right.file));
  for (let at = 0, has = true; has; at++) {
    const { file, store, set } = begun();
    let calls = 0;
    const its = original(store, operation);
    set((...values: unknown[]) => {
      if (calls++ !== at) return its(...values);
      // A header may be torn; a page that is torn is lost, as on any disk.
      const [from, to] = values as [Uint8Array, { at: number }];
      if (operation === 'write' && isTagged && to.at < HEADERS) store.write(from.subarray(0, 60), to);
      throw MINE;
    });
    has = false;
    try {
      work(file);
    } catch (error) {
      has = true;
      expect((error as Error).message).toContain('mine');
    }
    // Without an error no call threw.
    expect(has || calls <= at, `call ${at}`).toBe(true);
    set(original(store, operation));
    work(file);
    expect(digest(contentOf(file)), `after call ${at}`).toBe(expected);
    file.flush();
    expect(digest(contentOf(file)), `after call ${at} and a flush`).toBe(expected);
  }
});

test.each([...ofPools, ...others])('%s', async (_, { make, work, expected, at }) => {
  for (const its of at) {
    const object = (await make()) as never;
    let error: unknown;
    try {
      await work(object, throwing, its);
    } catch (caught) {
      error = caught;
    }
    expect((error as Error | undefined)?.message ?? 'nothing').toContain('mine');
    expect(digest((await work(object, throwing, -1)) as Uint8Array), `after ${its}`).toBe(digest(expected()));
  }
});
