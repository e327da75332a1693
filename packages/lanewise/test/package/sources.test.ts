/** Syntax that the sources must avoid, because of the compilers and engines of their users. */
// Runs in Node only: about the text of the sources.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '../../src');
const files = globSync('**/*.ts', { cwd: src });
/** Without comments, in which examples stand. */
const codeOf = (file: string): string =>
  readFileSync(join(src, file), 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');

test('no power of bigints: compilers for older engines (Babel, for Hermes) make Math.pow of it, which throws', () => {
  expect(files.length).toBeGreaterThan(80);
  expect('2n ** 64n').toMatch(/\dn\s*\*\*|\*\*\s*\d+n/);
  expect(files.filter((file) => /\dn\s*\*\*|\*\*\s*\d+n/.test(codeOf(file)))).toEqual([]);
});
