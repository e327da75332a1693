/** Faults in the lives of a pool's workers, one fault at a time, with workers that do as the test says. */
import { describe, expect, it, vi } from 'vitest';
import { crew, ended, make, open, resetCrew, started } from '../support/crew.ts';
import { settled } from '../support/fake-worker.ts';

resetCrew();

const NO_WORKER = 'no worker could be started';

describe('a worker that ends', () => {
  it('has its jobs done by another one, in their order, under the same key', async () => {
    const session = await started();
    const jobs = ['a', 'b', 'c', 'd'].map((job) => session.run(job));
    crew.workers[0].die();
    crew.workers[1].obedient();
    expect(await Promise.all(jobs)).toMatchObject(['a', 'b', 'c', 'd'].map((job) => ({ job })));
    expect(crew.workers[1].ordersOf('run').map(({ job }) => job)).toEqual(['a', 'b', 'c', 'd']);
    expect(crew.workers[1].ordersOf('open').map(({ secrets }) => [...secrets[0]])).toEqual([[7]]);
  });

  it('twice: the jobs fail, with an error that says so; later jobs do not', async () => {
    const session = await started();
    const job = ended(session.run('a'));
    for (const at of [0, 1]) {
      crew.workers[at].hello();
      await settled();
      crew.workers[at].tell({ type: 'failed', reason: 'out of memory' });
    }
    expect(await job).toBe('a worker ended while it worked (out of memory), as did the one before it');
    expect(crew.workers.map(({ terminated }) => terminated)).toEqual([true, true]);
    const next = session.run('b');
    crew.workers[2].obedient();
    expect(await next).toMatchObject({ job: 'b' });
  });

  it('does not have its jobs done if their session was closed', async () => {
    const session = await started();
    const job = ended(session.run('a'));
    session.close();
    expect(await job).toBe('the work was given up');
    crew.workers[0].die();
    await settled();
    const other = open(Uint8Array.of(9)).run('b');
    crew.workers[1].obedient();
    await other;
    expect(crew.workers[1].ordersOf('run').map(({ job }) => job)).toEqual(['b']);
    expect(crew.workers[1].ordersOf('open')).toHaveLength(1);
  });

  it('before it has said hello: others are started if there was one that did', async () => {
    const session = await started();
    crew.workers[0].die();
    const job = session.run('a');
    crew.workers[1].die();
    await job;
    expect(crew.pool.describe().reason).toBeUndefined();
    const next = session.run('b');
    crew.workers[2].obedient();
    await next;
    expect(crew.pool.describe()).toMatchObject({ running: 1, parallel: true, reason: undefined });
  });

  it('before it has said hello, every time: no more are started', async () => {
    const session = await started();
    for (let i = 0; i < 20; i++) {
      const job = session.run(i);
      crew.workers.at(-1)!.die();
      await job;
    }
    expect(crew.workers.length).toBeLessThan(10);
    expect(crew.pool.describe()).toMatchObject({
      running: 0,
      parallel: false,
      reason: `${NO_WORKER}: it ended with exit code 1`,
    });
    expect(await session.run('b')).toEqual({ job: 'b' });
  });

  it('the first of several: the others are not given up', async () => {
    make({ threads: 3, idle: 10 });
    const session = open();
    const jobs = [1, 2, 3, 4].map((job) => session.run(job));
    crew.workers[0].die();
    crew.workers[1].hello();
    await settled();
    expect(crew.pool.describe()).toMatchObject({ running: 1, reason: undefined });
    crew.workers.slice(1).forEach((worker) => worker.obedient());
    for (const order of crew.workers[1].orders) crew.workers[1].obey(order);
    await Promise.all(jobs);
  });

  it('and says hello afterwards is not used', async () => {
    make();
    const job = open().run('a');
    crew.workers[0].emit('error', new Error('no such module'));
    crew.workers[0].hello();
    expect(await job).toEqual({ job: 'a' });
    expect(crew.pool.describe()).toMatchObject({ running: 0, parallel: false, reason: `${NO_WORKER}: no such module` });
  });
});

describe('a worker that says nothing', () => {
  it('at its start is given up after 10 seconds; until then the caller works, and the process may end', async () => {
    make({ threads: 2 });
    const session = open();
    await Promise.all([session.run('a'), session.run('b'), session.run('c')]);
    expect(crew.here).toEqual(['a', 'b', 'c']);
    expect(crew.workers.map(({ held }) => held)).toEqual([false, false]);
    expect(crew.pool.describe().reason).toBeUndefined();
    await vi.advanceTimersByTimeAsync(12_500);
    expect(crew.pool.describe()).toMatchObject({
      parallel: false,
      reason: `${NO_WORKER}: it did not say hello: does it import lanewise/worker.js?`,
    });
    expect(crew.workers.map(({ terminated }) => terminated)).toEqual([true, true]);
  });

  it('later is ended, and its jobs are done by another', async () => {
    const session = await started();
    const job = session.run('a');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(crew.workers[0].terminated).toBe(true);
    crew.workers[1].obedient();
    expect(await job).toMatchObject({ job: 'a' });
  });

  it('while this thread was held up, or the machine slept, is not ended', async () => {
    const session = await started();
    const job = session.run('a');
    await vi.advanceTimersByTimeAsync(2500);
    crew.workers[0].tell({ type: 'pong' });
    vi.setSystemTime(Date.now() + 3_600_000);
    // The timer is late; a message that the worker has sent meanwhile comes after it.
    await vi.advanceTimersByTimeAsync(2000);
    expect(crew.workers[0].terminated).toBe(false);
    for (const order of crew.workers[0].orders) crew.workers[0].obey(order);
    expect(await job).toMatchObject({ job: 'a' });
    expect(crew.workers).toHaveLength(1);
  });
});

describe('idle workers', () => {
  it('end after they have wiped their keys', async () => {
    const session = await started({ idle: 100 });
    crew.workers[0].obedient();
    await session.run('a');
    await vi.advanceTimersByTimeAsync(99);
    expect(crew.workers[0].ordersOf('end')).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(crew.workers[0].ordersOf('end')).toHaveLength(1);
    expect(crew.workers[0].terminated).toBe(true);
    const again = session.run('b');
    crew.workers[1].obedient();
    await again;
    expect(await session.run('c')).toEqual({ job: 'c', key: 7 });
  });

  it('that have not said hello yet may do so later', async () => {
    make({ idle: 0 });
    const session = open();
    expect(await session.run('a')).toEqual({ job: 'a' });
    await vi.advanceTimersByTimeAsync(100);
    expect(crew.pool.describe().reason).toBeUndefined();
    const again = session.run('b');
    crew.workers.at(-1)!.obedient();
    await again;
    expect(crew.pool.describe()).toMatchObject({ reason: undefined, running: 1 });
    await vi.advanceTimersByTimeAsync(100);
    expect(crew.pool.describe().running).toBe(0);
  });

  it('are not ended while there is work again, whatever was refused meanwhile', async () => {
    const session = await started({ idle: 100 });
    const closed = open();
    closed.close();
    await vi.advanceTimersByTimeAsync(50);
    expect(await ended(closed.run('x'))).toBe('the work was given up');
    const job = session.run('a');
    await vi.advanceTimersByTimeAsync(1000);
    expect(crew.workers[0].ordersOf('end')).toHaveLength(0);
    for (const order of crew.workers[0].orders) crew.workers[0].obey(order);
    expect(await job).toMatchObject({ job: 'a' });
  });

  it('that end when the pool is closed are waited for', async () => {
    await started({ idle: 100 });
    await vi.advanceTimersByTimeAsync(100);
    expect(crew.workers[0].ordersOf('end')).toHaveLength(1);
    let closed = false;
    const closing = crew.pool.close().then(() => (closed = true));
    await settled();
    expect(closed).toBe(false);
    crew.workers[0].tell({ type: 'bye' });
    await closing;
    expect(crew.workers[0].terminated).toBe(true);
  });

  it('that do not answer are ended within a second', async () => {
    await started();
    const closing = crew.pool.close();
    await vi.advanceTimersByTimeAsync(1000);
    await closing;
    expect(crew.workers[0].terminated).toBe(true);
  });

  it.each([2 ** 31, Number.MAX_SAFE_INTEGER])('stay if `idle` is %i', async (idle) => {
    await started({ idle });
    await vi.advanceTimersByTimeAsync(100_000);
    expect(crew.workers[0].orders.map(({ type }) => type)).not.toContain('end');
  });
});

describe('many calls', () => {
  /** How often the tasks of a session are looked at while n sessions are closed. */
  async function looksAt(n: number): Promise<number> {
    await started();
    let looks = 0;
    const sessions = Array.from({ length: n }, () => {
      const session = open();
      return { session, job: ended(session.run('job')) };
    });
    // eslint-disable-next-line @typescript-eslint/unbound-method -- put back as they were
    const { has, delete: remove } = Set.prototype;
    const indexOf = Array.prototype.indexOf;
    Set.prototype.has = function (...values) {
      looks++;
      return has.apply(this, values);
    };
    Set.prototype.delete = function (...values) {
      looks++;
      return remove.apply(this, values);
    };
    Array.prototype.indexOf = function (...values) {
      looks += this.length;
      return indexOf.apply(this, values);
    };
    const iterate = Set.prototype[Symbol.iterator];
    Set.prototype[Symbol.iterator] = function () {
      looks += this.size;
      return iterate.call(this);
    };
    try {
      for (const { session } of sessions) session.close();
    } finally {
      Object.assign(Set.prototype, { has, delete: remove, [Symbol.iterator]: iterate });
      Array.prototype.indexOf = indexOf;
    }
    for (const { job } of sessions) expect(await job).toBe('the work was given up');
    return looks;
  }

  it('are given up in a time that grows with their number, not with its square', async () => {
    const [few, many] = [await looksAt(100), await looksAt(400)];
    expect(few).toBeGreaterThan(100);
    expect(many / few).toBeLessThan(6);
  });
});

it('in Bun, which copies the bytes of a Blob that is posted, a part of it is posted', async () => {
  const session = await started();
  const blob = new Blob([new Uint8Array(1000)]);
  const range = { from: 100, to: 300, file: blob, read: () => Promise.resolve(new Uint8Array(200)) };
  const posted = () =>
    crew.workers[0].orders.flatMap((order) => {
      if (order.type !== 'run' || !order.range) return [];
      const { file, from, to } = order.range;
      return [[(file as Blob).size, from, to]];
    });
  const part = [200, 0, 200];
  void session.run('job', range);
  const first = 'Bun' in globalThis ? part : [1000, 100, 300];
  expect(posted()).toEqual([first]);
  if (first === part) return;
  vi.stubGlobal('Bun', {});
  try {
    void session.run('job', range);
    expect(posted()).toEqual([first, part]);
  } finally {
    vi.unstubAllGlobals();
  }
});
