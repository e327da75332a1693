// `npm run prove`: its output, the files that it writes, and its exit codes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { allClaims } from '../src/claims/index.ts';
import { texts } from '../src/javascript/texts.ts';
import { kernels } from '../src/kernels.ts';
import { report, topicOf, type Proved } from '../src/prove-report.ts';

const script = join(import.meta.dirname, '../src/prove.ts');
function run(...options: string[]): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], { encoding: 'utf8' });
  return { status, out: stripVTControlCharacters(stdout), error: stripVTControlCharacters(stderr) };
}

describe('the command', () => {
  it('proves, shows and writes what was asked for', () => {
    const folder = mkdtempSync(join(tmpdir(), 'prove-'));
    const file = join(folder, 'proved.json');
    try {
      const { status, out } = run('--only', 'chacha short scalar: HChaCha', '--json', file);
      expect(status).toBe(0);
      expect(out).toMatch(/^chacha short scalar {2}keystream +\d+\.\d\d s {2}proved$/m);
      const shipped = kernels.length + texts.length;
      expect(out).toMatch(
        new RegExp(`^1 kernels proved / ${shipped} kernels shipped \\(1 of the \\d+ claims were asked for\\)$`, 'm'),
      );
      expect(out).toMatch(/^1 of 1 claims in \d+\.\d s$/m);
      const written = JSON.parse(readFileSync(file, 'utf8')) as { claims: Proved[] };
      expect(written.claims).toEqual([
        {
          kernel: 'chacha short scalar',
          topic: 'keystream',
          claim: 'HChaCha: 8, 12 and 20 rounds',
          seconds: expect.any(Number) as number,
          amounts: expect.any(Object) as object,
        },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has nothing to prove', () => {
    const { status, error } = run('--only', 'no such claim');
    expect(status).toBe(2);
    expect(error).toBe('no claim has "no such claim" in it\n');
  });

  it('explains itself', () => {
    const { status, out } = run('--help');
    expect(status).toBe(0);
    expect(out).toContain('--only TEXT');
  });
});

describe('the report', () => {
  const entry = (kernel: string, claim: string, failure?: string): Proved => ({
    kernel,
    claim,
    topic: topicOf({ kernel, claim, prove: () => undefined }),
    seconds: 0.25,
    failure,
    amounts: {},
  });
  const shipped = [entry('a', 'x'), entry('a', 'y'), entry('b', 'x')];
  const reported = (proved: Proved[], all = false, missing: string[] = []): { lines: string[]; exitCode: number } => {
    const { text, exitCode } = report(proved, { shipped, seconds: 1, all, missing });
    return { lines: stripVTControlCharacters(text).split('\n'), exitCode };
  };

  it('has a row for what claims are about, and all of their time', () => {
    const { lines, exitCode } = reported([entry('a', 'x: 1'), entry('a', 'x: 2'), entry('b', 'long name')]);
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      'a  x             0.50 s  2 proved',
      '',
      'b  long name     0.25 s  proved',
      '',
      '2 kernels proved / 2 kernels shipped',
      '3 of 3 claims in 1.0 s',
    ]);
  });

  it('has a row for each claim if wanted', () => {
    const { lines } = reported([entry('a', 'x: 1'), entry('a', 'x: 2'), entry('b', 'y')], true);
    expect(lines.slice(0, 2)).toEqual(['a  x: 1     0.25 s  proved', '   x: 2     0.25 s  proved']);
  });

  it('names claims that there were', () => {
    const { lines, exitCode } = reported([entry('a', 'x: 1')], false, ['a: x: 2']);
    expect(exitCode).toBe(1);
    expect(lines.slice(2, 4)).toEqual([
      'not claimed any more  a: x: 2',
      '    it is in claims.golden.json; if it is meant to go, npm run golden',
    ]);
  });

  it('says how much is covered, if it was asked for', () => {
    const covered = (kernel: string, failure?: string): Proved => ({
      ...entry(kernel, 'coverage: all', failure),
      amounts: { places: 1234, exceptions: 2 },
    });
    expect(reported([covered('a'), covered('b')]).lines.at(-2)).toBe(
      'coverage: 100 % of 2,468 instructions and ways of branches, but for 4 of which the list says why',
    );
    expect(reported([covered('a'), covered('b', 'Failure: f: not run')]).lines.at(-2)).toBe(
      'coverage: 1 of 2 kernels are not covered',
    );
  });

  it('says how lengths were drawn, if any were', () => {
    expect(reported([entry('a', 'left in memory: seal, 50 numbers of bytes, drawn')]).lines.at(-2)).toBe(
      'lengths that were drawn: PROVE_SEED=1',
    );
  });

  it('says what is not proved and why, and does not count its kernel', () => {
    const { lines, exitCode } = reported([entry('a', 'x: 1'), entry('a', 'x: 2', 'Failure: why'), entry('b', 'y')]);
    expect(exitCode).toBe(1);
    expect(lines[0]).toBe('a  x     0.50 s  1 of 2 NOT PROVED');
    expect(lines.slice(-5)).toEqual([
      'not proved  a: x: 2',
      '    Failure: why',
      '',
      '1 kernels proved / 2 kernels shipped',
      '2 of 3 claims in 1.0 s',
    ]);
  });
});

it('is about every kernel that ships, in all respects', () => {
  const claims = allClaims();
  const names = [...kernels, ...texts].map(({ name }) => name);
  expect([...new Set(claims.map(({ kernel }) => kernel))]).toEqual(names);
  for (const { name } of kernels) {
    const own = claims.filter(({ kernel }) => kernel === name).map(({ claim }) => claim);
    expect(new Set(own).size, name).toBe(own.length);
    const same = own.some((claim) => claim.startsWith('plain form:'));
    for (const topic of [
      'golden',
      'lints',
      'constant time',
      'known answers',
      ...(same ? [] : ['coverage', 'bounds', 'wiped after every call']),
    ])
      expect(own.filter((claim) => claim.startsWith(`${topic}:`)).length, `${name}, ${topic}`).toBeGreaterThan(0);
    if (same) continue;
    const coverage = claims.find(({ kernel, claim }) => kernel === name && claim.startsWith('coverage:'));
    expect(coverage?.after?.length, `${name}, results`).toBeGreaterThan(0);
  }
});
