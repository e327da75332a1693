/**
 * Sessions with engines that hang, crash, send garbage or start other processes: each ends, gives the reason, and
 * leaves nothing behind.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Message, Task } from '../src/client/messages.ts';
import { engines } from '../src/engines/all.ts';
import { browserEngine } from '../src/engines/browser-engine.ts';
import type { Engine, SessionOptions } from '../src/engines/engine.ts';
import { strays } from '../../runtimes/src/processes.ts';
import { runtimeEngine } from '../src/engines/runtime.ts';

const stub = (name: string): string => join(import.meta.dirname, 'engines', name);
const scratch = mkdtempSync(join(tmpdir(), 'lanewise-lab-test-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Node as an engine whose client is a program. */
const runtime = runtimeEngine({ id: 'stub', name: 'Stub', origin: { path: process.execPath }, settings: {} });

/** Node in the role of a browser: it loads the page's program and its imports from the server, as a page would. */
const browser = browserEngine({
  id: 'chromium',
  name: 'Stub browser',
  candidates: [process.execPath],
  howToGet: 'nowhere',
  needsDisplay: false,
  settings: {},
  remarks: [],
  program: (path, { folder, url }) => Promise.resolve({ path, arguments: [stub('browser.mjs'), url, folder] }),
});

const taskOf = (...contests: readonly string[]): Task => ({
  seed: 7,
  kind: 'quick',
  plan: { rounds: [1, 1], budgetMilliseconds: 0, batchMilliseconds: 1, warmUpMilliseconds: 0 },
  contests,
});

interface Heard {
  readonly types: readonly string[];
  readonly last: Message | undefined;
}

async function session(
  engine: Engine,
  task: Task,
  options: Partial<SessionOptions> = {},
  signal?: AbortSignal,
  onMessage: (message: Message) => void = () => undefined,
): Promise<Heard> {
  const heard: Message[] = [];
  const client = stub(engine === runtime ? 'program.mjs' : 'client.mjs');
  const all = { client, limitMilliseconds: 60_000, ...options };
  const listen = (message: Message): void => {
    heard.push(message);
    onMessage(message);
  };
  await engine.run(task, all, listen, signal);
  return { types: heard.map(({ type }) => type), last: heard.at(-1) };
}
const failure = (message: string | RegExp): unknown => ({
  type: 'error',
  message: expect.stringMatching(message) as unknown,
});

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};
afterEach(() => {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`lanewise-engine-${process.pid}-`));
  expect([folders, strays()]).toEqual([[], []]);
});

describe.each([
  ['a runtime', runtime],
  ['a browser', browser],
] as const)('%s', (_, engine) => {
  test('is found, with its version', async () => {
    expect(await engine.find()).toEqual({ path: process.execPath, version: process.versions.node });
  });

  test('messages come in their order, and nothing after the last', async () => {
    const { types, last } = await session(engine, taskOf('one', 'two'));
    expect(types).toEqual(['hello', 'unavailable', 'unavailable', 'done']);
    expect(last).toMatchObject({ milliseconds: 1 });
  });

  test('the task arrives whole', async () => {
    let seed: unknown;
    await session(engine, taskOf(), {}, undefined, (message) => void (seed ??= (message as { seed?: number }).seed));
    expect(seed).toBe(7);
  });

  test('one that hangs is ended when its time is over', async () => {
    const { types, last } = await session(engine, taskOf('one', 'hang'), { limitMilliseconds: 3000 });
    expect(types.at(-1)).toBe('error');
    expect(last).toEqual(failure(/^it took more than 3 s$/));
  });

  test('one that is stopped from outside', async () => {
    const stop = new AbortController();
    const { types, last } = await session(engine, taskOf('wait'), {}, stop.signal, () => stop.abort());
    expect(types).toEqual(['hello', 'error']);
    expect(last).toEqual(failure(/^stopped$/));
  });

  test('one that is stopped before it began', async () => {
    const { types } = await session(engine, taskOf('wait'), {}, AbortSignal.abort());
    expect(types).toEqual(['error']);
  });

  test('JSON that is no message', async () => {
    const { types, last } = await session(engine, taskOf('garbage', 'wait'));
    expect(types).toEqual(['hello', 'error']);
    expect(last).toEqual(failure(/^it sent an invalid message: \{"kind":"nothing that anybody knows"\}$/));
  });

  test('several at once do not disturb each other', async () => {
    const all = await Promise.all([
      session(engine, taskOf('one')),
      session(engine, taskOf('garbage')),
      session(engine, taskOf('two')),
    ]);
    expect(all.map(({ types }) => types.at(-1))).toEqual(['done', 'error', 'done']);
  });
});

describe('a process', () => {
  test('that crashes', async () => {
    const { types, last } = await session(runtime, taskOf('crash'));
    expect(types).toEqual(['hello', 'error']);
    expect(last).toEqual(failure(/^it was ended by SIGSEGV before it was done$/));
  });

  test('that ends too early, with its output', async () => {
    const { types, last } = await session(runtime, taskOf('exit'));
    expect(types).toEqual(['hello', 'error']);
    expect(last).toEqual(failure(/^it ended with exit code 3: no memory is left before it was done$/));
  });

  test('that writes text', async () => {
    const { last } = await session(runtime, taskOf('text'));
    expect(last).toEqual(failure(/^it sent an invalid message: Segmentation fault\? Not yet\.$/));
  });

  test('whose messages come in parts', async () => {
    expect((await session(runtime, taskOf('half'))).types).toEqual(['hello', 'done']);
  });

  test('that is not there', async () => {
    const path = join(scratch, 'nothing');
    const engine = runtimeEngine({ id: 'none', name: 'None', origin: { path }, settings: {} });
    expect(await engine.find()).toMatchObject({ missing: expect.stringContaining('None') as unknown });
    const { types, last } = await session(engine, taskOf());
    expect(types).toEqual(['error']);
    expect(last).toEqual(failure(/^it could not be started: there is no None/));
  });

  describe.runIf(process.platform === 'linux').each(['done', 'hang', 'garbage'])('with others, and then %s', (how) => {
    test('none of them is left', async () => {
      const file = join(scratch, how);
      const { types } = await session(runtime, taskOf('family', file, how), { limitMilliseconds: 3000 });
      expect(types.at(-1)).toBe(how === 'done' ? 'done' : 'error');
      const ids = readFileSync(file, 'utf8').split(' ').map(Number);
      expect(ids).toHaveLength(3);
      expect(ids.filter(isRunning)).toEqual([]);
    });
  });
});

describe('a page', () => {
  test('whose client throws', async () => {
    const { types, last } = await session(browser, taskOf('throw'));
    expect(types).toEqual(['hello', 'error']);
    expect(last).toEqual(failure(/^thrown by the client$/));
  });

  test('whose browser ends', async () => {
    const { last } = await session(browser, taskOf('browser ends'));
    expect(last).toEqual(failure(/^it ended with exit code 9: out of memory before it was done$/));
  });
});

test('every engine has an id of its own, and a name', () => {
  expect(new Set(engines.map(({ id }) => id)).size).toBe(engines.length);
  expect(engines.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['node20', 'node26', 'bun', 'deno', 'workerd', 'chromium', 'firefox', 'webkit']),
  );
  for (const { name } of engines) expect(name).not.toBe('');
});
