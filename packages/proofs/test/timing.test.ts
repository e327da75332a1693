/** The program that times the `js` engine: its arguments, and its judgement of times whose truth is known. No test here rests on how long anything takes. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { key, PLANTED_BIT, PLANTED_STOP } from '../src/timing/calls.ts';
import { choiceOf } from '../src/timing/choice.ts';
import { HOSTS } from '../src/timing/hosts.ts';
import { clockOf, measured, type Clock } from '../src/timing/measure.ts';
import { rowOf, unseen, type Row } from '../src/timing/rows.ts';

describe('the arguments', () => {
  it.each([
    [['--host', 'safari'], '--host is one of: node, bun, chromium, firefox, hermes; not "safari"'],
    [['--host', 'toString'], '--host is one of'],
    [['--code', 'jit'], '--code of node is one of: optimized, baseline, interpreter; not "jit"'],
    [['--host', 'hermes', '--code', 'optimized'], '--code of hermes is one of: interpreter; not "optimized"'],
    [['--only', 'chacha20', '--only', 'aes'], 'no call has "aes" in its name'],
    [['--seconds', '0'], '--seconds is a number above 0'],
    [['--seconds', 'Infinity'], '--seconds is a number above 0'],
    [['--seconds', 'ten'], '--seconds is a number above 0'],
    [['--minutes', '1'], "Unknown option '--minutes'"],
    [['chacha20'], "Unexpected argument 'chacha20'"],
  ])('%j is refused', (given, message) => {
    expect(() => choiceOf(given)).toThrow(message);
  });

  it('a wrong one ends the program with exit code 2', () => {
    const program = join(import.meta.dirname, '../src/timing/words.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--host', 'safari'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--host is one of');
  });

  it('choose calls, and the planted leaks are always among them', () => {
    const { host, code, plan } = choiceOf(['--only', 'salsa', '--only', 'serpent', '--seconds', '0.5']);
    expect(host).toBe(HOSTS['node']);
    expect([code, plan.milliseconds]).toEqual(['optimized', 500]);
    expect(plan.names).toEqual(['salsa20', 'serpent, ctr', 'serpent, ocb', PLANTED_BIT, PLANTED_STOP]);
    expect(choiceOf([]).plan.names.length).toBeGreaterThan(20);
  });
});

/** A clock by which nothing passes but 50 ns for each reading, and the time that `pass` adds. */
function imagined(step: number): { clock: Clock; pass: (nanoseconds: number) => void } {
  let at = 0;
  const now = (): number => Math.floor((at += 5e-5) / step) * step;
  return { clock: { now, step }, pass: (nanoseconds) => void (at += nanoseconds / 1e6) };
}

describe('a difference', () => {
  const noise = (): number => 100 * Math.random();

  it.each([
    ['10 ns', 1e-5],
    ['5 µs', 5e-3],
    ['1 ms', 1],
  ])('of 2% is seen by a clock with steps of %s, and none where there is none', (_, step) => {
    const { clock, pass } = imagined(step);
    const milliseconds = 3000 * Math.max(step, 0.005);
    const longer = measured('it', 'top bits', clock, milliseconds, () => pass((key[3] & 0x80 ? 1020 : 1000) + noise()));
    const row = rowOf(longer);
    expect(row.t).toBeGreaterThan(10);
    expect(row.ofPairs).toBeGreaterThan(10);
    expect(row.difference).toBeGreaterThan(0);
    expect(row.ratio).toBeCloseTo(1.02, 2);
    expect(Math.abs(row.ratio - 1.02)).toBeLessThan(3.3 * row.error + 0.002);
    const same = measured('it', 'random, random', clock, milliseconds, () => pass(1000 + noise()));
    expect(rowOf(same).t).toBeLessThan(10);
    expect(rowOf(same).ofPairs).toBeLessThan(10);
  });

  it('is that of a single call, however many are one time', () => {
    const { clock, pass } = imagined(5e-3);
    const sample = measured('it', 'top bits', clock, 100, () => pass(key[3] & 0x80 ? 2000 : 1000));
    expect(sample.calls).toBeGreaterThan(10);
    const { difference, ratio } = rowOf(sample);
    expect(difference).toBeCloseTo(1000, -2);
    expect(ratio).toBeCloseTo(2, 1);
  });

  it('a clock tells its step', () => {
    expect(clockOf(imagined(5e-3).clock.now).step).toBeCloseTo(5e-3, 9);
  });
});

it('planted leaks that do not show are named', () => {
  const row = (name: string, classes: Row['classes'], t: number): Row => ({
    ...rowOf({ name, classes, times: [1, 1, 1, 1], calls: 1 }),
    t,
  });
  const seen = [row(PLANTED_BIT, 'top bits', 11), row(PLANTED_STOP, 'fixed, random', 11)];
  expect(unseen(seen)).toEqual([]);
  expect(unseen([seen[0], row(PLANTED_STOP, 'fixed, random', 9)])).toEqual([`${PLANTED_STOP} (fixed, random)`]);
  expect(unseen([{ ...row(PLANTED_BIT, 'top bits', 0), ofPairs: 11 }, seen[1]])).toEqual([]);
  expect(unseen([row(PLANTED_BIT, 'random, random', 11), seen[1]])).toEqual([`${PLANTED_BIT} (top bits)`]);
  expect(unseen([])).toHaveLength(2);
});

it.each(HOSTS['node'].codes)('Node gives samples, %s', async (code) => {
  const { host, engine, step, samples } = await HOSTS['node'].run(code, {
    names: ['poly1305', PLANTED_STOP],
    milliseconds: 1,
  });
  expect(host).toContain(process.versions.v8);
  expect(engine).toBe('js');
  expect(step).toBeGreaterThan(0);
  expect(samples.map(({ name, classes }) => `${name}; ${classes}`)).toEqual(
    ['poly1305', PLANTED_STOP].flatMap((name) =>
      ['top bits', 'fixed, random', 'random, random'].map((classes) => `${name}; ${classes}`),
    ),
  );
  for (const { times } of samples) {
    expect(times.length).toBeGreaterThanOrEqual(400);
    expect(times.every((time) => time >= 0)).toBe(true);
  }
});
