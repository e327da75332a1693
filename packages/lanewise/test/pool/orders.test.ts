/** Faults between a pool and its caller, and in the messages between a pool and its workers. */
import type { Report } from '../../src/pool/protocol.ts';
import { describe, expect, it } from 'vitest';
import { crew, ended, make, open, resetCrew, started } from '../support/crew.ts';
import { FakeWorker, settled } from '../support/fake-worker.ts';

const NO_WORKER = 'no worker could be started';

resetCrew();

describe('close', () => {
  it('is waited for until the worker has ended', async () => {
    const session = await started();
    crew.workers[0].obedient();
    let end: (() => void) | undefined;
    crew.workers[0].terminate = () => new Promise<void>((resolve) => (end = resolve));
    let closed = false;
    const closing = crew.pool.close().then(() => (closed = true));
    await settled();
    expect([closed, typeof end]).toEqual([false, 'function']);
    end!();
    await closing;
    expect(await ended(session.run('a'))).toBe('the pool was closed while it worked');
  });

  it('within `spawn`', async () => {
    make({}, () => {
      void crew.pool.close();
      return new FakeWorker();
    });
    const job = ended(open().run('a'));
    expect(await job).toBe('the pool was closed while it worked');
    await crew.pool.close();
    expect(crew.workers[0].terminated).toBe(true);
  });

  it('tells the session, and wipes its key', async () => {
    const key = Uint8Array.of(1, 2, 3);
    make();
    const session = open(key);
    await crew.pool.close();
    expect(session.signal.aborted).toBe(true);
    expect((session.signal.reason as Error).message).toBe('the pool was closed while it worked');
    expect([...key]).toEqual([0, 0, 0]);
  });

  it('wipes keys even if a worker cannot be told', async () => {
    const key = Uint8Array.of(1, 2, 3);
    make();
    const session = open(key);
    void session.run('a').catch(() => undefined);
    crew.workers[0].hello();
    void session.run('b').catch(() => undefined);
    crew.workers[0].refuse = () => new Error('Worker has been terminated');
    session.close();
    await crew.pool.close();
    expect([...key]).toEqual([0, 0, 0]);
    expect(crew.workers[0].terminated).toBe(true);
  });
});

describe('`spawn`', () => {
  const attempt = async (spawn: () => unknown): Promise<unknown> => {
    make({ spawn: spawn as never });
    return ended(open().run('a'));
  };

  it('that throws', async () => {
    const mistake = new TypeError('Worker is not a constructor');
    expect(
      await attempt(() => {
        throw mistake;
      }),
    ).toBe(mistake.message);
    expect(crew.pool.describe().reason).toBeUndefined();
  });

  it('that the host refuses', async () => {
    expect(
      await attempt(() => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }),
    ).toEqual({ job: 'a' });
    expect(crew.pool.describe()).toMatchObject({ parallel: false, reason: `${NO_WORKER}: The operation is insecure.` });
  });

  it('that gives something else', async () => {
    const wanted = '"spawn" expected function that gives a Worker, got one that gives ';
    expect(await attempt(() => undefined)).toMatch(wanted);
    expect(await attempt(() => Promise.resolve())).toMatch(wanted);
    const deaf = { postMessage: () => undefined, terminate: () => undefined };
    expect(await attempt(() => deaf)).toMatch(wanted);
  });

  it('that gives one worker twice', async () => {
    const worker = new FakeWorker();
    make({ threads: 2 }, () => worker);
    const session = open();
    expect(await ended(Promise.all(['a', 'b', 'c'].map((job) => session.run(job))))).toBe(
      '"spawn" expected function that gives a new Worker each time, got one that gives the same again',
    );
  });

  it('that gives a worker of another version', async () => {
    make();
    const job = open().run('a');
    crew.workers[0].tell({ type: 'hello', protocol: 0 });
    expect(await job).toEqual({ job: 'a' });
    expect(crew.workers[0].terminated).toBe(true);
    expect(crew.pool.describe().reason).toBe(`${NO_WORKER}: it imports lanewise/worker.js of another version`);
  });
});

describe('messages', () => {
  it.each([
    null,
    5,
    'done',
    {},
    { lanewise: 5 },
    { lanewise: {} },
    { lanewise: { type: 'done' } },
    { lanewise: { type: 'done', task: 'a' } },
    { lanewise: { type: 'bye' } },
    { lanewise: { type: 'undone', task: 1e9 } },
    { lanewise: { type: 'hello', protocol: 2 } },
  ])("%o of the worker's own code is left to it", async (message) => {
    const session = await started();
    const job = session.run('a');
    crew.workers[0].emit('message', message);
    expect(crew.workers[0].held).toBe(true);
    for (const order of crew.workers[0].orders) crew.workers[0].obey(order);
    expect(await job).toMatchObject({ job: 'a' });
  });

  it('an answer that is none ends the worker', async () => {
    const session = await started();
    const job = session.run('a', Uint8Array.of(1));
    const [{ task }] = crew.workers[0].ordersOf('run').slice(-1);
    crew.workers[0].emit('message', {
      lanewise: { type: 'done', task, answer: 1, input: 'x', memory: 'x' } as unknown as Report,
    });
    crew.workers.at(-1)!.obedient();
    await settled();
    expect(await job).toBeDefined();
  });

  it('that cannot be posted reject their job', async () => {
    const session = await started();
    const job = ended(session.run(() => 'a function'));
    expect(await job).toMatch(/could not be cloned|clone/);
    const next = session.run('b');
    for (const order of crew.workers[0].orders) crew.workers[0].obey(order);
    expect(await next).toMatchObject({ job: 'b' });
    expect(crew.workers[0].held).toBe(false);
  });

  it.runIf(typeof SharedArrayBuffer === 'function')('shared memory that cannot be posted is copied', async () => {
    const session = await started();
    crew.workers[0].refuse = (order) =>
      order.type === 'run' && order.input?.buffer instanceof SharedArrayBuffer
        ? new DOMException('#<SharedArrayBuffer> could not be cloned.', 'DataCloneError')
        : undefined;
    const job = session.run('a', new Uint8Array(new SharedArrayBuffer(5)));
    for (const order of crew.workers[0].orders) crew.workers[0].obey(order);
    expect(await job).toMatchObject({ job: 'a', bytes: 5 });
  });
});

describe('memory', () => {
  it('that comes back is kept for as many jobs as there may be, and no more', async () => {
    make({}, () => new FakeWorker().obedient());
    const session = open();
    await session.run('first');
    const [worker] = crew.workers;
    const copies: Uint8Array[] = [];
    worker.tell = (report) => {
      const { input } = worker.ordersOf('run').at(-1)!;
      if (input) copies.push(input);
      // Under both names that it may have.
      const back = { input, memory: input };
      worker.emit('message', { lanewise: { ...report, ...(report.type === 'done' && back) } });
    };
    const left = (): number => copies.filter((copy) => copy.some((byte) => byte !== 0)).length;
    for (let length = 1; length <= 100; length++) await session.run('a', new Uint8Array(length).fill(1));
    expect(copies).toHaveLength(100);
    expect(left()).toBeLessThanOrEqual(4);
    session.close();
    expect(left()).toBe(0);
  });

  it('of a source that is taken away while a job waits: an error', async () => {
    make();
    const session = open();
    const waits = session.run('first', Uint8Array.of(1));
    const bytes = new Uint8Array(100);
    const job = ended(session.run('a', bytes));
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    crew.workers[0].obedient();
    await waits;
    expect(await job).toBe('"source" expected Uint8Array, got one whose buffer is detached or too short');
  });
});
