/** The hashes that files should have, as the app reads them. */
import { expect, it } from 'vitest';
import { Expected } from '../app/src/expected.ts';

const [one, other] = ['1'.repeat(64), 'a'.repeat(64)];

it('two hashes for one name are an error that says so: either would be compared, and nobody would know which', () => {
  for (const lines of [`${one}  setup.exe\n${other}  setup.exe`, `${one}  setup.exe\n\\${other}  setup.exe\n`])
    expect(() => new Expected(lines, 1)).toThrow('Two expected hashes have the same name, setup.exe. Keep the line');
});

it('the same line twice is one', () => {
  const expected = new Expected(`${other}  a\n${other.toUpperCase()}  a\n${one}  b\n`, 2);
  expect(expected.verdict('a', other)?.kind).toBe('done');
  expect(expected.verdict('b', other)?.kind).toBe('differs');
});
