/** Sources and callers that end early, change their minds, or break their promises: the hash is right, or there is an error. */
import { afterAll, describe, expect, it } from 'vitest';
import { blake3 } from '../../src/blake3.ts';
import { subtrees } from '../../src/blake3/jobs.ts';
import { inOrder } from '../../src/work/in-order.ts';
import { memoryOf } from '../../src/work/threads.ts';
import { isShared } from '../../src/engine/intrinsics.ts';
import { createPool, type Pool } from '../../src/pool.ts';
import { sample } from '../support/bytes.ts';
import { ended } from '../support/crew.ts';
import { FakeWorker } from '../support/fake-worker.ts';

const MiB = 1_048_576;
const key = sample(32, 1);
const message = new Uint8Array(34 * MiB + 5).fill(3);
const digest = blake3(message);

/** A pool without workers: work on the caller's thread has no other way out. */
const noWorkers = (): Pool =>
  createPool({
    threads: 2,
    threshold: 12 * MiB,
    spawn: () => {
      throw new DOMException('no workers here', 'SecurityError');
    },
  });
const pools = { 'with workers': createPool({ threads: 2, threshold: 12 * MiB }), 'without workers': noWorkers() };
afterAll(() => Promise.all(Object.values(pools).map((pool) => pool.close())));
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A source that tells how it ended. `then` runs after its bytes. */
function watched(bytes: Uint8Array, then: 'end' | 'wait' | 'throw' = 'end') {
  const its = {
    ended: false,
    given: 0,
    async *[Symbol.asyncIterator]() {
      try {
        for (let at = 0; at < bytes.length; at += MiB) {
          its.given++;
          yield bytes.subarray(at, at + MiB);
        }
        if (then === 'throw') throw new Error('disk on fire');
        if (then === 'wait') await turn();
      } finally {
        its.ended = true;
      }
    },
  };
  return its;
}
/** A stream that gives some bytes, then nothing, and tells its cancellation. */
function waiting(bytes: Uint8Array): { stream: ReadableStream<Uint8Array>; cancelled: unknown[] } {
  const cancelled: unknown[] = [];
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += MiB) controller.enqueue(bytes.slice(at, at + MiB));
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  return { stream, cancelled };
}

describe.each(Object.entries(pools))('%s', (_, pool) => {
  it('a source that gives no bytes, and whose end never comes, is an error', async () => {
    const source = { next: () => Promise.resolve({ value: 'text' as never, done: false as const }) };
    const never = new Promise<never>(() => undefined);
    const hashing = pool.blake3({ [Symbol.asyncIterator]: () => ({ ...source, return: () => never }) });
    // If it hangs, the limit of the test says so.
    await expect(hashing).rejects.toThrow('"chunk" expected Uint8Array');
  });

  it.each([3 * MiB, 34 * MiB])('`onProgress` that throws ends the source, of %i bytes', async (length) => {
    const source = watched(message.subarray(0, length));
    const error = new Error('no more');
    let calls = 0;
    const hashing = pool.blake3(source, {
      onProgress: () => {
        calls++;
        throw error;
      },
    });
    await expect(hashing).rejects.toBe(error);
    await turn();
    expect([source.ended, calls]).toEqual([true, 1]);
  });

  it('`onProgress` that throws undefined', async () => {
    const hashing = pool.blake3(message.subarray(0, 3 * MiB), {
      onProgress: () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- as callers may
        throw undefined;
      },
    });
    expect(
      await hashing.then(
        () => 'a digest',
        (reason: unknown) => reason,
      ),
    ).toBeUndefined();
  });

  it('`onProgress` that throws while the source waits', async () => {
    const { stream, cancelled } = waiting(message.subarray(0, 3 * MiB));
    const error = new Error('no more');
    const hashing = pool.blake3(stream, {
      onProgress: () => {
        throw error;
      },
    });
    await expect(hashing).rejects.toBe(error);
    await turn();
    expect(cancelled).toEqual([error]);
  });

  it('`onProgress` that starts another hash', async () => {
    const others: Promise<Uint8Array>[] = [];
    await pool.blake3(message, {
      onProgress(done) {
        if (done % (16 * MiB) === 0) others.push(pool.blake3(message));
      },
    });
    expect(others).toHaveLength(2);
    for (const other of await Promise.all(others)) expect(other).toEqual(digest);
  });

  it('a signal while the source waits', async () => {
    const { stream, cancelled } = waiting(message.subarray(0, 3 * MiB));
    const controller = new AbortController();
    const hashing = pool.blake3(stream, { signal: controller.signal });
    await turn();
    controller.abort('enough');
    await expect(hashing).rejects.toBe('enough');
    await turn();
    expect(cancelled).toEqual(['enough']);
  });

  it.each([3 * MiB, 34 * MiB])('a signal ends progress and source, of %i bytes', async (length) => {
    const source = watched(message.subarray(0, length), 'wait');
    const controller = new AbortController();
    const told: number[] = [];
    const onProgress = (done: number): void => {
      told.push(done);
      controller.abort('enough');
    };
    await expect(pool.blake3(source, { signal: controller.signal, onProgress })).rejects.toBe('enough');
    for (let i = 0; i < 10; i++) await turn();
    expect(told).toEqual([MiB]);
    expect(source.ended).toBe(true);
    expect(source.given).toBeLessThan(20);
  });

  it('an error of the source comes after all that it gave', async () => {
    const told: number[] = [];
    const hashing = pool.blake3(watched(message, 'throw'), { onProgress: (done) => void told.push(done) });
    await expect(hashing).rejects.toThrow(/^disk on fire$/);
    expect(told.at(-1)).toBe(34 * MiB);
  });

  it('memory that is transferred away meanwhile', async () => {
    const own = message.slice();
    const hashing = ended(pool.blake3(own));
    await turn();
    structuredClone(own.buffer, { transfer: [own.buffer] });
    const result = await hashing;
    if (result instanceof Uint8Array) expect(result).toEqual(digest);
    else expect(result).toMatch(/detached|was it transferred/);
  });

  it('what `read` gives may be of another realm', async () => {
    const foreign = typeof document === 'undefined' ? undefined : document.createElement('iframe');
    if (foreign) document.body.append(foreign);
    const Foreign = (foreign?.contentWindow as unknown as typeof globalThis | undefined)?.Uint8Array ?? Uint8Array;
    const read = (from: number, to: number): Uint8Array => new Foreign(to - from).fill(3);
    expect(await pool.blake3({ size: message.length, read })).toEqual(digest);
    foreign?.remove();
  });
});

describe('a pool that is closed', () => {
  const closings = {
    'while a source waits': (pool: Pool) => {
      const { stream } = waiting(message.subarray(0, 3 * MiB));
      setTimeout(() => void pool.close());
      return pool.blake3(stream, { key });
    },
    'while the first bytes are read': (pool: Pool) =>
      pool.blake3(
        { size: 5, read: (from: number, to: number) => pool.close().then(() => message.slice(from, to)) },
        { key },
      ),
    'while bytes are read': (pool: Pool) =>
      pool.blake3(
        {
          size: 3 * MiB,
          read: (from: number, to: number) =>
            (from ? pool.close() : Promise.resolve()).then(() => message.slice(from, to)),
        },
        { key },
      ),
    'in `onProgress`': (pool: Pool) =>
      pool.blake3(message.subarray(0, 3 * MiB), { key, onProgress: () => void pool.close() }),
    'at the last bytes': (pool: Pool) =>
      pool.blake3(message, { key, onProgress: (done) => void (done === message.length && pool.close()) }),
  };
  const made = { 'with workers': () => createPool({ threads: 1, threshold: 12 * MiB }), 'without workers': noWorkers };
  const cases = Object.entries(closings).flatMap(([when, hash]) =>
    Object.entries(made).map(([how, make]) => ({ when, how, hash, make })),
  );
  it.each(cases)('$when, $how: an error, or the right digest', async ({ hash, make }) => {
    const pool = make();
    const result = await ended(hash(pool));
    if (result instanceof Uint8Array) expect(result).toEqual(blake3(message, { key }));
    else expect(result).toBe('the pool was closed while it worked');
    await pool.close();
  });
});

describe('jobs in order', () => {
  const rejections: unknown[] = [];
  const onRejection = (event: { reason: unknown; preventDefault(): void }): void => {
    rejections.push(event.reason);
    event.preventDefault();
  };
  const job = (value: number) => () => Promise.resolve(value);

  it("an error of the source waits for the answers before it, and is nobody else's", async () => {
    const web = typeof addEventListener === 'function' && typeof document !== 'undefined';
    if (web) addEventListener('unhandledrejection', onRejection as never);
    async function* source() {
      yield job(1);
      yield job(2);
      await turn();
      throw new Error('no more');
    }
    const got: number[] = [];
    const reading = (async () => {
      for await (const value of inOrder(3, source())) {
        got.push(value);
        // The source fails meanwhile.
        await turn();
        await turn();
      }
    })();
    expect(await ended(reading)).toBe('no more');
    expect(got).toEqual([1, 2]);
    await turn();
    expect(rejections).toEqual([]);
    if (web) removeEventListener('unhandledrejection', onRejection as never);
  });

  it('a reader that stops ends the source', async () => {
    let left = false;
    async function* source() {
      try {
        for (let i = 0; ; i++) yield job(i);
      } finally {
        left = true;
        await turn();
      }
    }
    for await (const value of inOrder(3, source())) if (value === 4) break;
    await turn();
    expect(left).toBe(true);
  });

  it('a reader that waits: no more jobs are started than there is room for', async () => {
    let started = 0;
    async function* source() {
      for (;;) {
        await Promise.resolve();
        yield () => {
          started++;
          return Promise.resolve(new Uint8Array(10));
        };
      }
    }
    const answers = inOrder(3, source());
    await answers.next();
    for (let i = 0; i < 10; i++) await turn();
    expect(started).toBeLessThanOrEqual(4);
    await answers.return();
  });
});

/** Whether threads share memory that is posted: WebKitGTK posts a copy. */
const posted = structuredClone(memoryOf(1));

describe.runIf(isShared(posted))('memory of a stream', () => {
  /** A pool with one worker, which does nothing but open sessions. */
  const hold = (): [FakeWorker, Pool] => {
    const worker = new FakeWorker();
    const pool = createPool({
      threads: 1,
      threshold: 12 * MiB,
      spawn: () => worker.obedient({ kinds: [subtrees], except: ['run', 'end'] }),
    });
    return [worker, pool];
  };

  it.each(['end', 'wait', 'throw'] as const)('is wiped: a source that does `%s`', async (then) => {
    const [worker, pool] = hold();
    const hashing = ended(pool.blake3(watched(message, then)));
    while (worker.ordersOf('run').length < 1) await turn();
    for (let i = 0; i < 20; i++) await turn();
    const inputs = worker.ordersOf('run').map(({ input }) => input!);
    expect(inputs.every(({ buffer }) => !(buffer instanceof ArrayBuffer))).toBe(true);
    const closing = pool.close();
    worker.tell({ type: 'bye' });
    expect(await hashing).toBe('the pool was closed while it worked');
    await closing;
    await turn();
    for (const input of inputs) expect(input.every((byte) => byte === 0)).toBe(true);
  });

  it('is wiped when all is done', async () => {
    const [worker, pool] = hold();
    const hashing = pool.blake3(watched(message));
    const inputs: Uint8Array[] = [];
    let done = 0;
    const serve = async (): Promise<void> => {
      for (; done < worker.orders.length; done++) {
        const order = worker.orders[done];
        if (order.type === 'run' && order.input) inputs.push(order.input);
        if (order.type === 'run') worker.obey(order, [subtrees]);
      }
      await turn();
    };
    const result = ended(hashing);
    let over = false;
    void result.then(() => (over = true));
    while (!over) await serve();
    expect(await result).toEqual(digest);
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) expect(input.every((byte) => byte === 0)).toBe(true);
    const closing = pool.close();
    worker.tell({ type: 'bye' });
    await closing;
  });
});
