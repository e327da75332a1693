/**
 * Calls that take a key first, and those of the objects that they make, called as wrongly as JavaScript can: an argument that is missing,
 * of another type or length, exchanged with another, or one too many; an option that is unknown or of another type. Each is an error in the
 * library's grammar, that names the argument, before anything of the caller's is read.
 */
import { expect, test } from 'vitest';
import { calls, type Any, type Argument, type Kind } from './key-first.ts';

/** Values of every kind, by their names. */
const VALUES: Readonly<Record<string, unknown>> = {
  undefined,
  null: null,
  'a number': 5,
  NaN,
  'a bigint': 5n,
  'a boolean': true,
  'a text': 'not what is expected',
  'a symbol': Symbol('text'),
  'a function': () => 5,
  'an object': {},
  'an array': [],
  'a Map': new Map(),
  'an ArrayBuffer': new ArrayBuffer(32),
  'words of 16 bits': new Uint16Array(16),
  'a DataView': new DataView(new ArrayBuffer(32)),
  bytes: new Uint8Array(7),
  'a promise': Promise.resolve(new Uint8Array(32)),
};

const names = (...wanted: readonly string[]): readonly string[] =>
  Object.keys(VALUES).filter((name) => !wanted.includes(name));
/** The values that are wrong for an option; undefined is as if it weren't given. */
const WRONG: Readonly<Record<Kind, readonly string[]>> = {
  bytes: names('undefined', 'bytes'),
  key: names('a text'),
  integer: names('undefined', 'a number'),
  signal: names('undefined'),
  function: names('undefined', 'a function'),
  pool: names('undefined'),
  boolean: names('undefined', 'a boolean'),
  place: names('undefined'),
  text: names('undefined', 'a text', 'bytes'),
  mode: names('undefined', 'a function'),
};

const GRAMMAR = /^(TypeError|RangeError): "[\w.[\]]+" expected .+, got .+/;

/** What a call says: its error, or that it took the arguments. */
async function said(call: Any, values: readonly unknown[]): Promise<string> {
  try {
    await call(...values);
    return 'accepted';
  } catch (error) {
    return String(error);
  }
}

/** Makes a call with values in the place of right ones, and returns why it isn't refused as it should be. */
async function fault(
  call: Any,
  of: readonly Argument[],
  change: (values: unknown[]) => unknown[],
): Promise<string | undefined> {
  let uses = 0;
  const right = of.map(({ value }) => value(() => uses++));
  const answer = await said(call, change(right));
  if (!GRAMMAR.test(answer)) return answer;
  return uses === 0 ? undefined : `used ${uses} times: ${answer}`;
}

test('the calls are those that take a key first', () => expect(calls.length).toBeGreaterThan(45));

test.each(calls)('$title', async ({ title, call, of }) => {
  const accepted = await said(
    call,
    of.map(({ value }) => value(() => undefined)),
  );
  if (title === 'sqlite openDatabase') expect(accepted).toBe('Error: unable to open database file');
  else if (/^sqlite (check|copy)Database/.test(title))
    expect(accepted).toBe('Error: there is no file /none/such/notes.db');
  else if (/opener$/.test(title)) expect(accepted).not.toMatch(GRAMMAR);
  else expect(accepted).toBe('accepted');
  const found: string[] = [];
  const wrong = async (what: string, change: (values: unknown[]) => unknown[]): Promise<void> => {
    const answer = await fault(call, of, change);
    if (answer) found.push(`${what}: ${answer}`);
  };
  for (const [at, { length, options = {}, also = [] }] of of.entries()) {
    const place = `argument ${at}`;
    for (const name of names(...also)) await wrong(`${place} is ${name}`, (values) => values.with(at, VALUES[name]));
    if (length !== undefined)
      for (const other of [0, length - 1, length + 1, 2 * length])
        await wrong(`${place} has ${other} bytes`, (values) => values.with(at, new Uint8Array(other)));
    for (let other = 0; other < at; other++)
      await wrong(`arguments ${other} and ${at} are exchanged`, (values) =>
        values.with(at, values[other]).with(other, values[at]),
      );
    if (!Object.keys(options).length) continue;
    const given = (values: unknown[], name: string, value: unknown): unknown[] =>
      values.with(at, { ...(values[at] as object), [name]: value });
    for (const name of ['misspelled', 'iv', 'toString'])
      await wrong(`option ${name}`, (values) => given(values, name, 1));
    for (const [name, kind] of Object.entries(options))
      for (const value of WRONG[kind])
        await wrong(`option ${name} is ${value}`, (values) => given(values, name, VALUES[value]));
  }
  await wrong('one argument more', (values) => [...values, 5]);
  if (of.length > 0) await wrong('no arguments', () => (of[0].also?.includes('undefined') ? [null] : []));
  expect(found).toEqual([]);
});
