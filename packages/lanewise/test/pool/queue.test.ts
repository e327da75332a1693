/** The queue of a pool: the cost of a call while many others wait, and the rest of those that were given up. */
import { expect, test } from 'vitest';
import type { Work } from '../../src/work/threads.ts';
import { Crew } from '../../src/pool/crew.ts';

const THREADS = 2;
const TASKS = 2000;

/** Workers that never start, so that the caller's thread is the only one. */
const spawn = () => ({
  on: () => undefined,
  ref: () => undefined,
  unref: () => undefined,
  terminate: () => Promise.resolve(),
  postMessage: () => undefined,
});

/** Work whose first task takes as long as it is told. */
function counted(isLong = false): { work: Work<object, void>; looks: () => number; begun: object[]; end: () => void } {
  const begun: object[] = [];
  let looks = 0;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = {
    kind: 'none',
    parameters: undefined,
    secrets: [],
    get isLong() {
      looks++;
      return isLong;
    },
    here(job: object) {
      begun.push(job);
      return ended;
    },
  };
  return { work: work, looks: () => looks, begun, end };
}

test.each([false, true])('a long call looks at itself only, if the caller works: %s', async (callerWorks) => {
  const crew = new Crew(THREADS, spawn, 1000, callerWorks);
  const { work, looks, begun } = counted(true);
  const session = crew.session(work);
  const all = Array.from({ length: TASKS }, (_, i) => session.run({ i }));
  expect(looks()).toBeLessThan(TASKS + 10);
  expect(begun, 'long work is left for workers').toEqual([]);
  session.close();
  await Promise.allSettled(all);
  expect(looks()).toBeLessThan(TASKS + 10);
  await crew.close();
});

test.each([false, true])('a call looks at no other that waits, if the caller works: %s', async (callerWorks) => {
  const crew = new Crew(THREADS, spawn, 1000, callerWorks);
  const { work, looks, begun, end } = counted();
  const session = crew.session(work);
  const all = Array.from({ length: TASKS }, (_, i) => session.run({ i }));
  expect(looks()).toBeLessThan(10);
  expect(begun).toEqual([{ i: 0 }]);
  session.close();
  await Promise.allSettled(all);
  expect(looks()).toBeLessThan(10);
  end();
  await crew.close();
});

test('what was given up is skipped, and what waits behind it is done in its turn', async () => {
  const crew = new Crew(THREADS, spawn, 1000, true);
  const { work, begun, end } = counted();
  const sessions = Array.from({ length: 30 }, () => crew.session(work));
  const all = sessions.map((session, i) => session.run({ i }));
  // Few of them at first, which stay in the queue, then most.
  const given = [3, 4, 9, 17, 0, ...Array.from({ length: 30 }, (_, i) => i).filter((i) => i % 3 !== 1)];
  for (const i of new Set(given)) sessions[i].close();
  end();
  const outcomes = await Promise.allSettled(all);
  const done = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []));
  expect(done).toEqual(Array.from({ length: 30 }, (_, i) => i).filter((i) => !new Set(given).has(i)));
  expect(begun.map((job) => (job as { i: number }).i)).toEqual([0, ...done]);
  await crew.close();
});
