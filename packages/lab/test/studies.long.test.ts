/** The pages of docs/studies: drawn from results only, and from any result. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engines, studyEngines } from '../src/engines/all.ts';
import { viewOf } from '../src/results/view.ts';
import { writeResult } from '../src/results/store.ts';
import { readStudiesCommand } from '../src/studies/arguments.ts';
import { conductStudies } from '../src/studies/conduct.ts';
import { bars } from '../src/charts/bars.ts';
import { lines } from '../src/charts/lines.ts';
import { machineOf, machinesOf } from '../src/studies/machine.ts';
import { fileNameOf, missingIn, supersededBy, wantedIn } from '../src/studies/measure.ts';
import { bytesText, rangeText, speedText, timesText } from '../src/studies/numbers.ts';
import {
  allFiles,
  allStudies,
  committedResults,
  contestsOf,
  leftOver,
  RESULTS,
  STUDIES,
} from '../src/studies/pages.ts';
import { given, heading, paragraph, say, strayDigit, table } from '../src/studies/prose.ts';
import { canary, engineRecord, linesOf, resultOf, synthetic } from './results-synthetic.ts';

const studies = await allStudies();

test('docs/studies has what the committed results give, and nothing else', async () => {
  const files = await allFiles(studies, committedResults());
  for (const [name, text] of files) expect(readFileSync(join(STUDIES, name), 'utf8'), name).toBe(text);
  expect(await leftOver(files)).toEqual([]);
  const kept = existsSync(RESULTS) ? readdirSync(RESULTS) : [];
  expect(kept.filter((name) => !name.endsWith('.json'))).toEqual([]);
});

test('pages are drawn from a small result, in which most is missing', async () => {
  const small = { name: 'small', result: synthetic({ sessions: 1, rounds: 2 }) };
  const other = {
    name: 'other',
    result: synthetic({ sessions: 1, rounds: 2, header: { host: { ...small.result.host, cpu: 'Other CPU' } } }),
  };
  const files = await allFiles(studies, [small, other]);
  for (const { id, title, contests } of studies) {
    const page = files.get(`${id}.md`)!;
    expect(page).toContain(`# ${title}\n`);
    // A small result has no contest of studies alone.
    const isMeasured = contestsOf(contests).some((name) => name.startsWith('platforms/'));
    expect(page.includes('Synthetic CPU (1)'), id).toBe(isMeasured);
    expect(page).toContain(`npm run studies -- ${id}`);
    expect(page, id).not.toMatch(/undefined|NaN|Infinity|\[object/);
  }
  for (const [name, text] of files)
    if (name.endsWith('.svg')) {
      expect(text, name).toMatch(
        /^<svg [^>]*role="img"[^>]*>\n<title id="t">[^<]+<\/title>\n<desc id="d">[^<]+<\/desc>/,
      );
      expect(text, name).not.toMatch(/undefined|NaN|Infinity|<script/);
    }
  // A machine without a shared result has no page without figures: it is left out of sentences, not written as a blank.
  const page = files.get('chacha20.md')!;
  expect(page).toMatch(/\| Node\s26\.10 +\|/);
  expect(page).toContain(
    'Plots by processor also have Other CPU (2026-01-02), each with the code and the engines of its day.',
  );
});

test('another result changes the figures of a page', async () => {
  const of = async (perByte: number): Promise<string> => {
    const speeds = (['scalar', 'simd'] as const).map((engine) => ({
      description: { id: `lanewise ${engine}`, contestant: 'lanewise', standing: 'ours', engine } as const,
      perCall: 0,
      perByte: engine === 'simd' ? perByte : 10,
    }));
    const result = synthetic({ sessions: 1, rounds: 2, speeds, noise: { process: 0, round: 0 } });
    return (await allFiles(studies, [{ name: 'result', result }])).get('chacha20.md')!;
  };
  expect(await of(2)).toContain('Vectors are 5.0 times as fast as scalar code here.');
  expect(await of(4)).toContain('Vectors are 2.5 times as fast as scalar code here.');
});

test('studies name contests that there are', () => {
  for (const { id, contests: names, alsoIn = {} } of studies) {
    expect(contestsOf(names).length, id).toBeGreaterThan(0);
    for (const engine of Object.keys(alsoIn)) expect(studyEngines.map((each) => each.id)).toContain(engine);
  }
  expect(() => contestsOf(['platforms/chacha20/encrypt/17'])).toThrow('which is no contest');
  // A beginning stands for what is measured by default; with --full for all.
  expect(contestsOf(['length/chacha20/encrypt/'], true).length).toBeGreaterThan(
    contestsOf(['length/chacha20/encrypt/']).length + 8000,
  );
});

test('what was measured on a processor is not measured again', () => {
  const { studies: of, id } = { studies: studies.filter((study) => study.id === 'chacha20'), id: 'node26' };
  const wanted = wantedIn(id, of, false);
  expect(wanted).toContain('platforms/chacha20/encrypt/65536');
  expect(missingIn(undefined, id, wanted)).toEqual(wanted);
  const machine = machineOf([{ name: 'one', result: synthetic({ sessions: 1, rounds: 2 }) }]);
  const missing = missingIn(machine, id, wanted);
  expect(missing).not.toContain('platforms/chacha20/encrypt/65536');
  expect(missing).toContain('studies/lanes/chacha20/encrypt/64');
  // Engines in a slow tier have the contests that a study names for them.
  expect(wantedIn('firefox-debugger', of, false)).toEqual(of[0].alsoIn!['firefox-debugger']);
  expect(engines.map((engine) => engine.id)).not.toContain('firefox-debugger');
});

test('a result that a newer one has wholly is not kept', () => {
  const whole = synthetic({ sessions: 1, rounds: 1 });
  const part = synthetic({ sessions: 1, rounds: 1, wanted: ({ id }) => id.startsWith('platforms/chacha20/') });
  const names = (newest: typeof whole, older: typeof whole): readonly string[] =>
    supersededBy(newest, [
      { name: 'docs/studies/results/old.json', result: older },
      { name: 'docs/measurements/2026-01-01', result: older },
    ]);
  expect(names(whole, part)).toEqual(['docs/studies/results/old.json']);
  expect(names(part, whole)).toEqual([]);
});

test('a contest is of the newest result that has it, and machines are told apart by their processors', () => {
  const contest = 'platforms/chacha20/encrypt/65536';
  const at = (day: string, perByte: number, cpu = 'CPU') => ({
    name: day,
    result: synthetic({
      sessions: 1,
      rounds: 2,
      noise: { process: 0, round: 0 },
      speeds: [
        {
          description: { id: 'lanewise simd', contestant: 'lanewise', standing: 'ours', engine: 'simd' },
          perCall: 0,
          perByte,
        },
      ],
      header: { startedAt: `${day}T00:00:00.000Z`, host: { ...synthetic({ sessions: 1, rounds: 1 }).host, cpu } },
    }),
  });
  const machines = machinesOf([at('2026-01-01', 2), at('2026-01-03', 4, 'Other'), at('2026-01-02', 3)]);
  expect(machines.map(({ processor }) => processor)).toEqual(['CPU', 'Other']);
  expect(machines[0].cycles('node26', contest, 'lanewise simd')).toBeCloseTo(3, 5);
  expect(machines[1].cycles('node26', contest, 'lanewise simd')).toBeCloseTo(4, 5);
  expect(machines[0].speed('node26', contest, 'no such case')).toBeUndefined();
  expect(machines[0].engines('no such contest')).toEqual([]);
});

test('sessions of an engine that is told to be slow count, and those of others do not', () => {
  const doubted = linesOf({ sessions: 1, rounds: 2, engines: [engineRecord('firefox')] }).map((line) =>
    line.line === 'message' && line.message.type === 'canary' ? { ...line, message: canary('start', 'slow') } : line,
  );
  expect(viewOf(resultOf(doubted)).engines[0].sessions).toHaveLength(0);
  const told = doubted.map((line) =>
    line.line === 'engine' ? { ...line, engine: { ...line.engine, tier: 'baseline' as const } } : line,
  );
  expect(viewOf(resultOf(told)).engines[0].sessions).toHaveLength(1);
});

test('numbers that somebody wrote into a sentence are an error; names are not', () => {
  expect(() => say`It is 3 times as fast.`).toThrow('"3" is written by hand');
  expect(() => say`It is ${'2.5 times'} as fast.`).toThrow('written by hand');
  expect(() => paragraph('Chunks of 64 KiB.')).toThrow('written by hand');
  expect(() => heading('The 111 gates')).toThrow('written by hand');
  expect(() => table(['engine', 'MB/s'], [['Bun', '500']])).toThrow('written by hand');
  expect(() => given(64, '')).toThrow('clause');
  expect(
    String(
      say`ChaCha20 of RFC 8439 §2.3 has ${given(64, 'RFC 8439 §2.3')} bytes, as \`f(16)\` and [i32x4](a-1.md) say.`,
    ),
  ).toBe('ChaCha20 of RFC 8439 §2.3 has 64 bytes, as `f(16)` and [i32x4](a-1.md) say.');
  expect(strayDigit('SHA-256, Serpent-256, v128 and BLAKE3')).toBeUndefined();
  expect(strayDigit('Zen 5')).toBe('5');
});

test('what was not measured is left out, sentence by sentence and row by row', () => {
  expect(say`It is ${timesText(undefined)} as fast.`).toBeUndefined();
  expect(paragraph(say`One.`, say`It is ${undefined}.`, 'Two.')).toBe('One. Two.');
  expect(table(['engine', 'a'], [['Bun', undefined]])).toBeUndefined();
  expect(
    table(
      ['engine', 'a', 'b'],
      [
        ['Bun', given(1, 'a test'), undefined],
        ['Deno', undefined, undefined],
      ],
    ),
  ).toBe('| engine | a | b |\n| --- | --: | --: |\n| Bun | 1 | – |');
  expect(rangeText([undefined, 2.5, 3.04], timesText)!.text).toBe('2.5 to 3.0 times');
  expect(rangeText([2.04, 2.03], timesText)!.text).toBe('2.0 times');
  expect(rangeText([undefined])).toBeUndefined();
  expect([speedText(506), speedText(1284), bytesText(1), bytesText(1024)].map(String)).toEqual([
    '506 MB/s',
    '1.28 GB/s',
    '1 byte',
    '1 KiB',
  ]);
});

test('pictures have every value, escape names, and need no value', () => {
  const head = { title: 'A <b> & "c"', description: 'd', axis: 'MB/s' };
  const svg = bars({
    ...head,
    series: ['x', 'y'],
    groups: [
      { name: '<i>', values: [1, undefined] },
      { name: 'none', values: [undefined, undefined] },
    ],
  })!('CPU & co');
  // Two squares of the key, and a bar.
  expect(svg.match(/var\(--c\d\)/g)).toHaveLength(3);
  expect(svg).toContain('&lt;i&gt;');
  expect(svg).toContain('A &lt;b&gt; &amp; &quot;c&quot;');
  expect(svg).not.toContain('none<');
  expect(svg).toContain('>CPU &amp; co</text>');
  // A logarithmic scale has no zero, so that its values are dots.
  const dots = bars({
    ...head,
    logarithmic: true,
    series: ['x'],
    groups: [
      { name: 'a', values: [1] },
      { name: 'b', values: [10] },
    ],
  })!();
  expect(dots.match(/<circle/g)).toHaveLength(2);
  expect(dots).toContain('MB/s (logarithmic scale)');
  expect(bars({ ...head, series: ['x'], groups: [{ name: 'a', values: [undefined] }] })).toBeUndefined();
  const axes = { x: { label: 'bytes', logarithmic: true }, y: { label: 'ns', logarithmic: true } };
  const curves = [
    {
      name: 'a',
      points: [
        { x: 0, y: 1 },
        { x: 1, y: 2 },
        { x: 2, y: undefined },
        { x: 4, y: 8 },
      ],
    },
  ];
  const curve = lines({ ...head, ...axes, curves })!();
  expect(curve).toContain('bytes (logarithmic scale)');
  expect(curve).toContain('ns (logarithmic scale)');
  expect(curve.match(/ d="M[\d.]+,[\d.]+L[\d.]+,[\d.]+"/g)).toHaveLength(1);
  expect(lines({ ...head, ...axes, curves: [] })).toBeUndefined();
});

test('pages are written to a folder of their own only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-studies-test-'));
  try {
    const results = join(folder, 'results.json');
    writeResult(
      results,
      synthetic({ sessions: 1, rounds: 2, header: { host: { ...synthetic({}).host, cpu: 'Own CPU' } } }),
    );
    const draw = (out: string): Promise<number> =>
      conductStudies({ ...readStudiesCommand(['chacha20', '--results', results, '--out', out])! });
    const [own, foreign] = ['pages', 'foreign'].map((name) => join(folder, name));
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'README.md'), '# Something else\n');
    await expect(draw(foreign)).rejects.toThrow('--out expects a folder for the pages');
    expect(readFileSync(join(foreign, 'README.md'), 'utf8')).toBe('# Something else\n');
    expect(await draw(own)).toBe(0);
    expect(readFileSync(join(own, 'chacha20.md'), 'utf8')).toContain('Measured on Own CPU');
    // A second time, over its own pages.
    expect(await draw(own)).toBe(0);
    await expect(draw(join(results, 'x'))).rejects.toThrow('--out: ENOTDIR');
    // Pages show the names of files, too.
    const named = join(folder, '{{1}}.json');
    writeResult(named, synthetic({ sessions: 1, rounds: 2 }));
    await expect(
      conductStudies({ ...readStudiesCommand(['chacha20', '--results', named, '--out', own])! }),
    ).rejects.toThrow('expected a name of letters A-Z, digits and .+-, because pages show it');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('files of results have the processor and the time in their names', () => {
  expect(fileNameOf('AMD EPYC, Zen 5 (family 26, model 2, stepping 1)', '2026-11-23T00:12:34.567Z')).toBe(
    'amd-epyc-zen-5-2026-11-23T0012.json',
  );
  expect(fileNameOf('Apple M4', '2026-11-23T00:12:34.567Z')).toBe('apple-m4-2026-11-23T0012.json');
});

test('wrong arguments are named before anything is measured', () => {
  expect(readStudiesCommand(['--help'])).toBeUndefined();
  expect(readStudiesCommand(['chacha20', '--sessions', '2'])).toMatchObject({
    mode: 'measure',
    studies: ['chacha20'],
    sessions: 2,
  });
  expect(readStudiesCommand(['--contribute'])).toMatchObject({ mode: 'contribute', again: true });
  expect(readStudiesCommand(['--results', 'a.json', '--out', 'b'])).toMatchObject({
    mode: 'draw',
    results: ['a.json'],
  });
  for (const [args, message] of [
    [['--draw', '--check'], 'exclude each other'],
    [['--draw', '--full'], 'measures nothing'],
    [['--results', 'a.json'], '--results expects --out'],
    [['--out', 'a'], '--out expects --results'],
    [['--results', 'a.json', '--out', ''], '--out expects a folder'],
    [['--results', '', '--out', 'a'], '--results expects a file'],
    [['--contribute', '--results', 'a'], '--results is for drawing'],
    [['--sessions', '0'], 'from 1 to 1000'],
    [['--engines', 'bun,,deno'], 'names, separated by commas'],
    [['--quick'], '--quick'],
  ] as const)
    expect(() => readStudiesCommand(args), args.join(' ')).toThrow(message);
});
