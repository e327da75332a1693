/** Argon2's lanes on the workers of a pool: the key of one thread, an end at any time, and memory that is wiped. */
// Needs workers: a request handler has none, and no memory that threads share.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import {
  argon2d,
  argon2dSync,
  argon2i,
  argon2id,
  argon2idSync,
  argon2iSync,
  hashPassword,
  lanesOn,
  verifyPassword,
  type Argon2Options,
} from '../../src/argon2.ts';
import { lanes as jobs } from '../../src/argon2/jobs.ts';
import { ACTIVE, ZERO } from '../../src/argon2/map.ts';
import { createPool, type Pool, type WorkerLike } from '../../src/pool.ts';
import type { JobKind } from '../../src/work/threads.ts';
import { expectBytes, hex, refusal, sample, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { FakeWorker } from '../support/fake-worker.ts';
import { until } from '../support/turns.ts';

const real = createPool({ threads: 2 });
afterAll(() => real.close());
afterEach(() => {
  vi.restoreAllMocks();
});
const [password, salt] = [sample(20, 1), sample(16, 2)];
const FUNCTIONS = { d: [argon2d, argon2dSync], i: [argon2i, argon2iSync], id: [argon2id, argon2idSync] } as const;

/** A pool of workers that are objects of this thread. */
function local(
  threads: number,
  kinds: JobKind[] = [jobs],
  made: (worker: FakeWorker) => void = () => undefined,
  dies: (worker: number, job: number) => boolean = () => false,
): { pool: Pool; workers: FakeWorker[]; runs: () => number; memories: () => Uint8Array[] } {
  const workers: FakeWorker[] = [];
  const spawn = (): WorkerLike => {
    const number = workers.length;
    const worker = new FakeWorker().obedient({ kinds, dies: (job) => dies(number, job) });
    made(worker);
    workers.push(worker);
    return worker;
  };
  const opened = () => workers.flatMap((worker) => worker.ordersOf('open'));
  return {
    pool: createPool({ threads, spawn }),
    workers,
    runs: () => workers.flatMap((worker) => worker.ordersOf('run')).length,
    memories: () =>
      opened().map(({ parameters }) => new Uint8Array((parameters as { memory: WebAssembly.Memory }).memory.buffer)),
  };
}
/** All but the words that threads agree by, which hold numbers of jobs. */
const isWiped = (memory: Uint8Array): boolean => memory.subarray(ZERO).every((byte) => byte === 0);

/** The workers of {@link local} clone each order. WebKitGTK clones no shared memory, not even for a page's own workers. */
const LACKING = 'this host does not clone memory that threads share';
const clones = (() => {
  try {
    return !!structuredClone(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }));
  } catch {
    return false;
  }
})();

const { tests } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors/argon2.json'), 'utf8')) as {
  tests: Record<'function' | 'password' | 'salt' | 'secret' | 'ad' | 'tag' | 'version' | 't' | 'm' | 'p', never>[];
};

onEachEngine((engine) => {
  it.each([
    ['id', { t: 3, m: 64, p: 2 }],
    ['id', { t: 2, m: 300, p: 4 }],
    ['id', { t: 2, m: 999, p: 7, dkLen: 100 }],
    ['i', { t: 2, m: 100, p: 4 }],
    ['d', { t: 2, m: 100, p: 4, version: 0x10 }],
    ['id', { t: 1, m: 16, p: 1, secret: sample(8, 3), ad: sample(9, 4) }],
    ['id', { t: 1, m: 320, p: 20 }],
  ] as [keyof typeof FUNCTIONS, Argon2Options][])('Argon2%s with %o: the key of one thread', async (kind, options) => {
    const [derive, atOnce] = FUNCTIONS[kind];
    const its = local(2);
    const key = await derive(password, salt, { ...options, lanes: lanesOn(its.pool) });
    expectBytes(key, atOnce(password, salt, options), 'the key');
    expect(its.memories().every(isWiped)).toBe(true);
    await its.pool.close();
    // Segments of these lengths are a job each, and so is the wiping of a lane; the js engine has no memory to share.
    const { t, p } = options as { t: number; p: number };
    if (engine === 'js') expect(its.runs()).toBe(0);
    else if (clones) expect(its.runs()).toBe(4 * t * p + p);
    else expect(its.memories()).toEqual([]);
  });
});

it('is RFC 9106, on workers of the host', async () => {
  const lanes = lanesOn(real);
  // Those with a secret and associated data are of four lanes.
  const theirs = tests.filter(({ secret }) => secret);
  expect(theirs.length).toBeGreaterThanOrEqual(3);
  for (const { function: name, password: its, salt: itsSalt, secret, ad, tag, version, t, m, p } of theirs) {
    const [derive] = FUNCTIONS[(name as string).slice(6) as 'id'];
    const inputs = { secret: unhex(secret), ad: unhex(ad), lanes };
    expect(hex(await derive(unhex(its), unhex(itsSalt), { version, t, m, p, ...inputs }))).toBe(tag);
  }
});

it('segments of several jobs, many derivations at a time, and a password', async () => {
  const lanes = lanesOn(real);
  const options = { t: 2, m: 40_000, p: 2 };
  const one = argon2idSync(password, salt, options);
  const told: number[] = [];
  const onProgress = (part: number): void => void told.push(part);
  const keys = await Promise.all([
    argon2id(password, salt, { ...options, lanes, onProgress }),
    argon2id(password, salt, { ...options, lanes }),
  ]);
  for (const key of keys) expectBytes(key, one, 'the key');
  // Memory that was used before is the same as fresh memory.
  expectBytes(await argon2id(password, salt, { ...options, lanes }), one, 'the key');
  // As many as there are jobs; one thread reports its slices.
  if (clones) expect(told).toHaveLength(32);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBe(1);
  const stored = await hashPassword('correct horse', { t: 1, m: 64, p: 4, lanes });
  expect(await verifyPassword('correct horse', stored)).toBe(true);
  expect(await verifyPassword('correct house', stored, { lanes })).toBe(false);
}, 120_000);

it('reads its arguments at once, and refuses wrong ones', async () => {
  const { pool } = local(1);
  const lanes = lanesOn(pool);
  const own = password.slice();
  const derived = argon2id(own, salt, { t: 1, m: 64, p: 2, lanes });
  own.fill(0);
  expectBytes(await derived, argon2idSync(password, salt, { t: 1, m: 64, p: 2 }), 'the key');
  for (const [wrong, type] of [
    [pool, 'Object'],
    [{ pool }, 'Object'],
    [1, 'number'],
    [null, 'null'],
  ])
    expect(refusal(() => void argon2id(password, salt, { lanes: wrong as never }))).toBe(
      `TypeError: "lanes" expected the result of lanesOn(pool), got type=${type as string}`,
    );
  expect(refusal(() => void lanesOn({} as never))).toMatch(/^TypeError: "pool" expected what createPool\(\)/);
  expect(refusal(() => void argon2idSync(password, salt, { lanes } as never))).toContain('without Sync takes it');
  expect(refusal(() => void argon2id(password, salt, { pool } as never))).toContain('it is lanes: lanesOn(pool)');
  await pool.close();
  expect(refusal(() => void lanesOn(pool))).toMatch(/^Error: cannot use a pool after close/);
  await expect(argon2id(password, salt, { lanes })).rejects.toThrow('cannot use a pool after close');
});

it('one thread does all where workers cannot: too many lanes, memory that cannot be posted, a job that was begun, none at all', async () => {
  const options = { t: 2, m: 168, p: 21 };
  const many = local(1);
  const key = await argon2id(password, salt, { ...options, lanes: lanesOn(many.pool) });
  expectBytes(key, argon2idSync(password, salt, options), '21 lanes');
  expect(many.runs()).toBe(0);
  const few = { t: 2, m: 64, p: 4 };
  const one = argon2idSync(password, salt, few);
  const posted = (worker: FakeWorker): void =>
    void (worker.refuse = ({ type }) => (type === 'open' ? new DOMException('no', 'DataCloneError') : undefined));
  const begun: JobKind = { kind: 'argon2', open: () => ({ run: () => false, wipe: () => undefined }) };
  const none = createPool({
    spawn: () => {
      throw new DOMException('no workers here', 'SecurityError');
    },
  });
  const pools = [local(1, [jobs], posted).pool, local(2, [begun]).pool, none, many.pool];
  // A worker that ends before it begins its third job: another does it.
  pools.push(local(1, [jobs], undefined, (worker, job) => worker === 0 && job === 3).pool);
  // All workers end.
  pools.push(local(2, [jobs], undefined, () => true).pool);
  for (const pool of pools) {
    expectBytes(await argon2id(password, salt, { ...few, lanes: lanesOn(pool) }), one, 'the key');
    await pool.close();
  }
});

it('a job is not done twice, because half of it may be done', async ({ skip }) => {
  skip(!clones, LACKING);
  const answers: unknown[] = [];
  const twice: JobKind = {
    kind: 'argon2',
    open(parameters, secrets) {
      const handler = jobs.open(parameters, secrets);
      return {
        run(job, input) {
          const answer = handler.run(job, input);
          answers.push(answer, handler.run(job, input));
          return answer;
        },
        wipe: () => handler.wipe(),
      };
    },
  };
  const { pool } = local(1, [twice]);
  const options = { t: 2, m: 64, p: 2 };
  const key = await argon2id(password, salt, { ...options, lanes: lanesOn(pool) });
  expectBytes(key, argon2idSync(password, salt, options), 'the key');
  expect(answers).toEqual(Array.from({ length: 36 }, (_, i) => i % 2 === 0));
  await pool.close();
});

it('an end by a signal, an error of onProgress or the end of the pool: all is wiped, and no job begins', async ({
  skip,
}) => {
  skip(!clones, LACKING);
  const reason = new Error('enough');
  const fail = (): never => {
    throw reason;
  };
  const slow = { t: 50, m: 256, p: 4 };
  const ends: [string, (its: ReturnType<typeof local>, controller: AbortController) => Argon2Options][] = [
    ['enough', (_, controller) => ({ onProgress: () => controller.abort(reason) })],
    ['enough', () => ({ onProgress: fail })],
    ['the pool was closed while it worked', (its) => ({ onProgress: () => void its.pool.close() })],
  ];
  for (const [message, options] of ends) {
    const its = local(2);
    const controller = new AbortController();
    const { signal } = controller;
    const call = { ...slow, ...options(its, controller), signal, lanes: lanesOn(its.pool) };
    await expect(argon2id(password, salt, call)).rejects.toThrow(message);
    expect(its.memories().length).toBeGreaterThan(0);
    expect(its.memories().every(isWiped), message).toBe(true);
    const runs = its.runs();
    expect(runs).toBeLessThan(100);
    // Jobs in the queues of workers leave nothing in the memory.
    await its.pool.close();
    expect(its.memories().every(isWiped)).toBe(true);
  }
  const { pool, runs } = local(1);
  await expect(argon2id(password, salt, { signal: AbortSignal.abort(reason), lanes: lanesOn(pool) })).rejects.toBe(
    reason,
  );
  expect(runs()).toBe(0);
  await pool.close();
});

it('a worker that never ends its job is not waited for, even where the clock stands still', async ({ skip }) => {
  skip(!clones, LACKING);
  vi.spyOn(Date, 'now').mockReturnValue(0);
  vi.spyOn(performance, 'now').mockReturnValue(0);
  let isBegun = false;
  const stuck: JobKind = {
    ...jobs,
    open: (told) => ({
      run() {
        isBegun = true;
        Atomics.add(new Int32Array((told as { memory: WebAssembly.Memory }).memory.buffer), ACTIVE, 1);
        return new Promise<never>(() => undefined);
      },
      wipe: () => undefined,
    }),
  };
  const { pool } = local(1, [stuck]);
  const [reason, controller] = [new Error('enough'), new AbortController()];
  const derived = argon2id(password, salt, { t: 1, m: 64, p: 2, lanes: lanesOn(pool), signal: controller.signal });
  derived.catch(() => undefined);
  await until(() => isBegun);
  controller.abort(reason);
  await expect(derived).rejects.toBe(reason);
  await pool.close();
}, 120_000);

it('an end by a signal in workers of the host', async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  let isBegun = false;
  const derived = argon2id(password, salt, {
    ...{ t: 1000, m: 4096, p: 4 },
    onProgress: () => void (isBegun = true),
    signal: controller.signal,
    lanes: lanesOn(real),
  });
  derived.catch(() => undefined);
  await until(() => isBegun);
  controller.abort(reason);
  await expect(derived).rejects.toBe(reason);
  const options = { t: 1, m: 64, p: 2 };
  // The workers are free for the next.
  expectBytes(
    await argon2id(password, salt, { ...options, lanes: lanesOn(real) }),
    argon2idSync(password, salt, options),
    'the next',
  );
}, 120_000);
