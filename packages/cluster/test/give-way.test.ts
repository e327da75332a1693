/** Transactions of PostgreSQL that gave way to others are made again; all other errors come through. */
import { expect, test } from 'vitest';
import { createRepeatingBackend, repeated } from '../src/queue/give-way.ts';

const failing = (
  code: string | undefined,
  times: number,
): { readonly asked: unknown[][]; readonly query: Parameters<typeof repeated>[0] } => {
  const asked: unknown[][] = [];
  return {
    asked,
    query: (...call) => {
      asked.push(call);
      return asked.length <= times ? Promise.reject(Object.assign(new Error('no'), { code })) : Promise.resolve('rows');
    },
  };
};

test.each(['40P01', '40001'])('%s: the same command again, until it is done', async (code) => {
  const { asked, query } = failing(code, 3);
  expect(await repeated(query)('select 1', ['a'])).toBe('rows');
  expect(asked).toEqual(Array.from({ length: 4 }, () => ['select 1', ['a']]));
});

test.each(['23505', 'BM001', 'ECONNRESET', undefined])('%s: an error at once', async (code) => {
  const { asked, query } = failing(code, 1);
  await expect(repeated(query)('select 1', [])).rejects.toThrow('no');
  expect(asked).toHaveLength(1);
});

test('ten times, and then an error', async () => {
  const { asked, query } = failing('40P01', 99);
  await expect(repeated(query)('select 1', [])).rejects.toThrow('no');
  expect(asked).toHaveLength(10);
});

test("BullMQ's backend sends its commands by the method that is replaced", () => {
  const backend = createRepeatingBackend('queue', { connection: { connectionString: 'postgres://127.0.0.1:1/none' } });
  const prototype = Object.getPrototypeOf(backend) as { query: unknown };
  expect(typeof prototype.query).toBe('function');
  expect(Object.hasOwn(backend, 'query')).toBe(true);
});
