/** The run itself: which engines take part, in which order, and that crashes, hangs and Ctrl-C lose no findings. */
import { describe, expect, test, vi } from 'vitest';
import { catalogue, contests, plans } from '../src/client/catalogue.ts';
import type { Message, Task } from '../src/client/messages.ts';
import type { Engine } from '../src/engines/engine.ts';
import { readCommand } from '../src/lab/arguments.ts';
import { conduct, seedsOf, type Entrant, type Terms } from '../src/lab/conduct.ts';
import { checkOnly, chosenEngines, contestsOf, placeOf, poolEngines } from '../src/lab/field.ts';
import { Scoreboard } from '../src/lab/scoreboard.ts';
import { duration, timeLeft } from '../src/lab/time-left.ts';
import { UsageError } from '../src/terminal.ts';
import { hello } from './results-synthetic.ts';

const DONE: Message = { type: 'done', milliseconds: 1, contests: 0, stopped: false, trusted: true };

type Behaviour = (emit: (message: Message) => void, signal: AbortSignal, task: Task) => Promise<void> | void;

const engine = (id: string, behaviour: Behaviour = (emit) => emit(DONE)): Engine => ({
  id,
  name: id,
  settings: {},
  remarks: [],
  find: () => Promise.resolve({ path: id, version: '1.2.3' }),
  run: async (task, _, emit, signal) => behaviour(emit, signal!, task),
});

const terms: Terms = {
  kind: 'quick',
  plan: plans.quick,
  seed: 5,
  sessions: 3,
  limitMilliseconds: 10_000,
  silenceMilliseconds: 100,
};

/** The events of a run, as words. */
async function events(engines: readonly Engine[], more: Partial<Terms> = {}, signal = new AbortController().signal) {
  const happened: string[] = [];
  const entrants = engines.map((each): Entrant => ({ engine: each, contests: [], client: 'none' }));
  await conduct(
    entrants,
    { ...terms, ...more },
    {
      begin: ({ engine: { id } }, session) => {
        happened.push(`${id} ${session}`);
        return (message) => {
          if (message.type === 'error') happened.push(`${id} says ${message.message}`);
        };
      },
      end: ({ engine: { id } }, _, failure) => happened.push(`${id} ends ${failure ?? 'well'}`),
      giveUp: ({ engine: { id } }) => happened.push(`${id} is given up`),
    },
    signal,
  );
  return happened;
}

describe('sessions', () => {
  test('every engine has all of them, each once before any has its next', async () => {
    const begun = (await events([engine('a'), engine('b'), engine('c')])).filter((event) => !event.includes('ends'));
    expect(begun).toHaveLength(9);
    for (const session of [0, 1, 2]) {
      const these = begun.slice(3 * session, 3 * session + 3);
      expect(these.toSorted()).toEqual([`a ${session}`, `b ${session}`, `c ${session}`]);
    }
  });

  test('the order is random, and the seed repeats it', async () => {
    const engines = Array.from({ length: 8 }, (_, i) => engine(String(i)));
    const orders = await Promise.all([1, 1, 2].map(async (seed) => (await events(engines, { seed })).join()));
    expect(orders[0]).toBe(orders[1]);
    expect(orders[0]).not.toBe(orders[2]);
  });

  test('seeds of sessions differ, and are the same for every engine', async () => {
    const seen: Record<string, number[]> = { a: [], b: [] };
    const watching = (id: string) =>
      engine(id, (emit, _, { seed }) => {
        seen[id].push(seed);
        emit(DONE);
      });
    await events([watching('a'), watching('b')]);
    expect(new Set(seen['a']).size).toBe(3);
    expect(seen['a']).toEqual(seen['b']);
    expect(seen['a']).toEqual(seedsOf(terms));
  });

  test('one that crashes is given up after two failures; the others go on', async () => {
    const crashing = engine('crash', (emit) => emit({ type: 'error', message: 'segmentation fault' }));
    const happened = await events([crashing, engine('fine')]);
    expect(happened.filter((event) => event === 'fine ends well')).toHaveLength(3);
    expect(happened.filter((event) => event === 'crash ends segmentation fault')).toHaveLength(2);
    expect(happened).toContain('crash is given up');
    expect(happened).not.toContain('crash 2');
  });

  test.each([
    ['ends without a word', () => undefined, /before its time/],
    ['rejects', () => Promise.reject(new Error('no such program')), /no such program/],
    [
      'says nothing, and ends when it is told',
      (_: unknown, signal: AbortSignal) =>
        new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
      /said nothing for/,
    ],
  ] satisfies [string, Behaviour, RegExp][])('one that %s has failed', async (_, behaviour, reason) => {
    const happened = await events([engine('x', behaviour), engine('fine')], { sessions: 1 });
    expect(happened.find((event) => event.startsWith('x ends'))).toMatch(reason);
    expect(happened).toContain('fine ends well');
  });

  test('one failure is forgiven', async () => {
    let runs = 0;
    const once = engine('once', (emit) => emit(++runs === 1 ? { type: 'error', message: 'a bad moment' } : DONE));
    const happened = await events([once]);
    expect(happened).toEqual([
      'once 0',
      'once says a bad moment',
      'once ends a bad moment',
      'once 1',
      'once ends well',
      'once 2',
      'once ends well',
    ]);
  });

  test('no second session begins when time is over, but everybody has a first', async () => {
    const happened = await events([engine('a'), engine('b')], { atMostMilliseconds: 0 });
    expect(happened.filter((event) => / \d$/.test(event)).toSorted()).toEqual(['a 0', 'b 0']);
  });

  test('nothing begins after a stop', async () => {
    expect(await events([engine('a')], {}, AbortSignal.abort())).toEqual([]);
  });

  test('a stop ends the session, and none begins after it', async () => {
    const stop = new AbortController();
    const stopping = engine('a', (_, signal) => {
      stop.abort();
      expect(signal.aborted).toBe(true);
    });
    expect(await events([stopping], {}, stop.signal)).toEqual(['a 0']);
  });
});

describe('the field', () => {
  const all = ['node20', 'node26', 'bun', 'workerd', 'firefox'].map((id) => engine(id));
  const idsOf = (engines: readonly Engine[]): string[] => engines.map(({ id }) => id);

  test('engines are chosen by their ids, or all of a family', () => {
    expect(idsOf(chosenEngines(all, undefined))).toEqual(idsOf(all));
    expect(idsOf(chosenEngines(all, ['bun', 'node20']))).toEqual(['node20', 'bun']);
    expect(idsOf(chosenEngines(all, ['node']))).toEqual(['node20', 'node26']);
    expect(() => chosenEngines(all, ['bun', 'opera'])).toThrow(UsageError);
    expect(() => chosenEngines(all, ['opera'])).toThrow(/"opera".*node20, node26, bun, workerd, firefox/);
  });

  test('pools are measured in the newest engines that have workers', () => {
    expect(idsOf(poolEngines(all))).toEqual(['node26', 'bun', 'firefox']);
  });

  test('where the client is', () => {
    expect(all.map(placeOf)).toEqual(['node', 'node', 'bun', 'workerd', 'page']);
  });

  test('older releases are compared, the newest has all axes', () => {
    const [old, newest] = all;
    const newestContests = contestsOf(newest, all, 'default', '');
    expect(newestContests).toEqual(catalogue('default', 'node').map(({ id }) => id));
    const oldContests = contestsOf(old, all, 'default', '');
    expect(oldContests.some((id) => id.startsWith('platforms/'))).toBe(true);
    expect(oldContests.some((id) => id.startsWith('length/'))).toBe(false);
    expect(contestsOf(old, [old], 'default', '')).toEqual(newestContests);
    expect(contestsOf(old, all, 'default', 'length/blake3/hash/64').length).toBeGreaterThan(0);
  });

  test('--only must fit something', () => {
    expect(() => checkOnly('blake3', 'quick')).not.toThrow();
    expect(() => checkOnly('md5', 'quick')).toThrow('--only "md5" fits no contest');
    expect(() => checkOnly('alignment/', 'quick')).toThrow(/fits no contest of those that are quick/);
  });
});

describe('arguments', () => {
  test('measuring', () => {
    expect(readCommand([], 2 ** 32 + 7)).toMatchObject({ command: 'measure', kind: 'default', seed: 7, only: '' });
    expect(readCommand(['--engines', 'bun, firefox', '--quick', '--seed', '3', '--sessions', '4'])).toMatchObject({
      engines: ['bun', 'firefox'],
      kind: 'quick',
      seed: 3,
      sessions: 4,
    });
  });

  test('parallel is a run of long messages, or a quick one of shorter messages', () => {
    const long = readCommand(['parallel', '--seed', '3']);
    expect(long).toMatchObject({ command: 'measure', kind: 'full', sessions: 3, seed: 3, pools: true });
    const ids = contests.map(({ id }) => id).filter((id) => id.includes((long as { only: string }).only));
    expect(ids).toContain(`parallel/pool/blake3/hash/${2 ** 28}`);
    expect(ids.every((id) => id.startsWith('parallel/pool/'))).toBe(true);
    expect(readCommand(['parallel', '--quick', '--engines', 'bun', '--sessions', '1'])).toMatchObject({
      kind: 'quick',
      only: 'parallel/pool/',
      engines: ['bun'],
      sessions: 1,
    });
  });

  test('scaling', () => {
    expect(readCommand(['scaling', '--write'])).toEqual({
      command: 'scaling',
      engines: undefined,
      rounds: 5,
      write: true,
    });
  });

  test('compare takes percent', () => {
    expect(readCommand(['compare', '/a', '/b'])).toEqual({
      command: 'compare',
      before: '/a',
      after: '/b',
      threshold: 0.03,
      forced: false,
    });
    expect(readCommand(['compare', '/a', '/b', '--threshold', '12.5', '--force'])).toMatchObject({
      threshold: 0.125,
      forced: true,
    });
  });

  test.each([
    [['frobnicate'], /no command "frobnicate"/],
    [['--engines', 'a,,b'], /--engines expects names/],
    [['--quick', '--full'], /exclude each other/],
    [['parallel', '--full'], /`parallel` takes no --full/],
    [['parallel', '--only=blake3'], /`parallel` takes no --only/],
    [['scaling', '--rounds', '0'], /--rounds expects a whole number from 1/],
    [['scaling', 'now'], /`scaling` expects nothing else/],
    [['stalls'], /no command "stalls"; there are compare, .* and serve$/],
    [['toString'], /no command "toString"/],
    [['--sessions', '0'], /--sessions expects a whole number from 1/],
    [['--seed', '-1'], /--seed/],
    [['--seed', '4294967296'], /--seed/],
    [['--what'], /--what/],
    [['compare', 'a'], /expects an old file of results and a new one, not 1/],
    [['compare', 'a', 'b', '--threshold', 'much'], /--threshold expects percent/],
    [['compare', 'a', 'b', '--quick'], /--quick/],
    [['report'], /expects a file of results, not nothing/],
    [['serve', '--port', '65536'], /--port/],
    [['serve', 'here'], /expects nothing else/],
  ])('refused: %j', (args, reason) => {
    expect(() => readCommand(args)).toThrow(UsageError);
    expect(() => readCommand(args)).toThrow(reason);
  });
});

describe('time left', () => {
  test('nothing is known before anything has run', () => {
    expect(timeLeft([{ remaining: 5, took: [] }])).toBeUndefined();
    expect(timeLeft([{ remaining: 5, took: [], present: { milliseconds: 90, share: 0.05 } }])).toBeUndefined();
  });

  test('others are taken to be as slow as those that have run', () => {
    const [a, b] = [
      { remaining: 2, took: [10, 20] },
      { remaining: 3, took: [] },
    ];
    expect(timeLeft([a, b])).toBe(2 * 15 + 3 * 15);
  });

  test('the present session counts with its remaining share', () => {
    expect(timeLeft([{ remaining: 1, took: [], present: { milliseconds: 50, share: 0.5 } }])).toBe(100 + 50);
  });

  test.each([
    [900, '1 s'],
    [61_000, '61 s'],
    [600_000, '10 min'],
    [4 * 3_600_000, '4.0 h'],
  ])('%d ms in words', (milliseconds, words) => expect(duration(milliseconds)).toBe(words));
});

describe('the scores', () => {
  const screen = (isTTY: boolean) => {
    const written: string[] = [];
    const stream = { isTTY, columns: 90, write: (text: string) => written.push(text) };
    return { stream: stream as unknown as NodeJS.WriteStream, written };
  };
  const fault: Message = { type: 'fault', contest: 'c', case: 'x', contestant: 'y', fault: 'gives wrong bytes' };
  const start: Message = {
    type: 'contest-start',
    index: 1,
    of: 4,
    contest: { id: 'c', axis: 'platforms', form: 'rounds', primitive: 'P', operation: 'o', title: 't', parameters: {} },
    cases: [],
  };

  test('a terminal has one line about the session that is running, below those of events, and no wider', () => {
    vi.stubEnv('TERM', 'xterm');
    try {
      const { stream, written } = screen(true);
      const scores = new Scoreboard([engine('a'), engine('b')], stream);
      scores.start([{ engine: engine('a') }, { engine: engine('b') }], 2);
      scores.begin('a', 0);
      scores.hear('a', start);
      const erase = '\r\x1b[2K';
      expect(written.at(-1)!.slice(erase.length)).toMatch(
        /^0 of 4 sessions, about \d+ s left; Ctrl-C keeps the findings; a 25 % c$/,
      );
      scores.hear('a', { ...start, contest: { ...start.contest, id: 'c'.repeat(200) } });
      expect(written.at(-1)).toHaveLength(erase.length + 89);
      scores.finish('a', 1000, undefined);
      expect(written.slice(-2)).toEqual([erase, 'a: session 1 of 2, 1 s\n']);
      scores.giveUp('b', 'it\nis gone\x1b[2J');
      expect(written.at(-1)).toBe('b: it\nis gone\ufffd[2J\n');
      scores.end();
      expect(written.at(-1)).toMatch(/^1 of 2 sessions in \d+ s\n$/);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('elsewhere a line for each event; a wrong answer is told once, and is a problem if it is ours', () => {
    const { stream, written } = screen(false);
    const scores = new Scoreboard([engine('a'), engine('b')], stream);
    scores.found('a', '1.2.3');
    scores.missing('b', 'it is missing: get it');
    scores.start([{ engine: engine('a') }], 3);
    scores.begin('a', 0);
    scores.hear('a', start);
    scores.hear('a', fault);
    scores.hear('a', fault);
    scores.hear('a', { ...fault, contestant: 'lanewise' });
    scores.hear('a', hello());
    scores.finish('a', 1000, undefined);
    scores.begin('a', 1);
    for (const times of [
      [10, 10, 14, 12],
      [10, 10, 12, 12],
    ]) {
      const probe = {
        passes: 4,
        cycle: 0.25,
        nanoseconds: { x: [5000, 5000, 5000, 5000, 6500, 6500, 5000, 6500] },
      };
      const nanoseconds = { x: times };
      scores.hear('a', { type: 'samples', contest: 'c', nanoseconds, batches: {}, cycle: [], probe, milliseconds: 1 });
    }
    scores.finish('a', 1000, undefined);
    scores.begin('a', 2);
    scores.end();
    expect(written.slice(0, -1)).toEqual([
      'b: it is missing: get it\n',
      'a 1.2.3: starts\n',
      'a 1.2.3: WRONG: y gives wrong bytes (c)\n',
      'a 1.2.3: WRONG: lanewise gives wrong bytes (c)\n',
      'a 1.2.3: session 1 of 3, 1 s\n',
      'a 1.2.3: session 2 of 3, 1 s; 4 of 8 samples quiet, busy ones took 1.30×\n',
    ]);
    expect(written.at(-1)).toMatch(/^2 of 3 sessions in /);
    expect(scores.notices).toEqual(['a 1.2.3: WRONG: y gives wrong bytes (c)']);
    expect(scores.problems).toEqual(['a 1.2.3: WRONG: lanewise gives wrong bytes (c)']);
  });
});
