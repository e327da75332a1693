/** scrypt on a pool gives the key that one thread gives, in a worker, which can be aborted at any time and leaves nothing. */
// Needs workers: a request handler has none, and too little memory for messages that are long enough.
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { Instance } from '../../src/engine/instance.ts';
import { createPool, type Pool, type WorkerLike } from '../../src/pool.ts';
import { derivations } from '../../src/scrypt/jobs.ts';
import { SCHEDULE } from '../../src/scrypt/map.ts';
import { scrypt, scryptSync, type ScryptOptions } from '../../src/scrypt.ts';
import { expectBytes, refusal, sample } from '../support/bytes.ts';
import { FakeWorker } from '../support/fake-worker.ts';
import { turns, until } from '../support/turns.ts';

const pool = createPool({ threads: 2 });
afterAll(() => pool.close());
afterEach(() => {
  vi.restoreAllMocks();
});
const [password, salt] = [sample(20, 1), sample(16, 2)];

/** The memories of derivations on this thread, also of workers that are objects of it. */
function watched(): Set<Uint8Array> {
  const memories = new Set<Uint8Array>();
  const write: Instance<unknown>['write'] = Reflect.get(Instance.prototype, 'write');
  vi.spyOn(Instance.prototype, 'write').mockImplementation(function (this: Instance<unknown>, ...values) {
    memories.add(this.memory);
    write.apply(this, values);
  });
  return memories;
}
const isWiped = (memory: Uint8Array): boolean => {
  const words = new Uint32Array(memory.buffer, SCHEDULE);
  for (let at = 0; at < words.length; at++) if (words[at]) return false;
  return true;
};
/** A pool of workers that are objects of this thread. */
function localPool(
  threads: number,
  dies: (worker: number) => boolean = () => false,
): { pool: Pool; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const spawn = (): WorkerLike => {
    const number = workers.length;
    const worker = new FakeWorker().obedient({ kinds: [derivations], dies: () => dies(number) });
    workers.push(worker);
    return worker;
  };
  return { pool: createPool({ threads, spawn }), workers };
}
const refusing = (): Pool =>
  createPool({
    spawn: () => {
      throw new DOMException('no workers here', 'SecurityError');
    },
  });

describe('as on one thread', () => {
  const parameters: ScryptOptions[] = [
    { N: 2, r: 1, dkLen: 1 },
    { logN: 10, p: 3, dkLen: 100 },
    { N: 4096, r: 1, p: 2 },
    { N: 2 ** 14, maxmem: 2 ** 24 },
  ];
  it.each(parameters)('%o', async (options) => {
    const memories = watched();
    const key = await pool.scrypt(password, salt, options);
    expect(memories.size, 'derivations on this thread').toBe(0);
    expectBytes(key, scryptSync(password, salt, options), 'the key');
    expect(key.buffer.byteLength).toBe(key.length);
  });

  it('reads password and salt at once, which may be empty', async () => {
    const [own, ownSalt] = [password.slice(), salt.slice()];
    const derived = pool.scrypt(own, ownSalt, { N: 1024 });
    own.fill(0);
    ownSalt.fill(0);
    expectBytes(await derived, scryptSync(password, salt, { N: 1024 }), 'both');
    const none = new Uint8Array(0);
    expectBytes(await pool.scrypt(none, none, { N: 16 }), scryptSync(none, none, { N: 16 }), 'nothing');
  });

  it('many at a time, and one after the other in a worker', async () => {
    const { pool: its, workers } = localPool(1);
    const order: string[] = [];
    const derive = (name: string, seed: number): Promise<Uint8Array> =>
      its.scrypt(password, sample(16, seed), { N: 2 ** 12, onProgress: () => void order.push(name) });
    const keys = await Promise.all(['a', 'b', 'c'].map(derive));
    keys.forEach((key, i) => expectBytes(key, scryptSync(password, sample(16, i), { N: 2 ** 12 }), `key ${i}`));
    expect(order).toEqual(order.toSorted());
    expect(workers).toHaveLength(1);
    await its.close();
  });

  it('tells its progress', async () => {
    const told: number[] = [];
    await pool.scrypt(password, salt, { N: 2 ** 15, onProgress: (progress) => void told.push(progress) });
    expect(told.length).toBeGreaterThanOrEqual(4);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect([told[0] > 0 && told[0] < 1, told.at(-1)]).toEqual([true, 1]);
  });

  it('without workers', async () => {
    const its = refusing();
    const told: number[] = [];
    const key = await its.scrypt(password, salt, { N: 2 ** 12, onProgress: (progress) => void told.push(progress) });
    expectBytes(key, scryptSync(password, salt, { N: 2 ** 12 }), 'the key');
    expect(told.at(-1)).toBe(1);
    expect(its.describe().parallel).toBe(false);
    await its.close();
  });

  it('waits for a worker that starts slowly', async () => {
    const worker = new FakeWorker();
    const its = createPool({ threads: 1, spawn: () => worker });
    const memories = watched();
    const derived = its.scrypt(password, salt, { N: 16 });
    await turns();
    expect(memories.size, 'derivations on this thread').toBe(0);
    // Nothing else may keep the process running.
    expect(worker.held).toBe(true);
    worker.obedient({ kinds: [derivations] });
    expectBytes(await derived, scryptSync(password, salt, { N: 16 }), 'the key');
    await its.close();
  });
});

describe('errors', () => {
  const wrong: [string, unknown, unknown, unknown][] = [
    ['a text', 'password', salt, {}],
    ['no salt', password, undefined, {}],
    ['an odd N', password, salt, { N: 3 }],
    ['both costs', password, salt, { N: 4, logN: 2 }],
    ['little memory', password, salt, { maxmem: 1000 }],
    ['an option of others', password, salt, { cost: 16 }],
    ['a signal', password, salt, { signal: 1 }],
    ['onProgress', password, salt, { onProgress: 1 }],
  ];
  it.each(wrong)('%s: as on one thread, at once', (_, ...values) => {
    const [its, itsSalt, options] = values as [Uint8Array, Uint8Array, ScryptOptions];
    const one = refusal(() => void scrypt(its, itsSalt, options));
    expect(one).toMatch(/Error: /);
    expect(refusal(() => void pool.scrypt(its, itsSalt, options))).toBe(one);
  });

  it('memory that the host does not have', async () => {
    const { pool: its } = localPool(1);
    const error = new RangeError('cannot allocate 4095 MiB of memory');
    vi.spyOn(Instance.prototype, 'write').mockImplementation(() => {
      throw error;
    });
    await expect(its.scrypt(password, salt, { N: 2 })).rejects.toThrow(error);
    vi.restoreAllMocks();
    expectBytes(await its.scrypt(password, salt, { N: 2 }), scryptSync(password, salt, { N: 2 }), 'the next');
    await its.close();
  });

  it('of onProgress, with and without workers', async () => {
    const thrown = new Error('of the caller');
    const onProgress = (): void => {
      throw thrown;
    };
    for (const its of [pool, refusing()])
      await expect(its.scrypt(password, salt, { N: 2 ** 13, onProgress })).rejects.toBe(thrown);
  });

  it('a worker that ends: another one derives the key; two that end', async () => {
    const { pool: its, workers } = localPool(1, (worker) => worker === 0);
    expectBytes(await its.scrypt(password, salt, { N: 16 }), scryptSync(password, salt, { N: 16 }), 'the key');
    expect(workers).toHaveLength(2);
    const { pool: failing } = localPool(2, () => true);
    await expect(failing.scrypt(password, salt, { N: 16 })).rejects.toThrow(
      'a worker ended while it worked (it ended with exit code 1), as did the one before it',
    );
    await Promise.all([its.close(), failing.close()]);
  });
});

describe('an end before the key is there', () => {
  const reason = new Error('enough');
  /** Takes many slices. */
  const slow = { N: 2 ** 16 };

  it('by a signal, in a worker of the host', async () => {
    await expect(pool.scrypt(password, salt, { ...slow, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const derived = pool.scrypt(password, salt, {
      ...slow,
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await expect(derived).rejects.toBe(reason);
    // The worker is free for the next.
    expectBytes(await pool.scrypt(password, salt, { N: 16 }), scryptSync(password, salt, { N: 16 }), 'the next');
  });

  it('wipes memory and keys, and the derivation that waits is not begun', async () => {
    const { pool: its, workers } = localPool(1);
    const memories = watched();
    const controller = new AbortController();
    const { signal } = controller;
    let progress = 0;
    const derived = [
      its.scrypt(password, salt, { ...slow, signal, onProgress: (part) => void (progress = part) }),
      its.scrypt(password, salt, { ...slow, signal }),
    ];
    await until(() => progress > 0);
    controller.abort(reason);
    for (const one of derived) await expect(one).rejects.toBe(reason);
    await until(() => [...memories].every(isWiped));
    expect(progress).toBeLessThan(1);
    expect(memories.size).toBe(1);
    const secrets = workers[0].ordersOf('open').flatMap((order) => order.secrets);
    expect(secrets.map((bytes) => [bytes.length, bytes.some(Boolean)])).toEqual([
      [20, false],
      [16, false],
      [20, false],
      [16, false],
    ]);
    await its.close();
  });

  it('by the end of the pool, with and without workers', async () => {
    for (const its of [localPool(1).pool, refusing()]) {
      let isClosed: Promise<void> | undefined;
      const derived = its.scrypt(password, salt, { ...slow, onProgress: () => void (isClosed ??= its.close()) });
      await expect(derived).rejects.toThrow('the pool was closed while it worked');
      await isClosed;
    }
  });

  it('leaves no key in a worker after its work either', async () => {
    const { pool: its, workers } = localPool(1);
    const memories = watched();
    await its.scrypt(password, salt, { N: 64 });
    await until(() => [...memories].every(isWiped));
    expect(workers[0].ordersOf('open')[0].secrets.map((bytes) => bytes.some(Boolean))).toEqual([false, false]);
    await its.close();
  });
});
