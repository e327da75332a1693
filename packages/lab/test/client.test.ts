/** The messages of a session, their order and their contents. */
import { describe, expect, test } from 'vitest';
import { run } from '../src/client/client.ts';
import type { ClientCase, Context, RoundsContest } from '../src/client/contest.ts';
import type { Message, SamplesMessage, Task } from '../src/client/messages.ts';
import { RecentCycle } from '../src/client/probe.ts';
import { seeded } from '../src/client/random.ts';
import { runContest, type Session } from '../src/client/run-contest.ts';
import { yardstick } from '../src/client/yardstick.ts';

const plan = { rounds: [3, 3], budgetMilliseconds: 0, batchMilliseconds: 0.05, warmUpMilliseconds: 1 } as const;
const task = (...contests: string[]): Task => ({ seed: 3, kind: 'default', plan, contests });

async function session(of: Task, signal?: AbortSignal, onMessage?: (message: Message) => void): Promise<Message[]> {
  const messages: Message[] = [];
  await run(
    of,
    (message) => {
      messages.push(message);
      onMessage?.(message);
    },
    { signal },
  );
  return messages;
}

const ofType = <Type extends Message['type']>(messages: readonly Message[], type: Type) =>
  messages.filter((message): message is Extract<Message, { type: Type }> => message.type === type);

describe('a session', () => {
  test('introduces itself, runs the canary, measures in the order of the catalogue, and ends', async () => {
    const messages = await session(
      task('length/poly1305/mac/64', 'platforms/blake3/hash/96', 'cold/parts', 'boundary/chacha20/encrypt/64'),
    );
    const kinds = messages.map(({ type }) => type).filter((type) => type !== 'progress' && type !== 'unavailable');
    const contest = ['contest-start', 'samples'];
    expect(kinds).toEqual(['hello', ...contest, 'canary', ...contest, ...contest, ...contest, 'canary', 'done']);
    expect(ofType(messages, 'contest-start').map(({ contest, index, of }) => [contest.id, index, of])).toEqual([
      ['cold/parts', 0, 4],
      ['platforms/blake3/hash/96', 1, 4],
      ['boundary/chacha20/encrypt/64', 2, 4],
      ['length/poly1305/mac/64', 3, 4],
    ]);
    // Messages are plain JSON: encoding and decoding loses nothing.
    expect(JSON.parse(JSON.stringify(messages))).toEqual(messages);

    const [hello] = ofType(messages, 'hello');
    expect(hello).toMatchObject({ protocol: 1, place: 'node', family: 'v8', refused: {}, notes: [] });
    expect(hello.versions).toMatchObject({ node: process.versions.node, '@noble/ciphers': '2.4.0' });
    expect(hello.timer.coarse).toBe(false);
    for (const { name, bytes, sha256 } of hello.modules) {
      expect(bytes, name).toBeGreaterThan(1000);
      expect(sha256, name).toMatch(/^[\da-f]{64}$/);
    }
    const [done] = ofType(messages, 'done');
    expect(done).toMatchObject({ contests: 4, stopped: false });
    expect(done.trusted).toBe(ofType(messages, 'canary').every(({ trusted }) => trusted));
  });

  test('gives samples of all rounds, with the cycles of each', async () => {
    const messages = await session(task('platforms/chacha20/encrypt/256'));
    const [{ cases, contest }] = ofType(messages, 'contest-start');
    const [{ nanoseconds, batches, cycle, probe }] = ofType(messages, 'samples');
    expect(contest).toMatchObject({
      axis: 'platforms',
      form: 'rounds',
      primitive: 'ChaCha20',
      parameters: { length: 256 },
    });
    expect(Object.keys(nanoseconds)).toEqual(cases.map(({ id }) => id));
    expect(Object.keys(batches)).toEqual(cases.map(({ id }) => id));
    expect(Object.keys(probe!.nanoseconds)).toEqual(cases.map(({ id }) => id));
    for (const values of Object.values(probe!.nanoseconds)) {
      expect(values).toHaveLength(6);
      for (const value of values) expect(value).toBeGreaterThan(0);
    }
    // The least of all yardsticks so far, of which the canary had some.
    expect(probe!.cycle).toBeLessThanOrEqual(Math.min(...cycle));
    for (const name of ['lanewise simd', 'lanewise scalar', 'lanewise js', 'noble', 'libsodium.js', 'node:crypto']) {
      expect(nanoseconds[name]).toHaveLength(3);
      for (const value of nanoseconds[name]) expect(value).toBeGreaterThan(0);
    }
    expect(cases.find(({ id }) => id === 'lanewise simd')).toMatchObject({
      contestant: 'lanewise',
      standing: 'ours',
      engine: 'simd',
      operation: 'encrypt',
      bytes: 256,
    });
    expect(cases.find(({ id }) => id === 'WebCrypto, AES-256-CTR')).toMatchObject({
      asynchronous: true,
      standing: 'platform',
      primitive: 'AES-256-CTR',
    });
    // No processor that runs this has a cycle longer than 3 ns, even if it is disturbed most of the time.
    expect(cycle).toHaveLength(3);
    for (const value of cycle) expect(value).toBeGreaterThan(0.1);
  });

  test('names a contest that there is not, and goes on', async () => {
    const messages = await session(task('platforms/enigma/encrypt/64', 'length/poly1305/mac/8'));
    expect(ofType(messages, 'error')).toEqual([
      { type: 'error', contest: 'platforms/enigma/encrypt/64', message: 'there is no such contest' },
    ]);
    expect(ofType(messages, 'done')).toMatchObject([{ contests: 1 }]);
  });

  test('stops between two batches, and says so', async () => {
    const stop = new AbortController();
    const contests = ['platforms/blake3/hash/96', 'platforms/chacha20/encrypt/256'];
    const long = { ...task(...contests), plan: { ...plan, rounds: [1e6, 1e6] } } as const;
    const messages = await session(long, stop.signal, ({ type }) => {
      if (type === 'contest-start') stop.abort(new Error('stopped'));
    });
    expect(ofType(messages, 'contest-start')).toHaveLength(1);
    expect(ofType(messages, 'samples')).toEqual([]);
    expect(ofType(messages, 'error')).toEqual([]);
    expect(ofType(messages, 'done')).toMatchObject([{ contests: 0, stopped: true }]);
  });

  test('a clock that stands still ends it with one error', async () => {
    const now = performance.now.bind(performance);
    performance.now = () => 1;
    try {
      const messages = await session(task('length/poly1305/mac/8'));
      expect(messages).toEqual([{ type: 'error', message: expect.stringMatching(/clock does not move/) as string }]);
    } finally {
      performance.now = now;
    }
  });
});

describe('a contest', () => {
  const context: Context = {
    kind: 'default',
    random: seeded(1),
    place: 'node',
    surroundings: {},
    hooks: {},
    evaluated: 0,
  };
  const description = {
    contestant: 'somebody',
    standing: 'rival',
    primitive: 'XOR',
    operation: 'encrypt',
    bytes: 1,
    parameters: {},
  } as const;
  /** The faults that a case reports, one after the other, each time it is checked. */
  const faulty = (id: string, ...faults: (string | undefined)[]): ClientCase => ({
    id,
    description: { ...description, id },
    run: () => 1,
    fault: () => faults.shift(),
  });
  const contest = (...cases: ClientCase[]): RoundsContest & { ended: string[] } => {
    const ended: string[] = [];
    return {
      id: 'test',
      axis: 'platforms',
      form: 'rounds',
      primitive: 'XOR',
      operation: 'encrypt',
      title: 'XOR',
      parameters: {},
      kinds: [],
      ended,
      prepare: () =>
        Promise.resolve({
          cases: cases.map((item) => ({ ...item, end: () => void ended.push(item.id) })),
          absent: [{ case: 'nobody', contestant: 'nobody', reason: 'not here' }],
          end: () => void ended.push('all'),
        }),
    };
  };
  async function outcome(of: RoundsContest) {
    const messages: Message[] = [];
    const here: Session = {
      context,
      plan,
      yardstick: yardstick(),
      recentCycle: new RecentCycle(),
      emit: (message) => messages.push(message),
      now: () => performance.now(),
      hot: new Set(),
      of: 1,
    };
    return { messages, sampled: await runContest(of, 0, here) };
  }

  test('does not time a wrong answer', async () => {
    const of = contest(faulty('right'), faulty('wrong', 'gives wrong bytes'));
    const { messages, sampled } = await outcome(of);
    expect(sampled).toBe(true);
    expect(messages.map(({ type }) => type)).toEqual(['contest-start', 'unavailable', 'fault', 'samples']);
    expect(ofType(messages, 'contest-start')[0].cases.map(({ id }) => id)).toEqual(['right']);
    expect(ofType(messages, 'fault')).toEqual([
      { type: 'fault', contest: 'test', case: 'wrong', contestant: 'somebody', fault: 'gives wrong bytes' },
    ]);
    expect(Object.keys(ofType(messages, 'samples')[0].nanoseconds)).toEqual(['right']);
    expect(of.ended).toEqual(['right', 'wrong', 'all']);
  });

  test('drops a case whose answer became wrong while it was timed', async () => {
    const { messages } = await outcome(contest(faulty('right'), faulty('turned', undefined, 'gives wrong bytes')));
    expect(messages.map(({ type }) => type)).toEqual(['contest-start', 'unavailable', 'samples', 'fault']);
    expect(Object.keys((messages[2] as SamplesMessage).nanoseconds)).toEqual(['right']);
    expect(ofType(messages, 'fault')).toMatchObject([
      { case: 'turned', fault: 'gives wrong bytes after it was timed' },
    ]);
  });

  test('has no samples if all are wrong', async () => {
    const of = contest(faulty('wrong', 'throws: no'));
    const { messages, sampled } = await outcome(of);
    expect(sampled).toBe(false);
    expect(messages.map(({ type }) => type)).toEqual(['contest-start', 'unavailable', 'fault']);
    expect(of.ended).toEqual(['wrong', 'all']);
  });
});
