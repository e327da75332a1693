/** Every case of a contest gives the right answer, before it is measured and after. */
import { describe, expect, test } from 'vitest';
import { contests } from '../src/client/catalogue.ts';
import type { ClientContest, Context } from '../src/client/contest.ts';
import { seeded } from '../src/client/random.ts';

const context = (): Context => ({
  kind: 'default',
  random: seeded(7),
  place: 'node',
  surroundings: {},
  hooks: {},
  evaluated: 1,
});

/** One of each kind: neighbouring lengths run the same code. */
const some = contests.filter(
  ({ axis, kinds, parameters }) =>
    (kinds.includes('default') || axis === 'studies') &&
    (axis !== 'length' || [0, 1, 63, 64, 65, 1025, 4096].includes(Number(parameters['length']))),
);

/**
 * A known failure of a rival: a message of one MiB does not fit into the memory of hacl-wasm, which does not notice.
 */
const known = new Set(['platforms/blake3/hash/1048576: hacl-wasm, SHA-256']);

describe('every case of a contest gives the right answer', () => {
  const own = some.filter((contest) => contest.form === 'rounds');
  test.each(own.map((contest) => [contest.id, contest] as const))('%s', async (_, contest) => {
    const { cases, absent, end } = await contest.prepare(context());
    try {
      expect(cases.length).toBeGreaterThan(0);
      expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
      for (const item of cases) {
        expect(item.description.id).toBe(item.id);
        if (!known.has(`${contest.id}: ${item.id}`)) expect(await item.fault(), item.id).toBeUndefined();
        // Operations must be repeatable, because they are timed, and checked again at the end.
        item.before?.();
        if (!item.time) await item.run();
        if (!known.has(`${contest.id}: ${item.id}`)) expect(await item.fault(), `${item.id}, again`).toBeUndefined();
      }
      for (const { reason } of absent) expect(reason).not.toBe('');
      // All our engines are available: this machine has WebAssembly with vectors.
      expect(absent.filter(({ contestant }) => contestant === 'lanewise')).toEqual([]);
    } finally {
      for (const item of cases) item.end?.();
      end?.();
    }
  });

  const cold = some.filter(
    (contest): contest is Extract<ClientContest, { measure: unknown }> => contest.form !== 'rounds',
  );
  test.each(cold.map((contest) => [contest.id, contest] as const))('%s', async (_, contest) => {
    const { cases, nanoseconds, absent } = await contest.measure(context());
    expect(absent).toEqual([]);
    expect(Object.keys(nanoseconds)).toEqual(cases.map(({ id }) => id));
    for (const values of Object.values(nanoseconds)) {
      expect(values.length).toBeGreaterThan(contest.form === 'once' ? 0 : 2);
      for (const value of values) expect(value).toBeGreaterThan(0);
    }
  });
});
