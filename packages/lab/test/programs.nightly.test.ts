/** The programs as people run them: exit codes, and the contents of each output stream. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { documentsOf, newestResult, newestResults } from '../src/readme.ts';
import { readFigures, speedPicture, speedSection, speedSummary, type NamedResult } from '../src/readme/tables.ts';
import { between } from '../src/report/markdown.ts';
import type { Line } from '../src/results/lines.ts';
import type { Result } from '../src/results/schema.ts';
import { readResult } from '../src/results/store.ts';
import { reasonOf } from '../src/start/input.ts';
import { progressOn } from '../src/terminal.ts';
import { header, linesOf, resultOf, field, ours, type Synthetic } from './results-synthetic.ts';

const source = join(dirname(import.meta.dirname), 'src');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

function run(program: string, ...values: string[]) {
  return spawnSync(process.execPath, [join(source, program), ...values], {
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: folder, FORCE_COLOR: '1' },
    timeout: 60_000,
  });
}

/** One line on standard error, nothing on standard output, exit code 2. */
function refused(result: ReturnType<typeof run>, message: RegExp): void {
  expect(result.stderr).toMatch(message);
  expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(result.stdout).toBe('');
  expect(result.status).toBe(2);
}

/** Nothing, or lines of progress on a slow machine. */
const PROGRESS = /^(?:(?:sealing|checking|measuring)\b.*\n)*$/;

describe('start', () => {
  test.each([
    ['text', 'a small file\n'],
    ['empty', ''],
    ['one group and a bit', new Uint8Array(70_001).fill(7)],
  ])('seals and opens a file: %s', (name, content) => {
    file(name, content);
    const result = run('start.ts', name);
    expect(result.stderr).toMatch(PROGRESS);
    expect(result.status).toBe(0);
    for (const row of ['lanewise simd', 'lanewise scalar', 'lanewise js', 'noble', 'libsodium.js', 'node:crypto']) {
      expect(result.stdout).toMatch(new RegExp(`^${row}( \\*)? .* (right|not available: .*)$`, 'm'));
    }
    expect(result.stdout).not.toContain('\x1b');
    expect(result.stdout).toContain(`${name}, `);
    expect(readFileSync(join(folder, name)).equals(Buffer.from(content))).toBe(true);
  });

  test('a log has whole lines of progress, a second apart', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const written: string[] = [];
      const progress = progressOn({ isTTY: false, write: (text: string) => written.push(text) } as never);
      for (let i = 0; i < 30; i++) {
        progress.show(`measuring, round ${i}`);
        vi.advanceTimersByTime(100);
      }
      progress.clear();
      expect(written).toEqual(['measuring, round 10\n', 'measuring, round 20\n']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('without SIMD it says why, and goes on', () => {
    file('text', 'a small file\n');
    const result = spawnSync(process.execPath, ['--no-enable-sse4-1', join(source, 'start.ts'), join(folder, 'text')], {
      encoding: 'utf8',
    });
    expect(result.status).toBe(0);
    if (process.arch === 'x64') expect(result.stdout).toMatch(/^lanewise simd .*not available: /m);
  });

  test('help goes to standard output', () => {
    for (const option of ['--help', '-h']) {
      const result = run('start.ts', option);
      expect(result.stdout).toMatch(/^npm start \[FILE\]/);
      expect(result).toMatchObject({ status: 0, stderr: '' });
    }
  });

  test('bad input is told in one line', () => {
    refused(run('start.ts', 'missing'), /^start: missing: no such file$/m);
    refused(run('start.ts', 'missing/below'), /^start: missing\/below: no such file$/m);
    refused(run('start.ts', '.'), /^start: \.: is a folder$/m);
    refused(run('start.ts', '/dev/null'), /^start: \/dev\/null: is not a regular file$/m);
    refused(run('start.ts', '--fast'), /^start: Unknown option '--fast'; --help/m);
    refused(run('start.ts', 'one', 'two'), /^start: one file at a time, not 2$/m);
    refused(run('start.ts', ''), /^start: the name of the file is empty$/m);
  });

  test('a file that does not fit is told in one line', () => {
    const path = file('large', '');
    truncateSync(path, 2 ** 34); // sparse
    refused(run('start.ts', path), /: has 16\.0 GiB; it is read whole, and here that goes up to /);
    rmSync(path);
  });

  test('a file that may not be read is told in one line', (context) => {
    expect(reasonOf(Object.assign(new Error(), { code: 'EACCES' }))).toBe('no permission to read it');
    if (process.getuid?.() === 0) context.skip('root may read everything');
    const path = file('locked', 'x');
    chmodSync(path, 0);
    refused(run('start.ts', path), /: no permission to read it$/m);
  });

  test('a reader that leaves early is no error', async () => {
    file('text', 'a small file\n');
    const child = spawn(process.execPath, [join(source, 'start.ts'), join(folder, 'text')]);
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(errors).toMatch(PROGRESS);
    expect(code).toBe(0);
  });

  test('without a file it takes random bytes, and writes nothing', async () => {
    const temporary = mkdtempSync(join(folder, 'temporary-'));
    const child = spawn(process.execPath, [join(source, 'start.ts')], { env: { ...process.env, TMPDIR: temporary } });
    const closed = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
    const [progress] = (await once(child.stderr, 'data')) as [Buffer];
    expect(progress.toString()).toMatch(PROGRESS);
    child.kill('SIGINT');
    expect(await closed).toBe('SIGINT');
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('figures', () => {
  const sectionOf = (runs: readonly NamedResult[]): string => speedSection(readFigures(runs));

  test('bad arguments are told in one line', () => {
    refused(run('readme.ts', '--fast'), /^figures: Unknown option '--fast'/m);
    refused(run('readme.ts', 'none.json'), /^figures: .*none\.json/m);
  });

  test('the documents have the figures of the newest result that is committed', () => {
    for (const [path, text] of documentsOf(newestResults()))
      expect(readFileSync(join(source, '../../..', path), 'utf8') === text, `${path}: run \`npm run figures\``).toBe(
        true,
      );
  });

  test("the README's picture and sentence have the shown rows, with the nearest rivals", () => {
    const read = readFigures([{ name: '2026-01-02', result: readResult(newestResult()) }]);
    const shown = read.found.filter(({ figure }) => figure.shown === true);
    expect(shown.length).toBeGreaterThan(3);
    const picture = speedPicture(read);
    for (const { row } of shown) expect(picture).toContain(`>${row.megabytesPerSecond}</text>`);
    // fuzdev is the fastest rival of BLAKE3 in JavaScript, noble the slowest.
    const blake3 = shown.find(({ figure }) => figure.title === 'BLAKE3, 64 KiB')!;
    const speedOf = (name: string): string =>
      (blake3.row.megabytesPerSecond / blake3.row.rivals.find((rival) => rival.name === name)!.times).toFixed(0);
    expect(picture).toContain(`>${speedOf('fuzdev')}</text>`);
    expect(picture).toContain(`>${speedOf('noble')}</text>`);
    expect(picture).not.toContain(`>${speedOf('hash-wasm')}</text>`);
    expect(speedSummary(read)).toMatch(
      /^ChaCha20-Poly1305, 64 KiB: \*\*\d+ MB\/s\*\*, [\d.]+ times libsodium\.js and [\d.]+ times noble, and [\d.]+ of native code \(node:crypto\)/m,
    );
  });

  test('name the processor, where results go, and how many rounds were quiet', () => {
    const processor = { vendor: 'AuthenticAMD', family: 26, model: 2, stepping: 1 };
    const ids = new Set(readResult(newestResult()).contests.map(({ id }) => id));
    const options: Synthetic = {
      sessions: 2,
      noise: { process: 0, round: 0 },
      wanted: ({ id }) => id.startsWith('platforms/') && ids.has(id),
      header: { host: { ...header.host, processor } },
    };
    const lines = linesOf(options);
    const section = sectionOf([{ name: '2026-01-02', result: resultOf(lines) }]);
    // A series without a figure is not in the picture.
    const pictureOf = (all: readonly Line[]): string =>
      speedPicture(readFigures([{ name: '2026-01-02', result: resultOf(all) }]));
    expect(pictureOf(lines)).not.toContain('Lanewise in C');
    expect(pictureOf(linesOf({ ...options, speeds: [...field, ours('native', 100, 1)] }))).toContain('Lanewise in C');
    expect(section).toMatch(/^One run of the lab \(2026-01-02\) on Synthetic CPU \(1\), Zen 5 \(family 26, model 2, stepping 1\), Node 26/); // prettier-ignore
    expect(section).not.toContain('quiet');
    expect(section).toMatch(/^\| ChaCha20, 64 KiB +\| `out` +\|/m);
    expect(section).toMatch(/^\| BLAKE3, 96 B +\| allocated +\|/m);

    // Of the ten rounds of each session the first six are quiet, or two.
    const probed = (quiet: number): string => {
      const times = Array.from({ length: 20 }, (_, i) => (i < 2 * quiet ? 5000 : 6500));
      const withProbes = lines.map((line): Line => {
        if (line.line !== 'message' || line.message.type !== 'samples') return line;
        const ofCases = Object.keys(line.message.nanoseconds).map((id) => [id, times]);
        const probe = { passes: 4, cycle: 0.25, nanoseconds: Object.fromEntries(ofCases) as Record<string, number[]> };
        return { ...line, message: { ...line.message, probe } };
      });
      return sectionOf([{ name: '2026-01-02', result: resultOf(withProbes) }]);
    };
    const [some, few] = [probed(6), probed(2)];
    const [, quiet, rounds] = /medians of paired ratios of quiet rounds, (\d+) of (\d+)\. Our/.exec(some)!;
    expect(Number(quiet) / Number(rounds)).toBe(0.6);
    expect(some).not.toContain('*');
    expect(few).toMatch(/of quiet rounds, \d+ of \d+; \* is of all rounds, because too few were quiet\. Our/);
    expect(few).toMatch(/^\| ChaCha20, 64 KiB +\| `out` +\| \d+\* +\| libsodium\.js 3\.00\*, noble/m);
  });

  test('a row that a run lacks is of the next run, or left out and named', () => {
    const runOf = (wanted: (id: string) => boolean, host = header.host): Result =>
      resultOf(
        linesOf({ sessions: 1, wanted: ({ id }) => id.startsWith('platforms/') && wanted(id), header: { host } }),
      );
    const isNew = (id: string): boolean => id.includes('seal-allocated');
    const sectionOfRuns = (...runs: readonly Result[]): string =>
      sectionOf(runs.map((result, i) => ({ name: `2026-01-0${i + 2}`, result })));
    const rowsOf = (section: string): number => section.match(/^\| (?!-| {2})/gm)!.length;
    const [whole, older, newer] = [() => true, (id: string) => !isNew(id), isNew].map((wanted) => runOf(wanted));

    const complete = sectionOfRuns(whole);
    // The run has platforms only.
    expect(complete).toMatch(
      / Not measured in that run: Outboard, .*; age payload, .*; secretstream, 64 KiB messages \(`out`\)\.$/m,
    );
    expect(complete).not.toContain('†');
    expect(complete).toMatch(/^\| XChaCha20-Poly1305, 64 B +\| allocated +\| \d+ +\| libsodium\.js 2\.\d+, noble/m);
    const lacking = sectionOfRuns(older);
    expect(lacking).toContain(
      'Not measured in that run: XChaCha20-Poly1305, 1 KiB (allocated); XChaCha20-Poly1305, 64 B (allocated); secretbox, 64 B (allocated); Outboard, 16 KiB groups (allocated)',
    );
    expect(rowsOf(complete) - rowsOf(lacking)).toBe(3);
    const supplemented = sectionOfRuns(older, newer);
    expect(supplemented).toContain('Rows with † are of another run on this machine (2026-01-03), 1 process.');
    expect(supplemented).toMatch(/^\| XChaCha20-Poly1305, 64 B † +\| allocated +\| \d+/m);
    expect(rowsOf(supplemented)).toBe(rowsOf(complete));
    expect(() => sectionOfRuns(older, runOf(isNew, { ...header.host, cpu: 'Another CPU' }))).toThrow(
      /^one table shows one machine: 2026-01-02 is of Synthetic CPU/,
    );
  });

  test('a document without the marks is refused', () => {
    expect(() => between('# Lanewise', 'npm run figures', 'a table')).toThrow(/^the document lacks the marks/);
  });
});
