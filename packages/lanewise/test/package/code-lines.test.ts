/** Code lines are counted without comments and blank lines. */
// Runs in Node only: about a script.
import { expect, test } from 'vitest';
import { ceilings, codeLinesOf, excesses, labLines, LATER, libraryLines } from '../../scripts/code-lines.ts';

test.each([
  ['', 0],
  ['\n\n// a comment\n', 0],
  ['/**\n * A comment.\n */\nconst x = 1; // and one behind\n', 1],
  ['const x = `a\n// not a comment\n\n`;\n', 4],
  ['f(\n  1,\n\n  /* none */\n  2,\n);\n', 4],
  ['const x = `${1}//`; /* a\n b */\nconst y = "/*";\n', 2],
  ['/** @type */ export {};\n', 1],
])('%j', (text, lines) => expect(codeLinesOf(text)).toBe(lines));

const counts = libraryLines();
const SUMS = [
  'kernels, rounds, calls and bindings',
  'io, work, streams, pools, jobs and files of pages',
  'the library',
];

test('all folders of the library are counted, without what is generated', () => {
  expect([...counts.keys()]).toEqual(expect.arrayContaining(['doors', 'chacha', 'wasm', 'engine', 'io', ...SUMS]));
  expect(Math.min(...counts.values())).toBeGreaterThan(0);
});

test('each line is in one room, and in one of two parts', () => {
  const [computes, moves, all] = SUMS.map((name) => counts.get(name)!);
  expect(computes + moves).toBe(all);
  const rooms = [...counts].filter(([name]) => !SUMS.includes(name) && !LATER.has(name));
  expect(rooms.reduce((sum, [, lines]) => sum + lines, 0)).toBe(all);
});

test("the lab's rooms of primitives that came later have a ceiling of their own", async () => {
  const lines = labLines();
  expect([...lines.keys()]).toEqual(['the lab', "the lab's rooms that came later"]);
  expect(Math.min(...lines.values())).toBeGreaterThan(0);
  expect(excesses(lines, await ceilings(lines.keys()))).toEqual([]);
});

test('a room with more lines than its ceiling is told, as is one without a ceiling', async () => {
  const most = await ceilings(counts.keys());
  expect(excesses(counts, most)).toEqual([]);
  for (const name of counts.keys()) {
    const larger = new Map(counts).set(name, most.get(name)! + 1);
    expect(excesses(larger, most), name).toEqual([
      `${name} has ${most.get(name)! + 1} lines of code, of at most ${most.get(name)!}`,
    ]);
  }
  const grown = new Map(counts).set('a new room', 1);
  expect(excesses(grown, await ceilings(grown.keys()))).toEqual([
    'a new room has 1 lines of code, and states no ceiling',
  ]);
});
