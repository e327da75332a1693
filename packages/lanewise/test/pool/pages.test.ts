/** Pages on a pool become the same as on one thread, in place; and if something fails, all pages up to some point. */
// Needs workers: a request handler has none, and too little memory for messages that are long enough.
import { afterAll, describe, expect, it } from 'vitest';
import { adiantum, authenticatedPages, encryptedFile, hpolyc, type PagesOptions, type Tweak } from '../../src/disk.ts';
import { xchacha20poly1305 } from '../../src/chacha.ts';
import { pages as pagesKind } from '../../src/disk/jobs.ts';
import { spawnDefault } from '../../src/pool/spawn.ts';
import { createPool, type Pool, type PoolPagesOptions, type WorkerLike } from '../../src/pool.ts';
import { FakeWorker } from '../support/fake-worker.ts';
import { Memory, nodeHandle } from '../support/stores.ts';
import { atOffset, refusal, sample } from '../support/bytes.ts';
import { turns, until, withShortIntervals } from '../support/turns.ts';

const MiB = 1_048_576;
const pool = createPool({ threads: 2, threshold: 2 * MiB });
afterAll(() => pool.close());
const key = sample(32, 1);
const makers = { adiantum, hpolyc };
/** Above the size from which a pool starts workers. */
const LONG = 26 * MiB;

/** Bytes in pages that all differ. */
function image(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const words = new Uint32Array(bytes.buffer, 0, length >> 2);
  for (let i = 0; i < words.length; i += 3) words[i] = Math.imul(i, 0x9e3779b1);
  return bytes;
}
const inShared = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
};
/** Compares without a message of megabytes. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
const dm = { pageSize: 4096, tweak: 'dm-crypt-large' } as const;

/** Works until all workers of a pool run. */
async function warmUp(its: Pool): Promise<void> {
  const { threads } = its.describe();
  for (const buffer = image(LONG); its.describe().running < threads;) {
    await its.encryptPages(adiantum(key, { rounds: 8 }), buffer, dm);
    await turns(1);
  }
}

describe('as on one thread', () => {
  it('many pages', async () => {
    await warmUp(pool);
    const buffer = image(LONG);
    const expected = adiantum(key).encryptPages(buffer.slice(), dm);
    expect(await pool.encryptPages(adiantum(key), buffer, dm)).toBe(buffer);
    expect(same(buffer, expected)).toBe(true);
    expect(await pool.decryptPages(adiantum(key), buffer, dm)).toBe(buffer);
    expect(same(buffer, image(LONG))).toBe(true);
  });

  const nonce = sample(16, 2);
  const tweaks: Record<string, Tweak> = {
    'dm-crypt': 'dm-crypt',
    'dm-crypt-large': 'dm-crypt-large',
    offset64: 'offset64',
    index64: 'index64',
    fscrypt: { fscrypt: nonce },
    'a function': (page) => sample(21, Number(page % 251n)),
    'a function of nothing': () => new Uint8Array(0),
  };
  const random = 513 + (sample(2, Math.floor(performance.now()) % 251)[0] & 255);
  const cases: [keyof typeof makers, 8 | 12 | 20, string, number, number, number | bigint][] = [
    ...Object.keys(tweaks).map((name) => ['adiantum', 12, name, 4096, 513, 0] as (typeof cases)[0]),
    // Around the edges of jobs.
    ...[0, 1, 255, 256, 511, 512, 767, 768, 769, random].map(
      (count) => ['adiantum', 8, 'index64', 4096, count, 7] as (typeof cases)[0],
    ),
    ['hpolyc', 8, 'fscrypt', 4096, 769, 2 ** 53 - 300],
    ['hpolyc', 12, 'a function', 4096, 600, 2n ** 64n - 600n],
    ['hpolyc', 20, 'dm-crypt', 512, 4097, 2n ** 60n],
    ['adiantum', 20, 'offset64', 1000, 2200, 2 ** 40],
    // Many pages in a job, one page in a job, and a page that is longer than a job.
    ['adiantum', 12, 'index64', 16, 140_000, 3],
    ['adiantum', 12, 'a function', 66_048, 40, 0],
    ['adiantum', 12, 'index64', 1_500_000, 3, 0],
  ];
  it.each(cases)(
    '%s, %i rounds, %s, pages of %i bytes, %i of them from %s',
    async (name, rounds, named, pageSize, count, first) => {
      const cipher = makers[name](key, { rounds });
      const options: PagesOptions = { pageSize, first, tweak: tweaks[named] };
      const plain = image(pageSize * count);
      const expected = cipher.encryptPages(plain.slice(), options);
      const buffers = [
        plain.slice(),
        atOffset(5, plain),
        ...(typeof SharedArrayBuffer === 'function' ? [inShared(plain)] : []),
      ];
      for (const buffer of buffers) {
        expect(await pool.encryptPages(cipher, buffer, options)).toBe(buffer);
        expect(same(buffer, expected)).toBe(true);
        expect(await pool.decryptPages(cipher, buffer, options)).toBe(buffer);
        expect(same(buffer, plain)).toBe(true);
      }
    },
  );

  it('without workers, which start too late or not at all', async () => {
    const expected = adiantum(key).encryptPages(image(LONG), dm);
    const refused = createPool({
      threshold: 2 * MiB,
      spawn: () => {
        throw new DOMException('no workers here', 'SecurityError');
      },
    });
    const late = createPool({ threads: 1, threshold: 2 * MiB });
    for (const other of [refused, late]) {
      expect(same(await other.encryptPages(adiantum(key), image(LONG), dm), expected)).toBe(true);
      await other.close();
    }
    expect(refused.describe().parallel).toBe(false);
  });

  it('two calls at a time, and a cipher that is destroyed after the call', async () => {
    const [a, b] = [image(4 * MiB), image(5 * MiB)];
    const expected = [adiantum(key).encryptPages(a.slice(), dm), hpolyc(key).encryptPages(b.slice(), dm)];
    const ciphers = [adiantum(key), hpolyc(key)];
    const calls = [pool.encryptPages(ciphers[0], a, dm), pool.encryptPages(ciphers[1], b, dm)];
    for (const cipher of ciphers) cipher.destroy();
    const done = await Promise.all(calls);
    expect(done.map((bytes, i) => same(bytes, expected[i]))).toEqual([true, true]);
  });

  it('tells its progress, in order', async () => {
    const length = 3 * MiB + 4096;
    for (const its of [length, MiB + 4096]) {
      const told: unknown[] = [];
      await pool.encryptPages(adiantum(key), image(its), { ...dm, onProgress: (...values) => void told.push(values) });
      const steps = Array.from({ length: Math.ceil(its / MiB) }, (_, i) => [Math.min(its, (i + 1) * MiB), its]);
      expect(told).toEqual(steps);
    }
  });
});

describe('errors of arguments are those of one thread, at once', () => {
  const cipher = adiantum(key);
  const destroyed = adiantum(key);
  destroyed.destroy();
  const page = sample(4096, 3);
  const wrong: [string, typeof cipher, unknown, unknown][] = [
    ['a destroyed cipher', destroyed, page, dm],
    ['no buffer', cipher, undefined, dm],
    ['text', cipher, 'text', dm],
    ['half a page', cipher, page.subarray(1), dm],
    ['short pages', cipher, page, { ...dm, pageSize: 15 }],
    ['no page size', cipher, page, { tweak: 'index64' }],
    ['an unknown tweak', cipher, page, { ...dm, tweak: 'xts' }],
    ['an odd size', cipher, page, { pageSize: 4096 / 16, tweak: 'dm-crypt' }],
    ['a number that is too large', cipher, page, { ...dm, first: 2n ** 64n }],
    ['rounds', cipher, page, { ...dm, rounds: 12 }],
    ['a function that throws', cipher, page, { ...dm, tweak: () => refusal(undefined as never) }],
    ['a function that gives text', cipher, page, { ...dm, tweak: () => 'text' }],
  ];
  it.each(wrong)('%s', (_, its, buffer, options) => {
    const one = refusal(() => its.encryptPages(buffer as Uint8Array, options as PagesOptions));
    const many = refusal(() => void pool.encryptPages(its, buffer as Uint8Array, options as PagesOptions));
    expect(one).toMatch(/Error: /);
    // The names of options are those of the call.
    expect(many.replace(', signal, onProgress', '')).toBe(one);
  });

  it('of its own', () => {
    const refused = (its: unknown, options: unknown = dm) =>
      refusal(() => void pool.encryptPages(its as typeof cipher, page, options as PagesOptions));
    const wanted = 'TypeError: "cipher" expected what adiantum() or hpolyc() gives, got type=';
    expect(refused(undefined)).toBe(`${wanted}undefined`);
    expect(refused(null)).toBe(`${wanted}null`);
    expect(refused({ encryptPages: () => page })).toBe(`${wanted}Object`);
    expect(refused(Object.create(cipher))).toBe(`${wanted}Object`);
    expect(refused(authenticatedPages(xchacha20poly1305, key))).toBe(`${wanted}Object`);
    expect(refused(cipher, { ...dm, signal: {} })).toBe('TypeError: "signal" expected AbortSignal, got type=Object');
    expect(refused(cipher, { ...dm, onProgress: 1 })).toBe(
      'TypeError: "onProgress" expected function, got type=number',
    );
    expect(refused(cipher, { ...dm, threads: 1 })).toMatch(
      / \{ pageSize, first, tweak, signal, onProgress \}, got \{ threads \}$/,
    );
    expect(page).toEqual(sample(4096, 3));
  });
});

/** A pool of workers that are objects of this thread. Each ends in the midst of a job, and is told the numbers of both. */
function localPool(dies?: (job: number, worker: number) => boolean): { pool: Pool; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const spawn = (): WorkerLike => {
    const number = workers.length;
    const worker = new FakeWorker().obedient({ kinds: [pagesKind], dies: (job) => dies?.(job, number) ?? false });
    workers.push(worker);
    return worker;
  };
  // A host may be so slow that workers of Deno, which end sooner, would end in between.
  return { pool: createPool({ threads: 2, threshold: 2 * MiB, spawn, idle: 60_000 }), workers };
}

/** Encrypts until something happens. All pages before those of the last progress must be encrypted, and the others untouched. */
async function interrupted(
  its: Pool,
  options: Partial<PoolPagesOptions>,
  shared: boolean,
): Promise<{ error: unknown; done: number }> {
  const plain = image(LONG);
  const buffer = shared ? inShared(plain) : plain.slice();
  let done = 0;
  const onProgress = (bytes: number, total?: number): void => {
    done = bytes;
    options.onProgress?.(bytes, total);
  };
  const error: unknown = await its.encryptPages(adiantum(key), buffer, { ...dm, ...options, onProgress }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const check = (): void => {
    const expected = adiantum(key).encryptPages(plain.slice(0, done), dm);
    expect(same(buffer.subarray(0, done), expected)).toBe(true);
    expect(same(buffer.subarray(done), plain.subarray(done))).toBe(true);
  };
  check();
  await turns(); // nothing is written afterwards
  check();
  return { error, done };
}

describe.each([
  ['plain memory', false] as const,
  ...(typeof SharedArrayBuffer === 'function' ? [['shared memory', true] as const] : []),
])('interrupted, in %s', (_, shared) => {
  it('by a signal', async () => {
    const reason = new Error('enough');
    const aborted = interrupted(pool, { signal: AbortSignal.abort(reason) }, shared);
    expect(await aborted).toEqual({ error: reason, done: 0 });
    const controller = new AbortController();
    const onProgress = (done: number): void => {
      if (done >= 5 * MiB) controller.abort(reason);
    };
    const { error, done } = await interrupted(pool, { signal: controller.signal, onProgress }, shared);
    expect(error).toBe(reason);
    expect(done).toBe(5 * MiB);
    const late = new AbortController();
    setTimeout(() => late.abort(reason), 3);
    expect((await interrupted(pool, { signal: late.signal }, shared)).error).toBe(reason);
  });

  it('by an error of onProgress', async () => {
    const thrown = new Error('of the caller');
    const onProgress = (done: number): void => {
      if (done === 4 * MiB) throw thrown;
    };
    expect(await interrupted(pool, { onProgress }, shared)).toEqual({ error: thrown, done: 4 * MiB });
  });

  it('by the end of the pool', async () => {
    const { pool: its } = localPool();
    const onProgress = (done: number): void => void (done === 3 * MiB && its.close());
    const { error, done } = await interrupted(its, { onProgress }, shared);
    expect(String(error)).toBe(
      `Error: the pool was closed while it worked: ${done / 4096} of ${LONG / 4096} pages are done, and the others as they were`,
    );
    expect(() => its.encryptPages(adiantum(key), image(4096), dm)).toThrow('cannot use a pool after close()');
  });

  it('by a signal, while a worker holds the first pages and this thread has done others', async () => {
    const worker = new FakeWorker();
    const spawn = (): WorkerLike => worker.obedient({ kinds: [pagesKind], except: ['run'] });
    const its = createPool({ threads: 2, threshold: 2 * MiB, callerWorks: true, spawn });
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 50);
    const { error, done } = await interrupted(its, { signal: controller.signal }, shared);
    expect(error).toBe(reason);
    expect(worker.ordersOf('run').length).toBeGreaterThan(0);
    expect(done).toBeLessThan(LONG);
    await its.close();
  });

  // Hosts other than Node and Bun do not say when a worker ends. In shared memory it may leave an unfinished page.
  if (shared || /^(?:Node|Bun)/.test(navigator.userAgent)) {
    it('not by a worker that ends, because another does its job', () =>
      withShortIntervals(async () => {
        const workers: WorkerLike[] = [];
        const spawn = (): WorkerLike => {
          workers.push(spawnDefault());
          return workers.at(-1)!;
        };
        const its = createPool({ threads: 2, threshold: 2 * MiB, spawn });
        await warmUp(its);
        let killed = 0;
        const onProgress = (done: number): void => {
          if (done % (9 * MiB) === 0) {
            workers.shift()?.terminate();
            killed++;
          }
        };
        expect(await interrupted(its, { onProgress }, shared)).toEqual({ error: undefined, done: LONG });
        expect(killed).toBe(2);
        await its.close();
      }));
  }

  it('by workers that end in the midst of a job, one after the other', async () => {
    const { pool: its, workers } = localPool((job, worker) => job === 3 + 4 * worker);
    const { error, done } = await interrupted(its, {}, shared);
    expect({ error, done }).toEqual({ error: undefined, done: LONG });
    expect(workers.filter(({ terminated }) => terminated)).toHaveLength(3);
    await its.close();

    let jobs = 0;
    const { pool: failing } = localPool(() => ++jobs > 9);
    const failed = await interrupted(failing, {}, shared);
    expect(String(failed.error)).toBe(
      `Error: a worker ended while it worked (it ended with exit code 1), as did the one before it: ${failed.done / 4096} of ${LONG / 4096} pages are done, and the others as they were`,
    );
    expect(failed.done).toBeGreaterThan(0);
    await failing.close();
  });
});

describe('files', () => {
  const options = { pageSize: 4096, tweak: 'index64' } as const;
  const cipher = adiantum(key);

  it('are read and written as on one thread', async () => {
    await warmUp(pool);
    const [memory, other] = [new Memory(), new Memory()];
    const file = encryptedFile(nodeHandle(memory), cipher, { ...options, pool });
    const one = encryptedFile(nodeHandle(other), cipher, options);
    // Parts of pages at both ends, more than a stage, and short ones.
    for (const [at, length] of [
      [100, 9 * MiB],
      [5 * MiB + 1, 3 * MiB],
      [4096, 100],
    ]) {
      const bytes = image(length);
      await file.write(bytes, at);
      await one.write(bytes, at);
      expect(same(memory.bytes, other.bytes)).toBe(true);
    }
    const [read, expected] = [new Uint8Array(9 * MiB), new Uint8Array(9 * MiB)];
    expect(await file.read(read, 50)).toBe(await one.read(expected, 50));
    expect(same(read, expected)).toBe(true);
  });

  it('need their pool for long calls only', async () => {
    const closed = createPool({ threads: 1, threshold: 2 * MiB });
    const file = encryptedFile(nodeHandle(new Memory()), cipher, { ...options, pool: closed });
    await closed.close();
    await expect(file.write(image(MiB), 0)).rejects.toThrow('cannot use a pool after close()');
    await file.write(image(4096), 0);
    expect(await file.size()).toBe(4096);
  });

  it('over other handles and ciphers refuse a pool', () => {
    const refused = (handle: unknown, its: unknown, given: object = { ...options, pool }) =>
      refusal(() => encryptedFile(handle as never, its as never, given as never));
    expect(refused(new Memory(), cipher)).toBe(
      'TypeError: "pool" expected undefined: a file over a FileSystemSyncAccessHandle answers at once',
    );
    const authenticated = authenticatedPages(xchacha20poly1305, key);
    expect(refused(nodeHandle(new Memory()), authenticated, { pool })).toMatch(
      /only files of adiantum\(\) and hpolyc\(\) use it/,
    );
    expect(refused(nodeHandle(new Memory()), cipher, { ...options, pool: {} })).toMatch(
      /^TypeError: "pool" expected what createPool/,
    );
  });
});

describe('what is left', () => {
  it('no key, neither after work nor after an abort', async () => {
    const { pool: its, workers } = localPool();
    await its.encryptPages(adiantum(key), image(LONG), dm);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    const work = its.decryptPages(adiantum(key), image(LONG), { ...dm, signal: controller.signal, onProgress });
    await expect(work).rejects.toThrow('enough');
    const secrets = () => workers.flatMap((worker) => worker.ordersOf('open').flatMap((order) => order.secrets));
    expect(secrets().length).toBeGreaterThan(1);
    // Workers wipe theirs when they hear of the end.
    await until(() => !secrets().some((bytes) => bytes.some(Boolean)));
    await its.close();
  });

  it('a buffer that is detached meanwhile is an error', async () => {
    const buffer = image(LONG);
    const work = pool.encryptPages(adiantum(key), buffer, dm);
    structuredClone(buffer, { transfer: [buffer.buffer] });
    await expect(work).rejects.toThrow('"buffer" expected Uint8Array');
  });
});
