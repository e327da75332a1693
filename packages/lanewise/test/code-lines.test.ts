/** Code lines are counted without comments and blank lines. */
// Runs in Node only: about a script.
import { expect, test } from 'vitest';
import { codeLinesOf, libraryLines } from '../scripts/code-lines.ts';

test.each([
  ['', 0],
  ['\n\n// a comment\n', 0],
  ['/**\n * A comment.\n */\nconst x = 1; // and one behind\n', 1],
  ['const x = `a\n// not a comment\n\n`;\n', 4],
  ['f(\n  1,\n\n  /* none */\n  2,\n);\n', 4],
  ['const x = `${1}//`; /* a\n b */\nconst y = "/*";\n', 2],
  ['/** @type */ export {};\n', 1],
])('%j', (text, lines) => expect(codeLinesOf(text)).toBe(lines));

test('all folders of the library are counted, without what is generated', () => {
  const counts = libraryLines();
  expect([...counts.keys()]).toEqual(expect.arrayContaining(['', 'chacha', 'wasm', 'engine']));
  expect(Math.min(...counts.values())).toBeGreaterThan(0);
});
