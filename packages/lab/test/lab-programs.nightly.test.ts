/** `lab` as people run it: exit codes, files, and the contents of each output stream. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Host } from '../src/results/schema.ts';
import { readResult } from '../src/results/store.ts';
import { field, header, synthetic } from './results-synthetic.ts';

const program = join(dirname(import.meta.dirname), 'src', 'lab.ts');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = { ...process.env, INIT_CWD: folder };
const lab = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env: environment, timeout: PATIENCE });

/** The time limit of runs on a busy machine. */
const PATIENCE = 180_000;

/** The Node that runs the tests, which need not be fetched. */
const engine = `node${process.versions.node.split('.')[0]}`;
const ONE = ['--engines', engine, '--quick', '--only', 'platforms/chacha20/encrypt/256'];

describe('a run', () => {
  let result: ReturnType<typeof lab>;
  beforeAll(() => {
    result = lab(...ONE, '--sessions', '1', '--seed', '7', '--out', 'one');
  }, PATIENCE);

  test('writes a result and a report', () => {
    expect(result.stderr).toMatch(/^Node \d+\.\d+\.\d+: session 1 of 1, \d+ s; \d+ of \d+ samples quiet/m);
    expect(result.stdout).toContain(`Written: ${join('one', 'results.json')} and ${join('one', 'report.html')}`);
    expect(result.stdout).not.toContain('\x1b');
    expect(readdirSync(join(folder, 'one')).toSorted()).toEqual(['report.html', 'results.json']);
    expect(result.status).toBe(0);
  });

  test('the result describes the run, and how to repeat it', () => {
    const { engines, contests, sessions, cases, seed, command } = readResult(join(folder, 'one', 'results.json'));
    expect(engines.map(({ id, version }) => [id, version])).toEqual([[engine, process.versions.node]]);
    expect(contests.map(({ id }) => id)).toContain('platforms/chacha20/encrypt/256');
    expect(sessions).toHaveLength(1);
    expect(sessions[0].done?.contests).toBe(contests.length);
    expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining(['lanewise simd', 'lanewise scalar', 'noble']));
    expect(seed).toBe(7);
    expect(command).toMatch(/^npm run lab -- .*--seed 7/);
  });

  test('nothing is overwritten', () => {
    const again = lab(...ONE, '--out', 'one');
    expect(again.stderr).toBe(`lab: ${join('one', 'results.json')} is there already; choose another --out\n`);
    expect(again.status).toBe(2);
  });

  test('tables and a report can be made of it again', () => {
    const path = join(folder, 'one', 'results.json');
    const written = JSON.parse(readFileSync(path, 'utf8')) as { sessions: { canaries: { trusted: boolean }[] }[] };
    // While this machine is busy its canary may be slow, and tables leave such sessions out: that is report.test.ts's matter.
    for (const { canaries } of written.sessions) {
      expect(canaries).toHaveLength(2);
      for (const canary of canaries) canary.trusted = true;
    }
    writeFileSync(join(folder, 'trusted.json'), JSON.stringify(written));
    const again = lab('report', 'trusted.json', '--out', 'again');
    expect(again.stdout).toMatch(/^lanewise simd +\d/m);
    expect(readFileSync(join(folder, 'again', 'report.html'), 'utf8')).toContain('lanewise simd');
    expect(again.status).toBe(0);
  });

  test('Ctrl-C keeps the findings so far, and says where', { timeout: PATIENCE }, async (context) => {
    if (process.platform === 'win32') context.skip('Windows has no SIGINT for other processes');
    const child = spawn(process.execPath, [program, ...ONE, '--sessions', '500', '--out', 'stopped'], {
      env: environment,
    });
    let [said, told] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
    const first = new Promise<void>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('session 1 of 500')) resolve();
      });
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await Promise.race([first, ended]);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(told).toContain(`Stopped; the findings so far are in ${join('stopped', 'results.json')}`);
    const { sessions } = readResult(join(folder, 'stopped', 'results.json'));
    expect(sessions[0].done).toBeDefined();
    expect(sessions.length).toBeLessThan(500);
  });
});

/** A result in which our SIMD engine takes this many times as long as it should. */
function file(
  name: string,
  factor: number,
  noise = { process: 0.01, round: 0.02 },
  processor?: Host['processor'],
): string {
  const speeds = field.map((speed) => {
    const slow = speed.description.engine === 'simd' ? factor : 1;
    return { ...speed, perCall: slow * speed.perCall, perByte: slow * speed.perByte };
  });
  const host = { ...header.host, ...(processor && { processor }) };
  const wanted = ({ id }: { id: string }): boolean => id === 'platforms/chacha20/encrypt/65536';
  const result = synthetic({ speeds, noise, wanted, header: { host } });
  writeFileSync(join(folder, name), JSON.stringify(result));
  return name;
}

test('report: the ratios of two machines stand side by side, on the terminal and in the file', () => {
  const exact = { process: 0, round: 0 };
  const zen5 = { vendor: 'AuthenticAMD', family: 26, model: 2, stepping: 1 };
  const other = file('other-machine.json', 1.1, exact, zen5);
  const result = lab('report', file('this-machine.json', 1, exact), '--beside', other, '--out', 'both');
  const names = [
    'Synthetic CPU (1), 2026-01-02',
    'Synthetic CPU (1), Zen 5 (family 26, model 2, stepping 1), 2026-01-02',
  ];
  expect(result.stdout).toMatch(/^Two machines side by side$/m);
  expect(result.stdout).toContain(names.join('  '));
  expect(result.stdout).toMatch(/libsodium\.js ÷ lanewise simd +3\.00 +2\.72 +0\.91$/m);
  const { document } = new JSDOM(readFileSync(join(folder, 'both', 'report.html'), 'utf8')).window;
  const head = [...document.querySelectorAll('#beside thead th')].map((cell) => cell.textContent);
  expect(head.slice(3, 5)).toEqual(names);
  expect(document.querySelectorAll('#beside tbody tr').length).toBeGreaterThan(1);
  expect(result.status).toBe(0);

  const nothing = lab('report', 'this-machine.json', '--beside', 'none.json');
  expect(nothing.stderr).toMatch(/^lab: \S*none\.json cannot be read/);
  expect(nothing.stdout).toBe('');
});

describe('compare', () => {
  test('a regression is exit code 1; the threshold defines it', () => {
    const [before, after] = [file('before.json', 1), file('after.json', 1.1)];
    const slower = lab('compare', before, after);
    expect(slower.stdout).toMatch(/^regression .*lanewise simd/m);
    expect(slower.status).toBe(1);
    expect(lab('compare', before, after, '--threshold', '20').status).toBe(0);
    expect(lab('compare', after, before).status).toBe(0);
  });

  test.each([
    ['there is no such file', 'none.json', /none\.json cannot be read/],
    ['it is not JSON', 'text.json', /text\.json is not JSON/],
    ['it has another schema', 'other.json', /other\.json has schema "lanewise-lab\/999"/],
    ['it is no result', 'empty.json', /empty\.json is no result/],
  ])('one line, and exit code 2, if %s', (_, name, reason) => {
    writeFileSync(join(folder, 'text.json'), 'fast\n');
    writeFileSync(join(folder, 'other.json'), '{"schema":"lanewise-lab/999"}');
    writeFileSync(join(folder, 'empty.json'), '{}');
    const result = lab('compare', name, file('before.json', 1));
    expect(result.stderr).toMatch(reason);
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(result.stdout).toBe('');
    expect(result.status).toBe(2);
  });
});

test('an unknown engine is one line, and exit code 2', () => {
  const result = lab('--engines', 'opera');
  expect(result.stderr).toMatch(/^lab: there is no engine "opera"; there are .*firefox.*\n$/);
  expect(result.status).toBe(2);
});

describe('the first message of a process', () => {
  test('is measured as a package and as a bundle, beside noble', () => {
    const { stdout, status } = lab('first', '--engines', engine, '--rounds', '1', '--only', 'first 64 B sealed');
    expect(stdout).toMatch(/^Node \d+, 1 fresh processes each, medians in milliseconds$/m);
    for (const way of ['bundle', 'package'])
      expect(stdout).toMatch(
        new RegExp(`^XChaCha20-Poly1305, first 64 B sealed, ${way} +\\d+\\.\\d\\d +\\d+\\.\\d\\d +\\d+\\.\\d\\d$`, 'm'),
      );
    expect(stdout).not.toContain('BLAKE3');
    expect(status).toBe(0);
  });

  test.each([
    [['--engines', 'node7'], /^lab: no runtime node7; there are node20, /],
    [['--rounds', '0'], /^lab: --rounds expects a whole number from 1 to 1000, not "0"/],
    [['now'], /^lab: `first` expects nothing else, not 1/],
  ])('%j is refused', (args, message) => {
    const { stderr, status } = lab('first', ...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});
