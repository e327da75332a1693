/** Pages of files on a pool become the same as on one thread, and nothing is written when the promise is settled. */
// Runs in Node only: files of Node.
import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adiantum, hpolyc, type PagesOptions } from '../../src/disk.ts';
import { createPool, type PageFiles, type Pool, type PoolOptions } from '../../src/pool.ts';
import { refusal, sample } from '../support/bytes.ts';
import { ended } from '../support/crew.ts';

const MiB = 1_048_576;
const key = sample(32, 1);
/** Above it, jobs of two threads are larger. */
const LONG = 64 * MiB + 4096;
const image = Buffer.alloc(LONG);
for (let at = 0; at < LONG; at += 4096) image.writeUInt32LE(at, at);
const dm = { pageSize: 4096, tweak: 'dm-crypt-large' } as const;

let folder: string;
let encrypted: Uint8Array;
const pool = createPool({ threads: 2, threshold: 0 });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanewise-pool-'));
  await writeFile(join(folder, 'image'), image);
  encrypted = adiantum(key).encryptPages(Buffer.from(image), dm);
  await warmUp(pool, 2);
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

/** Opens a file with these bytes, and an empty one. */
async function withFiles<Result>(
  bytes: Uint8Array,
  work: (files: PageFiles & { from: FileHandle; to: FileHandle }, path: string) => Promise<Result>,
): Promise<Result> {
  const [source, path] = [join(folder, 'from'), join(folder, 'to')];
  await writeFile(source, bytes);
  await using from = await open(source, 'r+');
  await using to = await open(path, 'w');
  return await work({ from, to }, path);
}

/** Works until so many workers run. */
async function warmUp(its: Pool, workers: number): Promise<void> {
  while (its.describe().running < workers) await its.blake3(image.subarray(0, 5 * MiB));
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

describe('as on one thread', () => {
  const cases: [name: string, length: number, options: PagesOptions][] = [
    ['nothing', 0, dm],
    ['a page', 4096, dm],
    ['a job', MiB, dm],
    ['a job and a page', MiB + 4096, { ...dm, first: 2n ** 60n }],
    ['pages of 1000 bytes', 3_000_000, { pageSize: 1000, tweak: 'offset64' }],
    ['a page longer than a job', 3 * MiB, { pageSize: 3 * MiB, tweak: 'index64', first: 7 }],
    ['tweaks of a file', 5 * MiB, { pageSize: 4096, tweak: { fscrypt: sample(16, 2) } }],
    ['tweaks of a function', 5 * MiB, { pageSize: 512, tweak: (page) => sample(21, Number(page % 251n)) }],
    ['larger jobs', LONG, dm],
  ];
  it.each(cases)('%s', async (_, length, options) => {
    const bytes = image.subarray(0, length);
    const expected = hpolyc(key).encryptPages(Buffer.from(bytes), options);
    await withFiles(bytes, async (files, path) => {
      const [read, write] = [vi.spyOn(files.from, 'read'), vi.spyOn(files.to, 'write')];
      expect(await pool.encryptPages(hpolyc(key), files, options)).toBe(files);
      expect(same(await readFile(path), expected)).toBe(true);
      // Workers read and write by themselves.
      expect([read.mock.calls, write.mock.calls]).toEqual([[], []]);
    });
    await withFiles(expected, async (files, path) => {
      await pool.decryptPages(hpolyc(key), files, options);
      expect(same(await readFile(path), bytes)).toBe(true);
    });
  });

  const pools: [name: string, make: () => Pool][] = [
    ['on the caller’s thread: few pages', () => createPool({ threshold: LONG })],
    [
      'on the caller’s thread: no workers',
      () =>
        createPool({
          threshold: 0,
          spawn: () => {
            throw new DOMException('forbidden');
          },
        }),
    ],
    ['on the caller’s thread, and a worker', () => createPool({ threads: 2, threshold: 0, callerWorks: true })],
    [
      'on the caller’s thread only, which is one of the threads',
      () => createPool({ threads: 1, threshold: 0, callerWorks: true }),
    ],
  ];
  it.each(pools)('%s', async (_, make) => {
    await using its = make();
    await withFiles(image, async (files, path) => {
      const told: number[] = [];
      await its.encryptPages(adiantum(key), files, { ...dm, onProgress: (done) => told.push(done) });
      expect(same(await readFile(path), encrypted)).toBe(true);
      expect(told).toEqual([...told].sort((a, b) => a - b));
      expect([told.length > 5, told.at(-1)]).toEqual([true, LONG]);
    });
  });

  it('the file behind is not truncated', () =>
    withFiles(image.subarray(0, MiB), async (files, path) => {
      await files.to.write(image, 0, 2 * MiB, 0);
      await pool.encryptPages(adiantum(key), files, dm);
      const made = await readFile(path);
      expect(same(made.subarray(0, MiB), encrypted.subarray(0, MiB))).toBe(true);
      expect(same(made.subarray(MiB), image.subarray(MiB, 2 * MiB))).toBe(true);
    }));
});

describe('work that ends early', () => {
  const reason = new Error('enough');
  const ends: [name: string, message: RegExp, run: (its: Pool, files: PageFiles) => Promise<unknown>][] = [
    [
      'a signal',
      /^enough$/,
      (its, files) => {
        const controller = new AbortController();
        const onProgress = (): void => controller.abort(reason);
        return its.encryptPages(adiantum(key), files, { ...dm, signal: controller.signal, onProgress });
      },
    ],
    [
      'a signal before',
      /^enough$/,
      (its, files) => its.encryptPages(adiantum(key), files, { ...dm, signal: AbortSignal.abort(reason) }),
    ],
    [
      'an error of onProgress',
      /^enough$/,
      (its, files) =>
        its.encryptPages(adiantum(key), files, {
          ...dm,
          onProgress() {
            throw reason;
          },
        }),
    ],
    [
      'a pool that is closed',
      /^the pool was closed while it worked: the first \d+ of 16385 pages are done$/,
      (its, files) => its.encryptPages(adiantum(key), files, { ...dm, onProgress: () => void its.close() }),
    ],
  ];
  const pools: [workers: number, options: PoolOptions][] = [
    [2, { threads: 2 }],
    [1, { threads: 2, callerWorks: true }],
    [0, { threshold: LONG }],
  ];
  describe.each(pools)('%i workers', (workers, options) => {
    it.each(ends)('%s: nothing is written any more', async (_, message, run) => {
      await using its = createPool({ threshold: 0, ...options });
      await warmUp(its, workers);
      await withFiles(image, async (files, path) => {
        expect(await ended(run(its, files))).toMatch(message);
        const before = readFileSync(path);
        // Each page is the old one, or the new one.
        for (let at = 0; at < before.length; at += 4096) {
          const page = before.subarray(at, at + 4096);
          if (page.some((byte) => byte)) expect(same(page, encrypted.subarray(at, at + page.length))).toBe(true);
        }
        expect(before.length).toBeLessThan(LONG);
        await wait(20);
        expect(same(await readFile(path), before)).toBe(true);
      });
    });
  });
});

describe('files', () => {
  it('that become shorter: an error', () =>
    withFiles(image, async (files) => {
      const onProgress = (): void => ftruncateSync(files.from.fd, 5 * MiB);
      const result = ended(pool.encryptPages(adiantum(key), files, { ...dm, onProgress }));
      expect(await result).toMatch(/^cannot read \d+ bytes of the store at \d+: it says that it moved 0$/);
    }));

  it.skipIf(process.platform !== 'linux')('without room: the error of one thread', () =>
    withFiles(image, async ({ from }) => {
      await using to = await open('/dev/full', 'w');
      const written = ended(to.write(image, 0, 4096, 0));
      expect(await ended(pool.encryptPages(adiantum(key), { from, to }, dm))).toBe(await written);
      expect(await written).toMatch(/ENOSPC/);
    }),
  );

  it('that are closed meanwhile, and whose number is that of another: it is left alone', () =>
    withFiles(image, async ({ from }) => {
      const [path, other] = [join(folder, 'closed'), join(folder, 'other')];
      await writeFile(other, 'left alone');
      const to = await open(path, 'w');
      const { fd } = to;
      let number: number | undefined;
      const onProgress = (): void => {
        if (number !== undefined) return;
        closeSync(fd);
        number = openSync(other, 'r+');
      };
      // The caller's handle fails once its number is closed; the pool has its own. Before that it writes: on a busy machine jobs may come to it
      // before a worker has done one.
      const write = to.write.bind(to) as (...args: unknown[]) => Promise<unknown>;
      vi.spyOn(to, 'write').mockImplementation((async (...args: unknown[]) => {
        if (number !== undefined) throw new Error('closed');
        return await write(...args);
      }) as unknown as typeof to.write);
      expect(await ended(pool.encryptPages(adiantum(key), { from, to }, { ...dm, onProgress }))).toBe('closed');
      expect(number).toBe(fd);
      expect(readFileSync(other, 'latin1')).toBe('left alone');
      await to.close();
    }));

  it('whose handle says that it wrote more than it was given: an error', () =>
    withFiles(image.subarray(0, MiB), async ({ from, to }) => {
      await using its = createPool();
      vi.spyOn(to, 'write').mockResolvedValue({ bytesWritten: 2 * MiB, buffer: '' });
      expect(await ended(its.encryptPages(adiantum(key), { from, to }, dm))).toMatch(/^cannot write 1048576 bytes/);
    }));
});

it.runIf(process.platform === 'linux')('a target that is open for appending, where Linux ignores positions', () =>
  withFiles(image.subarray(0, 8192), async ({ from }) => {
    const to = await open(join(folder, 'appended'), 'a');
    try {
      expect(refusal(() => void pool.encryptPages(adiantum(key), { from, to }, dm))).toBe(
        'Error: "to" expected file that is not open for appending: Linux writes at its end',
      );
    } finally {
      await to.close();
    }
  }),
);

it('wrong arguments: an error at once', () =>
  withFiles(image.subarray(0, 4096 + 512), ({ from, to }) => {
    const encrypt = (files: unknown, options: object = dm): string =>
      refusal(() => void pool.encryptPages(adiantum(key), files as PageFiles, options as typeof dm));
    expect(encrypt({ from })).toBe('TypeError: "to" expected FileHandle, got type=undefined');
    expect(encrypt({ to })).toBe('TypeError: "from" expected FileHandle, got type=undefined');
    expect(encrypt({ from, to: 3 })).toBe('TypeError: "to" expected FileHandle, got type=number');
    expect(encrypt({ from: 'image', to })).toBe('TypeError: "from" expected FileHandle, got type=string');
    expect(encrypt({ from, to, size: 1 })).toBe(
      'TypeError: "buffer" expected Uint8Array or { from, to }, got { size }',
    );
    expect(encrypt({ from, to: from })).toBe('Error: "to" expected another file than "from"');
    expect(encrypt({ from, to })).toBe('RangeError: "from" expected whole pages of 4096 bytes, got length=4608');
    expect(encrypt({ from, to }, { ...dm, pageSize: 512, onprogress: 1 })).toMatch(/onprogress/);
    const destroyed = adiantum(key);
    destroyed.destroy();
    const options = { ...dm, pageSize: 512 };
    expect(refusal(() => void pool.encryptPages(destroyed, { from, to }, options))).toMatch(/after destroy/);
    expect(refusal(() => void pool.encryptPages({} as never, { from, to }, options))).toMatch(
      /^TypeError: "cipher" expected/,
    );
    // A cipher's own calls take memory only.
    expect(refusal(() => adiantum(key).encryptPages({ from, to } as never, dm))).toMatch(
      /^TypeError: "buffer" expected Uint8Array/,
    );
    expect(refusal(() => adiantum(key).encryptPages(4096 as never, dm))).toMatch(
      /^TypeError: "buffer" expected Uint8Array/,
    );
    return Promise.resolve();
  }));
