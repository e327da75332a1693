import { gunzipSync } from 'node:zlib';
import { JSDOM } from 'jsdom';
import { beforeAll, describe, expect, test } from 'vitest';
import { logTicks } from '../src/charts/plotting.ts';
import { html } from '../src/report/markup.ts';
import { bytes, significant, withInterval } from '../src/report/numbers.ts';
import { quietTable } from '../src/report/quiet.ts';
import { reportHtml } from '../src/report/report.ts';
import { contestTable, cyclesTables, quartileTable, rivalTables, speedTables } from '../src/report/tables.ts';
import { comparisonText, summaryText } from '../src/report/text.ts';
import { verdicts } from '../src/report/verdicts.ts';
import type { Line } from '../src/results/lines.ts';
import { compare } from '../src/results/compare.ts';
import type { Result } from '../src/results/schema.ts';
import { viewOf } from '../src/results/view.ts';
import { contest, resultIn } from './quiet-synthetic.ts';
import { canary, engineRecord, field, linesOf, ours, resultOf, synthetic } from './results-synthetic.ts';

const LENGTHS = [1, 8, 64, 576, 1536, 4096, 16384, 65536];
const exact = {
  sessions: 2,
  rounds: 4,
  noise: { process: 0, round: 0 },
  wanted: ({ axis, id, parameters }: { axis: string; id: string; parameters: { readonly length?: unknown } }) =>
    /^(platforms|length)\/(chacha20|blake3)\//.test(id) &&
    (axis === 'platforms' || LENGTHS.includes(Number(parameters.length))),
};
const result = synthetic(exact);
const view = viewOf(result);

describe('numbers', () => {
  test('of bytes are exact', () => {
    expect([0, 96, 1024, 1499, 65536, 2 ** 20, 16 * 2 ** 20].map(bytes)).toEqual(
      ['0 B', '96 B', '1 KiB', '1499 B', '64 KiB', '1 MiB', '16 MiB'], // prettier-ignore
    );
  });

  test('have three digits, also where rounding adds one', () => {
    expect([0.5, 2.456, 9.994, 9.9999, 99.94, 99.99, 1234.5].map(significant)).toEqual(
      ['0.50', '2.46', '9.99', '10.0', '99.9', '100', '1235'], // prettier-ignore
    );
  });

  test('carry their interval', () => {
    expect(withInterval({ value: 2.456, low: 2.4, high: 12.34, processes: 5, rounds: 50 })).toBe('2.46× (2.40–12.3)');
  });

  test('on logarithmic axes are round, and not too many', () => {
    expect(logTicks(0.9, 1100, 4)).toEqual([1, 10, 100, 1000]);
    expect(logTicks(1.1, 4.2, 6)).toEqual([1.5, 2, 3]);
    expect(logTicks(2, 3000, 20)).toEqual([2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000]); // prettier-ignore
  });
});

test('values in markup are escaped, and markup is not', () => {
  expect(html`<p title="${'"'}">${'<b>&'}${html`<i>${1}</i>`}${[html`a`, 'b']}${undefined}</p>`.text).toBe(
    '<p title="&quot;">&lt;b&gt;&amp;<i>1</i>ab</p>',
  );
});

describe('tables', () => {
  const row = (table: { rows: readonly (readonly string[])[] } | undefined, ...begin: string[]) =>
    table?.rows.find((each) => begin.every((text, i) => each[i] === text));

  test('of speeds have the known speed-up for each engine and chunk, the longest first', () => {
    const table = speedTables(view).find(({ title }) => title.startsWith('ChaCha20, encrypt'))!;
    expect(table.rows.map((each) => each.slice(0, 2).join(' '))).toEqual([
      'Node 26.10 64 KiB',
      'Node 26.10 16 KiB',
      'Node 26.10 256 B',
      'Bun 1.4 64 KiB',
      'Bun 1.4 16 KiB',
      'Bun 1.4 256 B',
    ]);
    // (500 + 5·256) / (500 + 2·256) cycles.
    expect(row(table, 'Node 26.10', '256 B')?.at(-1)).toBe('1.76× (1.76–1.76)');
    expect(row(table, 'Bun 1.4', '64 KiB')?.at(-1)).toBe('2.49× (2.49–2.49)');
    // A cycle takes 0.25 to 0.275 ns, so 2.0076 cycles per byte are 1811 to 1992 MB/s.
    const speed = Number(row(table, 'Node 26.10', '64 KiB')?.[4]);
    expect(speed).toBeGreaterThan(1811);
    expect(speed).toBeLessThan(1993);
  });

  test('have a column for native code where it was measured', () => {
    const columns = ['native MB/s', 'native ÷ SIMD'];
    expect(speedTables(view).flatMap(({ head }) => head.filter((name) => columns.includes(name)))).toEqual([]);
    const native = viewOf(synthetic({ ...exact, speeds: [...field, ours('native', 700, 1)] }));
    const table = speedTables(native).find(({ title }) => title.startsWith('ChaCha20, encrypt'))!;
    expect(table.head.slice(-2)).toEqual(columns);
    // (500 + 2·256) / (700 + 256) cycles: ours with SIMD stays the one that others are compared with.
    expect(row(table, 'Node 26.10', '256 B')?.slice(-3)).toEqual([
      '1.76× (1.76–1.76)',
      expect.stringMatching(/^\d+$/),
      '1.06× (1.06–1.06)',
    ]);
    expect(row(rivalTables(native, native.principal!)[0], 'lanewise native')).toBeDefined();
  });

  test('of the field compare with ours', () => {
    const table = rivalTables(view, view.principal!).find(({ title }) => title.startsWith('BLAKE3, hash:'))!;
    expect(table.head.slice(1)).toEqual(['96 B', '512 B', '1 KiB', '32 KiB', '64 KiB', '256 KiB', '1 MiB']);
    // (800 + 10·96) / (500 + 2·96) cycles.
    expect(row(table, 'noble')?.[1]).toMatch(/^\d+(\.\d+)? \(2\.54×\)$/);
    expect(row(table, 'lanewise scalar')?.[1]).toMatch(/^\d+(\.\d+)?$/);
  });

  test('of cycles have the columns of eBACS, and a slope without the cost of a call', () => {
    const [table] = cyclesTables(view);
    expect(table.head).toEqual(['engine', '', '8', '64', '576', '1536', '4096', 'long']);
    expect(row(table, 'Node 26.10', 'lanewise auto')?.slice(2)).toEqual([
      '64.5',
      '9.81',
      '2.87',
      '2.33',
      '2.12',
      '2.00',
    ]);
    expect(row(table, 'Node 26.10', 'libsodium.js')?.at(-1)).toBe('6.00');
    // Rivals are measured in the principal engine only.
    expect(row(table, 'Bun 1.4', 'lanewise auto')).toBeDefined();
    expect(row(table, 'Bun 1.4', 'noble')).toBeUndefined();
  });

  test('of any contest have a column for each engine', () => {
    const table = contestTable(view, 'platforms/blake3/hash/96');
    expect(table.head).toEqual(['', 'Node 26.10', 'Bun 1.4']);
    expect(row(table, 'noble')?.[1]).toMatch(/^\d+ ns \(2\.54×\)$/);
  });

  test('of quartiles have the middle of the processes', () => {
    const contest = view.contest('platforms/blake3/hash/96')!;
    const noble = row(quartileTable(view, view.principal!, contest), 'noble')!;
    expect(noble[1]).toBe('2');
    // 1760 cycles of 0.25 to 0.275 ns.
    const values = noble.slice(2).map((text) => Number(/^(\d+) ns$/.exec(text)?.[1]));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values[0]).toBeGreaterThanOrEqual(440);
    expect(values.at(-1)).toBeLessThanOrEqual(484);
    expect(values[0]).toBeLessThan(values.at(-1)!);
  });

  test('leave out sessions that are not trusted', () => {
    const lines = linesOf({ ...exact, engines: [engineRecord('a', 'A', '1'), engineRecord('b', 'B', '1')] });
    const sick = lines.map((line) =>
      line.line === 'message' && line.session % 2 === 1 && line.message.type === 'canary'
        ? { ...line, message: canary(line.message.when, 'a debugger?') }
        : line,
    );
    const [table] = speedTables(viewOf(resultOf(sick)));
    expect(new Set(table.rows.map(([engine]) => engine))).toEqual(new Set(['A 1']));
  });
});

describe('quiet and busy rounds', () => {
  const row = (table: { rows: readonly (readonly string[])[] } | undefined, begin: string) =>
    table?.rows.find(([first]) => first.startsWith(begin));
  const [half, always, none] = [{ busy: 0.5 }, { busy: 0.97 }, { busy: 0.5, blind: true }].map((world) =>
    viewOf(resultIn(world)),
  );

  test('have a table with the figures of both', () => {
    const found = quietTable(half)!;
    // 1000 bytes in 1 µs and in 1.3 µs; the rival takes 3 times as long, and 3 · 1.05 / 1.3 times.
    expect(row(found, 'node26')).toEqual(
      ['node26 1.2', 'P, encrypt, 1000 B', expect.stringMatching(/^\d+ of 160$/), '1000', '769', 'rival', '3.00×', '2.42×', expect.stringMatching(/^\d+ of 160$/)], // prettier-ignore
    );
    expect(row(quietTable(always), 'node26')).toEqual(
      ['node26 1.2', 'P, encrypt, 1000 B', expect.any(String), '769*', '769', 'rival', '2.42×*', '2.42×', expect.any(String)], // prettier-ignore
    );
    expect(quietTable(none)).toBeUndefined();
  });

  test('are told by verdicts', () => {
    const [sentence, few, silent] = [half, always, none].map((each) => verdicts(each)[0].sentence);
    expect(sentence).toMatch(/takes 3\.00× .* \d+ of 160 rounds were quiet; busy rounds gave 2\.42×\.$/);
    expect(few).toMatch(/Only \d+ of 160 rounds were quiet, too few, so that all count; busy rounds gave 2\.42×\.$/);
    expect(silent).not.toMatch(/quiet|busy/);
  });

  test('are counted in each table, which marks figures of all rounds', () => {
    const [[found], [marked], [plain]] = [half, always, none].map((each) => rivalTables(each, each.principal!));
    expect(row(found, 'rival')?.[1]).toMatch(/^33\d \(3\.00×\)$/);
    expect(row(found, 'quiet samples')?.[1]).toMatch(/^\d+ of 320$/);
    expect(found.note).toContain('* is of all rounds');
    expect(row(marked, 'rival')?.[1]).toMatch(/^\d+\* \(2\.42×\*\)$/);
    expect(row(plain, 'quiet samples')).toBeUndefined();
    expect(plain.note).not.toMatch(/quiet/);
    expect(row(contestTable(half, contest.id), 'quiet samples')?.[1]).toMatch(/^\d+ of 320$/);
    expect(summaryText(half)).toContain('Quiet and busy rounds; Synthetic CPU (1)\n');
  });

  test('are in the report, and in its reservations', async () => {
    const { document } = new JSDOM(await reportHtml(half.result)).window;
    expect(document.querySelector('#quiet table')?.textContent).toContain('2.42×');
    expect(document.querySelector('#reservations')?.textContent).toMatch(
      /node26 1\.2: \d+ of 320 samples are of a quiet core, \d+ of a busy one\./,
    );
    for (const caption of document.querySelectorAll('#quiet caption, #field caption, #environment caption')) {
      expect(caption.textContent).toContain('Synthetic CPU (1).');
    }
    expect(document.querySelectorAll('#quiet caption, #field caption, #environment caption')).toHaveLength(3);
  });
});

test('samples that are below the clock are left out, and free texts cannot steer a terminal', async () => {
  const zero = (line: Line): Line =>
    line.line === 'message' && line.message.type === 'samples'
      ? {
          ...line,
          message: {
            ...line.message,
            nanoseconds: Object.fromEntries(
              Object.entries(line.message.nanoseconds).map(([id, values]) => [id, values.map(() => 0)]),
            ),
          },
        }
      : line;
  const lines = linesOf(exact);
  // The first engine has no sample that its clock shows; the other one has one round in which that is so.
  const some = resultOf(lines.map((line) => (line.line === 'message' && line.session % 2 === 0 ? zero(line) : line)));
  const everything = resultOf(lines.map(zero));
  for (const result of [some, everything]) {
    const text = summaryText(viewOf(result));
    const page = (await reportHtml(result)).replaceAll(/data:application\/gzip;[^"]*/g, '');
    for (const each of [text, page]) expect(each).not.toMatch(/NaN|Infinity|undefined/);
  }
  expect(summaryText(viewOf(some))).toContain('Bun 1.4');
  const steered = {
    ...everything,
    contests: everything.contests.map((one) => ({ ...one, operation: '\u001b]0;x\u0007' })),
  };
  expect(summaryText(viewOf({ ...steered, sessions: resultOf(lines).sessions }))).not.toMatch(/(?!\n)\p{Cc}/u);
});

/** The same run, with a primitive that no code here knows. */
const renamed = (lines: readonly Line[]): Line[] =>
  JSON.parse(JSON.stringify(lines).replaceAll('ChaCha20', 'Whirl').replaceAll('chacha20', 'whirl')) as Line[];

test('a new primitive has its rows, curves and verdict without another word', async () => {
  const other = resultOf(renamed(linesOf(exact)));
  const text = summaryText(viewOf(other));
  expect(text).toContain('Whirl, encrypt: scalar and SIMD');
  expect(text).toContain('Whirl, encrypt: cycles per byte');
  expect(text).toMatch(/^Whirl, encrypt 64 KiB in Node 26\.10: lanewise simd does /m);
  const page = await reportHtml(other);
  expect(page).toContain('Whirl, encrypt: cycles per byte against length, in Node 26.10');
  expect(page).toContain('Whirl, encrypt, 64 KiB in Node 26.10: time as a multiple of that of lanewise simd');
});

describe('verdicts', () => {
  test('state the figures', () => {
    const found = verdicts(view).find(({ subject }) => subject === 'ChaCha20, encrypt 64 KiB in Node 26.10')!;
    expect(found.sentence).toMatch(
      /^lanewise simd does \d+ MB\/s, about 2\.01 cycles per byte\. SIMD is 2\.49× \(2\.49–2\.49\) as fast as scalar WebAssembly; over 2 engines, 2\.49× to 2\.49×\. The quickest rival, libsodium\.js, takes 3\.00× \(3\.00–3\.00\) as long\.$/,
    );
  });

  test('do not hide that somebody is quicker, or that nobody knows', () => {
    const of = (perByte: number, noise = 0) => {
      const speeds = [
        { description: { id: 'lanewise simd', contestant: 'lanewise', standing: 'ours', engine: 'simd' }, perCall: 0, perByte: 2 },
        { description: { id: 'rival', contestant: 'rival', standing: 'rival' }, perCall: 0, perByte },
      ] as const; // prettier-ignore
      const noisy = { ...exact, sessions: 5, speeds, noise: { process: noise, round: noise } };
      return verdicts(viewOf(synthetic(noisy)))[0].sentence;
    };
    expect(of(1)).toContain('A rival, rival, is quicker: it takes 0.50× (0.50–0.50) of our time.');
    expect(of(2.01, 0.1)).toContain('which this run cannot tell apart.');
  });
});

test('a terminal gets tables and verdicts, or the changes', () => {
  const text = summaryText(view);
  expect(text).toContain('SIMD ÷ scalar');
  expect(text.split('\n').every((line) => line === line.trimEnd())).toBe(true);
  const slower = synthetic({ ...exact, nanosecondsOfCycle: 0.3 });
  expect(comparisonText(compare(result, slower))).toMatch(
    / cases compared, 0 changed beyond the noise, 0 of them a regression\.\n$/,
  );
});

describe('the report', () => {
  let page: string;
  let document: Document;
  beforeAll(async () => {
    const lines = linesOf({ ...exact, wanted: (contest) => exact.wanted(contest) || contest.axis === 'direction' });
    const fault = { type: 'fault', contest: 'x', case: 'y <z>', contestant: 'y', fault: 'gives wrong bytes' } as const;
    lines.push({ line: 'message', session: 0, message: fault });
    page = await reportHtml(resultOf(lines));
    document = new JSDOM(page).window.document;
  });

  test('is one file, without scripts, that asks nobody for anything', () => {
    expect(document.querySelectorAll('script, link:not([href="data:,"]), img, iframe, object')).toHaveLength(0);
    expect(document.querySelector('meta[http-equiv="Content-Security-Policy"]')!.getAttribute('content')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:;/,
    );
    expect(document.querySelectorAll('svg [aria-label]')).toHaveLength(0);
    const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')!);
    expect(links.filter((href) => !/^(#|data:application\/gzip;)/.test(href))).toEqual([]);
    expect(
      page.replaceAll('http://www.w3.org/2000/svg', '').replaceAll('http://www.w3.org/1999/xlink', ''),
    ).not.toMatch(/https?:\/\//);
    // Compressed data may contain any text.
    expect(page.replaceAll(/data:application\/gzip;[^"]*/g, '')).not.toMatch(/NaN|undefined/);
  });

  test('escapes names from the result', () => {
    expect(page).not.toContain('y <z>');
    expect(document.title).toContain('Synthetic CPU (1)');
    expect(document.querySelector('#reservations')?.textContent).toContain(
      'y <z> gives wrong bytes in x, and is not timed',
    );
  });

  test('has its sections, and a way to each', () => {
    const ids = [...document.querySelectorAll('main > section')].map(({ id }) => id);
    // Figures come first, and prose after them.
    expect(ids).toEqual(['platforms', 'length', 'verdicts', 'speed', 'field', 'direction', 'raw', 'environment', 'reservations', 'modules', 'reproduce']); // prettier-ignore
    const targets = [...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'));
    expect(targets).toEqual(ids.map((id) => `#${id}`));
    expect(document.querySelector('#reproduce pre')?.textContent).toBe(
      'git checkout c0ffee\nnpm ci\nnpm run lab -- --seed 7',
    );
  });

  test('has figures for those who see them wide, narrow or not at all', () => {
    const figures = [...document.querySelectorAll('figure')];
    expect(figures.length).toBeGreaterThan(8);
    for (const figure of figures) {
      const drawings = [...figure.querySelectorAll('svg')];
      expect(drawings.map((svg) => svg.classList.contains('narrow'))).toEqual([false, true]);
      for (const svg of drawings) {
        expect(svg.getAttribute('role')).toBe('img');
        expect(svg.getAttribute('aria-label')).toBe(figure.querySelector('figcaption')?.textContent);
        expect(svg.getAttribute('aria-description')).toBeTruthy();
      }
    }
    for (const table of document.querySelectorAll('table')) {
      expect(table.querySelectorAll('thead :is(th[scope=col], td)').length).toBeGreaterThan(1);
      for (const head of table.querySelectorAll('th')) expect(head.textContent?.trim()).not.toBe('');
      expect(table.closest('.scroll')?.getAttribute('aria-label')).toBeTruthy();
    }
  });

  const inside = (text: string): Result => {
    const [, base64] = /href="data:application\/gzip;base64,([^"]+)"/.exec(text)!;
    return JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString()) as Result;
  };

  test('has all that was measured inside, or beside it', async () => {
    expect(inside(await reportHtml(result))).toEqual(JSON.parse(JSON.stringify(result)));
    const lean = await reportHtml(result, { mostInside: 1000, jsonName: 'run.json' });
    expect(lean).not.toContain('data:application');
    expect(lean).toContain('<a href="run.json">');
  });

  test('of a run in which nothing is to be trusted says so', async () => {
    const empty = resultOf(linesOf({ ...exact, sessions: 1, engines: [] }));
    expect(await reportHtml(empty)).toContain('No session that can be trusted');
  });
});
