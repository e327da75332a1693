/** The pages on disks and on "Salsa20 speed": they ask for cases that there are, and their words follow the figures. */
import { expect, test } from 'vitest';
import { contests as allContests } from '../src/client/catalogue.ts';
import { seeded } from '../src/client/random.ts';
import { study as disks } from '../src/studies/disks/study.ts';
import type { Machine } from '../src/studies/machine.ts';
import { pageOf } from '../src/studies/pages.ts';
import { study as salsa20Speed } from '../src/studies/salsa20-speed/study.ts';

const studies = [disks, salsa20Speed];
/** Every length runs the same code. */
const LENGTHS = [64, 65, 1024, 1025, 4096];
const isUsed = (id: string): boolean =>
  studies.some(({ contests }) => contests.some((name) => id === name || (name.endsWith('/') && id.startsWith(name)))) &&
  (!id.startsWith('length/') || LENGTHS.includes(Number(id.split('/').at(-1))));

/** The names of the cases of each contest, in Node, and of those that cannot take part here. */
const names = new Map<string, readonly string[]>();
const missing = new Map<string, readonly string[]>();
for (const contest of allContests) {
  if (contest.form !== 'rounds' || !isUsed(contest.id)) continue;
  const { cases, absent, end } = await contest.prepare({
    kind: 'default',
    random: seeded(3),
    place: 'node',
    surroundings: {},
    hooks: {},
    evaluated: 1,
  });
  names.set(
    contest.id,
    cases.map(({ id }) => id),
  );
  missing.set(
    contest.id,
    absent.map((each) => each.case),
  );
  for (const item of cases) item.end?.();
  end?.();
}

type Nanoseconds = (engine: string, contest: string, id: string) => number;

/** A machine with two engines, where each case takes the time that is given. */
function machine(nanoseconds: Nanoseconds, asked = new Set<string>()): Machine {
  const of: Machine['nanoseconds'] = (engine, contest, id) => {
    asked.add(`${contest}: ${id}`);
    return names.get(contest)?.includes(id) === true ? nanoseconds(engine, contest, id) : undefined;
  };
  const engines = [
    { id: 'node26', name: 'Node 26.10' },
    { id: 'firefox', name: 'Firefox 153.7' },
  ];
  return {
    processor: 'Test CPU',
    clockStep: () => undefined,
    deviations: () => [],
    results: [],
    engines: (...contests) => (contests.some((contest) => names.has(contest)) ? engines : []),
    cases: (_, contest) => names.get(contest) ?? [],
    nanoseconds: of,
    speed(engine, contest, id) {
      const time = of(engine, contest, id);
      return time === undefined ? undefined : 1e6 / time;
    },
    cycles: of,
    faster(engine, contest, id, than) {
      const [one, other] = [of(engine, contest, id), of(engine, contest, than)];
      return one === undefined || other === undefined ? undefined : other / one;
    },
    contests: (beginning) => [...names.keys()].filter((id) => id.startsWith(beginning)),
    parameter: (_, __, ___, name) => (name === 'codeBytes' || name === 'stateBytes' ? 1234 : undefined),
  };
}

const drawn = (study: (typeof studies)[number], nanoseconds: Nanoseconds, asked?: Set<string>) =>
  pageOf(study, { ...machine(nanoseconds, asked), others: [machine(() => 300)] });

test('the contests are there', () => {
  expect(names.size).toBeGreaterThan(25);
  for (const [id, cases] of names) expect(cases.length, id).toBeGreaterThan(0);
});

test.each(studies)('$id asks for cases that there are', (study) => {
  const asked = new Set<string>();
  const { text, pictures } = drawn(study, () => 100, asked);
  // Calls behind promises cannot be compared one by one, and no length of the curve is asked for that has no neighbour.
  const absent = [...asked].filter((each) => {
    const [, contest, id] = /^(\S+): (.*)$/.exec(each)!;
    const mayLack = /^studies\/salsa20-speed\/(?:alignment|keys|context)\//.test(contest) && id.startsWith('WebCrypto');
    return names.has(contest) && !mayLack && ![...names.get(contest)!, ...missing.get(contest)!].includes(id);
  });
  expect(absent).toEqual([]);
  // A picture for each section but the last, and both curves of lengths.
  const sections = text.match(/^## /gm)!.length;
  // The section on what the page means has none; those on every length and on positions have two.
  expect(pictures.size).toBe(study.id === 'disks' ? sections - 1 : sections + 1);
  expect(text).not.toMatch(/undefined|NaN|Infinity|\[object/);
});

test('a page has nothing of contests that were not measured', () => {
  const empty: Machine = { ...machine(() => 1), engines: () => [], contests: () => [] };
  for (const study of studies) {
    const { text, pictures } = pageOf(study, { ...empty, others: [] });
    expect(pictures.size).toBe(0);
    expect(text).toBe('No result of this processor has these contests yet.');
  }
});

test('sentences choose their words by the figures', () => {
  const registers = (lanes: number): Nanoseconds => {
    const times: Readonly<Record<string, number>> = { 'rows 3x1 and integers by hand': 100, 'rows 3x1 by hand': 130 };
    return (engine, _, id) => (/^(?:memory|locals) 1x4/.test(id) && engine === 'node26' ? lanes : (times[id] ?? 100));
  };
  const slower = drawn(disks, registers(125)).text;
  expect(slower).toContain('It is slower in Node 26.10 (0.80 times)');
  expect(slower).toContain('In Firefox 153.7 the two are alike.');
  expect(slower).toContain('three blocks by rows 1.3 times as fast');
  const faster = drawn(disks, registers(80)).text;
  expect(faster).toContain('faster than the mixture in Node 26.10 (1.25 times)');
  expect(faster).not.toContain('It is slower in');
});

test('AES is ahead from the length at which it stays so', () => {
  const from =
    (least: number): Nanoseconds =>
    (_, contest, id) =>
      id === 'node:crypto, AES-256-CTR' && Number(contest.split('/').at(-1)) >= least ? 50 : 100;
  expect(drawn(salsa20Speed, from(4096)).text).toContain('from 4 KiB in Node 26.10');
  expect(drawn(salsa20Speed, from(2 ** 20)).text).toContain('at no length up to 64 KiB in Node 26.10');
});
