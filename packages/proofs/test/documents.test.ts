/** The prover's size stated in SOUNDNESS.md is its actual size. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../src');
/**
 * Damaged kernels and copies of the library are for tests; no claim loads the code that writes
 * obligations for other solvers, that which reads V8's, or that which times the `js` engine.
 */
const NOT_TRUSTED = ['mutations', 'library', 'smt', 'certificate', 'machine-code', 'timing'];
/** A room's files for mutations belong to the mutations, too. */
const MUTATIONS = ['about.ts', 'faults.ts', 'length-faults.ts', 'random-calls.ts'];

/** Lines that are neither blank nor a comment. */
const linesIn = (folder: string): number =>
  readdirSync(folder, { recursive: folder !== source, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !MUTATIONS.includes(basename(name)))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length;

const folders = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_TRUSTED.includes(entry.name))
  .map(({ name }) => name);
const text = readFileSync(join(import.meta.dirname, '../SOUNDNESS.md'), 'utf8');
const number = (digits: string): number => Number(digits.replace(',', ''));
const [, paragraph] = /## B\. The prover\n\n([^]*?)\n\n/.exec(text)!;

it('SOUNDNESS.md counts the lines of the prover, to 15 of 100', () => {
  const said = new Map([...paragraph.matchAll(/([a-z-]+)\s([\d,]+)[,;.]/g)].map(([, name, n]) => [name, number(n)]));
  const counted = folders.map((name) => [name, linesIn(join(source, name))] as const);
  for (const [name, lines] of counted) expect(Math.abs(said.get(name)! / lines - 1), name).toBeLessThan(0.15);
  const all = counted.reduce((sum, [, lines]) => sum + lines, linesIn(source));
  const [, total, ofWebAssembly] = /some ([\d,]+) lines[^]*?some ([\d,]+)/.exec(paragraph)!;
  expect(Math.abs(number(total) / all - 1)).toBeLessThan(0.05);
  const javascript = linesIn(join(source, 'javascript'));
  expect(Math.abs(number(ofWebAssembly) / (all - javascript) - 1)).toBeLessThan(0.05);
});
