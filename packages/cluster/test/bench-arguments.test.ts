/** Wrong calls of `npm run figures:cluster` and `npm run scaling:cluster`: one line with the remedy, and exit code 2. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFiguresCommand, readScalingCommand } from '../bench/arguments.ts';

const programs = { 'figures:cluster': 'figures.ts', 'scaling:cluster': 'scaling/scaling.ts' };

describe.each(Object.entries(programs))('npm run %s', (name, file) => {
  const program = join(import.meta.dirname, '../bench', file);
  const call = (...values: readonly string[]) =>
    spawnSync(process.execPath, [program, ...values], { encoding: 'utf8' });

  it.each([
    [['--wrong'], "Unknown option '--wrong'; --help lists the options"],
    [['more'], "Unexpected argument 'more'; --help lists the options"],
  ])('refuses %j', (values, reason) => {
    const { status, stdout, stderr } = call(...values);
    expect(stderr).toBe(`${name}: ${reason}\n`);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  it('helps', () => {
    const { status, stdout, stderr } = call('--help');
    expect(stdout).toContain(`npm run ${name}`);
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

describe('figures', () => {
  it.each([
    [['--rounds', 'x'], '--rounds expects a whole number from 1 to 1000, not "x"'],
    [['--rounds', '0'], '--rounds expects a whole number from 1 to 1000, not "0"'],
    [['--rounds', '1.5'], '--rounds expects a whole number from 1 to 1000, not "1.5"'],
    [['--rounds', '1', '--rounds', '2'], '--rounds is given more than once'],
    [['--mebibytes', ''], '--mebibytes expects a whole number from 1 to 1048576, not ""'],
    [['--only', 'sped'], '--only expects some of speed, overhead, killed, turns, ended, not "sped"'],
    [['--only', 'speed,'], '--only expects some of speed, overhead, killed, turns, ended, not ""'],
  ])('refuses %j', (values, reason) => {
    expect(() => readFiguresCommand(values)).toThrow(reason);
  });

  it('takes numbers and names', () => {
    expect(readFiguresCommand([])).toEqual({
      rounds: 7,
      mebibytes: 1024,
      parts: ['speed', 'overhead', 'killed', 'turns', 'ended'],
    });
    expect(readFiguresCommand(['--rounds', '2', '--mebibytes', '64', '--only', 'killed, speed'])).toEqual({
      rounds: 2,
      mebibytes: 64,
      parts: ['killed', 'speed'],
    });
  });
});

it('scaling', () => {
  expect(readScalingCommand([])).toEqual({ measure: false, write: false });
  expect(readScalingCommand(['--measure', '--write'])).toEqual({ measure: true, write: true });
});
