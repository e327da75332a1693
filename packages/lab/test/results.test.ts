import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../src/client/messages.ts';
import { decodeSamples, encodeSamples } from '../src/results/samples.ts';
import { parseResult, ResultError, SCHEMA } from '../src/results/schema.ts';
import { asName, isName } from '../src/results/names.ts';
import { beginning } from '../src/results/host.ts';
import { createStore, readResult, writeResult } from '../src/results/store.ts';
import { perByte, viewOf } from '../src/results/view.ts';
import { median } from '../src/results/medians.ts';
import { plans } from '../src/client/catalogue.ts';
import {
  canary,
  done,
  engineRecord,
  header,
  hello,
  linesOf,
  resultOf,
  synthetic,
  temporaryPath,
} from './results-synthetic.ts';

let path: string;
beforeEach(() => (path = temporaryPath('run.jsonl')));
afterEach(() => rmSync(dirname(path), { recursive: true, force: true }));

const id = 'platforms/chacha20/encrypt/65536';
const small = { sessions: 2, wanted: (contest: { id: string }) => contest.id === id } as const;

describe('samples', () => {
  test('are little-endian Float32 in base64', () => {
    // 1 is 3f800000, 2 is 40000000.
    expect(encodeSamples([1, 2])).toBe(Buffer.from('0000803f00000040', 'hex').toString('base64'));
    expect(decodeSamples('AACAPwAAAEA=')).toEqual([1, 2]);
    for (const wrong of [-2, NaN, Infinity])
      expect(() => decodeSamples(encodeSamples([1, wrong]))).toThrow(`${wrong} is no time`);
    expect(decodeSamples('')).toEqual([]);
  });

  test('of any number come back with seven digits', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => 0.1 + 1234.5678 * i);
    const back = decodeSamples(encodeSamples(values));
    expect(back).toHaveLength(values.length);
    expect(Math.max(...back.map((value, i) => Math.abs(value / values[i] - 1)))).toBeLessThan(1e-7);
  });

  test('that are cut are refused', () => {
    expect(() => decodeSamples('AACA')).toThrow(RangeError);
    expect(() => decodeSamples('%%')).toThrow();
  });
});

/** What pages and terminals would take for their own, and not for a part of a name. */
const HOSTILE = {
  'a template of Vue': '{{(0).constructor.constructor("return process")()}}',
  'an attribute': 'x{onclick=a}',
  'an element': '<b>',
  'an entity': '&lt;',
  'a link': '[x](y)',
  'an address': 'see https://host.example',
  'an address of mail': 'a@host.example',
  'an address without a scheme': 'see WWW.host.example',
  emphasis: '*x*',
  code: '`x`',
  'a cell': 'a|b',
  'a control sequence': '\u001b]0;x\u0007',
  'another direction': 'a\u202eb',
};
/** All that is printed as a name. */
const NAMED = [
  'host.cpu',
  'host.architecture',
  'host.platform',
  'engines.0.id',
  'engines.0.name',
  'engines.0.version',
].concat(
  ['id', 'axis', 'primitive', 'operation'].map((part) => `contests.0.${part}`),
  ['id', 'contestant', 'primitive', 'operation', 'version', 'parameters.x'].map((part) => `cases.0.${part}`),
  ['place', 'family', 'modules.0.name'].map((part) => `sessions.0.hello.${part}`),
);

describe('schema', () => {
  const parse = (change: (data: Record<string, never>) => void) => () => {
    const data = JSON.parse(JSON.stringify(synthetic(small))) as Record<string, never>;
    change(data);
    return parseResult(data, 'a.json');
  };
  const set = (dotted: string, value: unknown) => (data: object) => {
    const names = dotted.split('.');
    let at = data as Record<string, unknown>;
    for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>;
    at[names.at(-1)!] = value;
  };

  test('takes an assembled result unchanged', () => {
    const result = synthetic(small);
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'a.json')).toEqual(result);
  });

  test('takes results of the first version, which have no probes', () => {
    const result = { ...synthetic(small), schema: 'lanewise-lab/1' };
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'a.json')).toEqual(result);
    const { sorted } = viewOf(parseResult(result, 'a.json')).cases(viewOf(synthetic(small)).engines[0], id)[0];
    expect(sorted).toMatchObject({ basis: 'unknown', tally: { rounds: 20, quiet: 0, busy: 0 } });
    expect(sorted.chosen).toEqual(sorted.all);
  });

  test.each([
    [
      'another schema',
      set('schema', 'lanewise-lab/3'),
      `a.json has schema "lanewise-lab/3"; this lab reads "lanewise-lab/1" and "${SCHEMA}"`,
    ],
    ['a missing field', set('host.cpu', undefined), 'a.json is damaged at host.cpu: '],
    [
      'a name of two lines',
      set('engines.0.version', '1\n# 2'),
      'a.json is damaged at engines.0.version: expected a name',
    ],
    [
      'an endless name',
      set('cases.0.id', 'x'.repeat(201)),
      'a.json is damaged at cases.0.id: expected a name of at most',
    ],
    ['no time', set('startedAt', 'today'), 'a.json is damaged at startedAt: expected a time'],
    // A comment in a time of `Date.parse`, whose first ten characters would be shown as the day.
    ['a day that is text', set('startedAt', '({{7*7}}) 2026-11-23'), 'a.json is damaged at startedAt: expected a time'],
    [
      'a negative sample',
      set('sessions.0.contests.0.cycle', encodeSamples([1, -1])),
      'a.json is damaged at sessions.0.contests.0.cycle: expected samples',
    ],
    ['a wrong type', set('sessions.0.seed', 'one'), 'a.json is damaged at sessions.0.seed: '],
    [
      'damaged samples',
      set('sessions.0.contests.0.cycle', 'AAA='),
      'a.json is damaged at sessions.0.contests.0.cycle: ',
    ],
    [
      'an unknown engine',
      set('sessions.0.engine', 'x'),
      'a.json is damaged at sessions.0.engine: there is no engine "x"',
    ],
    ['an unknown contest', set('sessions.1.contests.0.contest', 'x'), 'there is no contest "x"'],
    ['an unknown case', set('sessions.1.contests.0.cases.0.case', 999), 'there is no case 999'],
    ['probes of no contest', set('sessions.0.contests.0.cases.0.probes', 'AAAA'), 'needs two probes for each sample'],
    [
      'a sample without probes',
      set('sessions.0.contests.0.probe', { passes: 4, cycle: 0.25, least: 5000 }),
      'needs two probes for each sample',
    ],
    ['fewer samples than rounds', set('sessions.0.contests.0.cases.0.nanoseconds', ''), 'lacks samples of some rounds'],
  ])('refuses %s in one line', (_, change, message) => {
    expect(parse(change)).toThrow(ResultError);
    expect(parse(change)).toThrow(message);
    expect(parse(change)).not.toThrow(/\n/);
  });

  test.each(NAMED)('refuses names at %s that are not only text', (path) => {
    for (const [kind, hostile] of Object.entries(HOSTILE))
      expect(parse(set(path, hostile)), kind).toThrow(`a.json is damaged at ${path}: expected a name`);
  });

  test.each([[null], [[]], ['text'], [{}]])('refuses %j', (data) => {
    expect(() => parseResult(data, 'a.json')).toThrow('a.json is no result of the lab: it has no schema');
  });
});

describe('assembly', () => {
  const describedTwice = (result: ReturnType<typeof synthetic>) =>
    new Set(result.cases.map((each) => JSON.stringify(each)));

  test('describes each contest and each case once', () => {
    const result = synthetic(small);
    expect(result.sessions).toHaveLength(4);
    expect(result.contests.map(({ id }) => id)).toEqual(['platforms/chacha20/encrypt/65536']);
    expect(describedTwice(result).size).toBe(result.cases.length);
    expect(result.cases).toHaveLength(6);
  });

  test('keeps everything that is no progress', () => {
    const messages: Message[] = [
      hello(),
      canary('start'),
      { type: 'unavailable', contest: 'a', reason: 'not here' },
      { type: 'fault', contest: 'b', case: 'x', contestant: 'y', fault: 'gives wrong bytes' },
      { type: 'progress', contest: 'b', index: 0, of: 1, round: 1, rounds: 2 },
      { type: 'error', contest: 'c', message: 'broke' },
      canary('end', 'too slow'),
      { ...done, stopped: true, trusted: false } as Message,
    ];
    const { sessions } = resultOf([
      { line: 'run', run: header },
      { line: 'engine', engine: engineRecord('e') },
      { line: 'session', session: 0, engine: 'e', seed: 3, startedAt: header.startedAt },
      ...messages.map((message) => ({ line: 'message', session: 0, message }) as const),
    ]);
    expect(sessions[0]).toMatchObject({
      engine: 'e',
      seed: 3,
      hello: { place: 'node' },
      canaries: [{ when: 'start' }, { when: 'end', reason: 'too slow' }],
      unavailable: [{ contest: 'a', reason: 'not here' }],
      faults: [{ contest: 'b', case: 'x', fault: 'gives wrong bytes' }],
      errors: [{ contest: 'c', message: 'broke' }],
      done: { stopped: true, trusted: false },
    });
  });
});

describe('store', () => {
  const fill = () => {
    const store = createStore(path, header);
    store.engine(engineRecord('node26', 'Node 26', '26.10.0'));
    store.missing({ id: 'bun', name: 'Bun', missing: 'bun', howToGet: 'npm i bun' });
    const take = store.session('node26', 5);
    for (const line of linesOf({ ...small, engines: [engineRecord('node26')], sessions: 1 })) {
      if (line.line === 'message') take(line.message);
    }
    return store;
  };

  test('has all messages on disk before it ends', () => {
    const store = fill();
    const read = readResult(path);
    expect(read).toEqual(store.result());
    expect(read.endedAt).toBeUndefined();
    expect(read.sessions[0].contests).toHaveLength(1);
    expect(read.missing).toHaveLength(1);
    store.end(2.5);
    expect(readResult(path)).toMatchObject({ host: { loadBefore: 0.5, loadAfter: 2.5 } });
    expect(readResult(path).endedAt).toMatch(/^\d{4}-/);
  });

  test('loses only the line that was being written', () => {
    fill();
    const complete = readResult(path);
    appendFileSync(path, '{"line":"message","session":0,"mess');
    expect(readResult(path)).toEqual(complete);
  });

  test('names the line that is damaged', () => {
    fill();
    appendFileSync(path, 'oops\n');
    const number = readFileSync(path, 'utf8').split('\n').length - 1;
    expect(() => readResult(path)).toThrow(`run.jsonl, line ${number}: it is not a line of a run`);
  });

  test.each([
    [
      'a session far away',
      { line: 'session', session: 4294967294, engine: 'x', seed: 1, startedAt: header.startedAt },
      'session 4294967294 begins, where 1 is the next',
    ],
    [
      'a session twice',
      { line: 'session', session: 0, engine: 'x', seed: 1, startedAt: header.startedAt },
      'session 0 begins, where 1 is the next',
    ],
    [
      'a session with a name',
      { line: 'session', session: '__proto__', engine: 'x', seed: 1, startedAt: header.startedAt },
      'it is not a line of a run (session: ',
    ],
    [
      'a message of no session',
      { line: 'message', session: 7, message: canary('start') },
      'there is a message of session 7',
    ],
    [
      'samples that are no numbers',
      {
        line: 'message',
        session: 0,
        message: { type: 'samples', contest: id, nanoseconds: { x: 'y' }, batches: {}, cycle: [], milliseconds: 1 },
      },
      'it is not a line of a run (message.nanoseconds.x: ',
    ],
    [
      'a canary that says nothing',
      { line: 'message', session: 0, message: { type: 'canary', when: 'start' } },
      'it is not a line of a run (message.kernel: ',
    ],
    [
      'an engine with a control sequence',
      { line: 'engine', engine: engineRecord('e', '\u001b[2J') },
      'it is not a line of a run (engine.name: expected a name',
    ],
    ['a line of no kind', { line: 'x' }, 'it is not a line of a run (line: '],
  ])('refuses %s', (_, line, message) => {
    fill();
    appendFileSync(path, `${JSON.stringify(line)}\n`);
    expect(() => readResult(path)).toThrow(ResultError);
    expect(() => readResult(path)).toThrow(message);
  });

  test('does not write into the file of another run', () => {
    fill();
    expect(() => createStore(path, header)).toThrow(/EEXIST/);
  });

  test('writes one file that reads the same, and leaves nothing beside it', () => {
    const result = fill().result();
    const file = path.replace('.jsonl', '.json');
    writeResult(file, result);
    expect(readResult(file)).toEqual(result);
    expect(readdirSync(dirname(path)).sort()).toEqual(['run.json', 'run.jsonl']);
  });

  test('reports the fault of a file in one line', () => {
    mkdirSync(dirname(path), { recursive: true });
    expect(() => readResult(path)).toThrow(/^.* cannot be read: ENOENT[^\n]*$/);
    writeFileSync(path, '{"schema": ');
    expect(() => readResult(path)).toThrow(/^.* is not JSON: [^\n]*$/);
    expect(existsSync(path)).toBe(true);
  });
});

test('what a system calls its processor becomes a name', () => {
  for (const text of ['Intel® Core™ {{i7}} @ 2.80GHz', '', 'a@b', 'http://x', ...Object.values(HOSTILE)])
    expect(isName(asName(text)), text).toBe(true);
  expect(asName('Intel(R) Xeon(R) CPU E5-2686 v4 @ 2.30GHz')).toBe('Intel(R) Xeon(R) CPU E5-2686 v4 @ 2.30GHz');
});

test('the beginning of a run fits the schema', () => {
  const run = beginning({ kind: 'quick', seed: 1, plan: plans.quick });
  const lists = { engines: [], missing: [], contests: [], cases: [], sessions: [] };
  expect(parseResult({ ...run, ...lists }, 'a.json')).toEqual({ ...run, ...lists });
  expect(run.host.vcpus).toBeGreaterThan(0);
});

describe('view', () => {
  const contest = id;

  test('finds the differences that were put in', () => {
    const view = viewOf(synthetic({ ...small, sessions: 5, noise: { process: 0, round: 0 } }));
    expect(view.engines.map(({ key, name }) => [key, name])).toEqual([
      ['node26', 'Node 26.10'],
      ['bun', 'Bun 1.4'],
    ]);
    expect(view.principal?.key).toBe('node26');
    const [engine] = view.engines;
    expect(view.cases(engine, contest).map(({ description }) => description.id)).toContain('libsodium.js');
    const simd = view.case(engine, contest, 'lanewise simd')!;
    expect(perByte(simd)).toHaveLength(5);
    // 500 cycles for a call, and 2 for a byte.
    for (const rounds of perByte(simd)!) expect(median(rounds)).toBeCloseTo(2 + 500 / 65536, 4);
    const ratios = view.ratios(engine, contest, 'noble', 'lanewise simd');
    expect(ratios.flat()).toHaveLength(50);
    for (const ratio of ratios.flat()) expect(ratio).toBeCloseTo((800 + 655360) / (500 + 131072), 4);
  });

  test('sets distrusted sessions aside, and says why', () => {
    const lines = linesOf({ ...small, engines: [engineRecord('e')], sessions: 3 });
    const spoilt = lines.map((line) =>
      line.line === 'message' && line.session === 1 && line.message.type === 'canary'
        ? { ...line, message: canary(line.message.when, 'a debugger?') }
        : line,
    );
    const [engine] = viewOf(resultOf(spoilt)).engines;
    expect(engine.sessions).toHaveLength(2);
    expect(engine.distrusted).toEqual(['a debugger?']);
  });

  test('gives no cycles where the clock is coarse', () => {
    const view = viewOf(synthetic({ ...small, coarse: true }));
    const found = view.case(view.engines[0], contest, 'lanewise simd')!;
    expect(found.cycles).toBeUndefined();
    expect(found.nanoseconds).toHaveLength(2);
  });
});
