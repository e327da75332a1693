/** ChaCha20, four blocks in four lanes. `page.md` has the text. */
import { engineBars, twoDigits } from '../forms.ts';
import { bars } from '../../charts/bars.ts';
import {
  laneFigures,
  lengthLines,
  lengthTable,
  speedUpByProcessor,
  SCALAR,
  SIMD,
  speedBars,
  speedTables,
  speedUp,
} from '../lanes.ts';
import { newest } from '../newest.ts';
import { bytesText, listedEngines, megabytes, quotedRange, rangeText, ratioText, timesText } from '../numbers.ts';
import { given, Said, say, table, type Value } from '../prose.ts';
import { CHACHA20, CHACHA20_ROWS, figureText, LEVIATHAN, quoted, sourceText } from '../published.ts';
import { MEDIANS, shownIn } from '../shown.ts';
import type { Study, StudyData, StudyPage } from '../study.ts';
import { filled, templateOf } from '../template.ts';

const CHUNKS = [65536, 16384, 256] as const;
const chunk = (bytes: number): string => `platforms/chacha20/encrypt/${bytes}`;
const CONTESTS: readonly string[] = CHUNKS.map(chunk);
const [LONG] = CONTESTS;
const { chromium, firefox, webkit, bun } = CHACHA20[CHUNKS[0]];
/** Of contests `studies/lanes/…`. */
const OPERATION = 'chacha20/encrypt';

const ROWS = [1, 2, 3] as const;
const ROWS_LENGTHS = [64, 128, 192, 256, 65536] as const;
const names = {
  chunk: 'platforms/chacha20/encrypt',
  simd: SIMD,
  scalar: SCALAR,
  rows: 'studies/rows/chacha20/encrypt',
  'by-rows': 'rows *x1 by hand',
  shifts: 'rows *x1 by hand, shifts',
  'simd-kernel': 'simd kernel',
  'scalar-kernel': 'scalar kernel',
} as const;

/** Firefox as it is, and in the two ways that reproduce the published figures. */
const WAYS = {
  firefox: 'Firefox as users have it',
  'firefox-baseline': 'baseline compiler only',
  'firefox-debugger': 'debugger attached',
} as const;
const WAY_IDS = Object.keys(WAYS) as (keyof typeof WAYS)[];

function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('chacha20', data);
  const speed = (id: string, form: string, contest = LONG) => data.speed(id, contest, form);
  const reproduced = WAY_IDS.slice(1).some((id) => speed(id, SIMD) !== undefined);
  const slower = (id: string, form: string): Value => {
    const [fast, slow] = [speed('firefox', form), speed(id, form)];
    return fast === undefined || slow === undefined ? undefined : timesText(fast / slow);
  };
  const rows = newest(data.engines(...ROWS_LENGTHS.map((length) => `${names.rows}/${length}`)));
  const against = (id: string, length: number, form: string) =>
    data.faster(id, `${names.rows}/${length}`, form, names['scalar-kernel']);
  const byRows = (id: string, length: number, blocks: number) =>
    against(id, length, names['by-rows'].replace('*', String(blocks)));
  const losing = listedEngines(rows.filter(({ id }) => (byRows(id, 64, 1) ?? 1) < 1));
  const winning = listedEngines(rows.filter(({ id }) => (byRows(id, 64, 1) ?? 0) > 1));
  const text = filled(templateOf(import.meta.dirname), data, {
    shown,
    names,
    published: {
      leviathan: sourceText(LEVIATHAN),
      'firefox-scalar': figureText(firefox.scalar),
      'firefox-simd': figureText(firefox.simd),
      'firefox-times': quoted(firefox.times),
      'chromium-over-firefox': timesText(Number(chromium.scalar) / Number(firefox.scalar)),
      'bun-times': quoted(bun.times),
      'webkit-times': quoted(webkit.times),
      'chromium-times': quoted(chromium.times),
      'rows-published': quotedRange(CHACHA20_ROWS),
    },
    figures: {
      ...laneFigures(data, LONG, { 'least-lengths': OPERATION }),
      'debugger-simd': slower('firefox-debugger', SIMD),
      'debugger-scalar': slower('firefox-debugger', SCALAR),
      'baseline-simd': slower('firefox-baseline', SIMD),
      'baseline-scalar': slower('firefox-baseline', SCALAR),
      'rows-at-all-lengths': rangeText(rows.flatMap(({ id }) => ROWS_LENGTHS.map((length) => byRows(id, length, 1)))),
      'where-it-holds':
        (losing && winning && say`So it holds there in ${losing}, and does not in ${winning}.`) ??
        (losing ? say`So it holds there in ${losing}.` : say`So it does not hold there in ${winning}.`),
    },
    parts: {
      'speed-picture': shown(
        'speed',
        'MB/s of scalar code and of vectors in each engine',
        speedBars(data, LONG, 'ChaCha20, chunks of 64 KiB: scalar and SIMD'),
      ),
      'chunk-tables': speedTables(data, CHUNKS, chunk, 'Chunks', CHACHA20),
      'firefox-picture': !reproduced
        ? undefined
        : shown(
            'firefox',
            'MB/s in Firefox as it is, with its baseline compiler, and with a debugger attached',
            bars({
              title: 'ChaCha20 in Firefox, 64 KiB: three ways to start the same browser',
              description:
                'For Firefox as users have it, with its baseline compiler only, and with a debugger attached, a bar for scalar code and one for vectors.',
              series: ['scalar', 'SIMD'],
              axis: 'MB/s',
              groups: WAY_IDS.map((id) => ({ name: WAYS[id], values: [speed(id, SCALAR), speed(id, SIMD)] })),
            }),
          ),
      'firefox-table': !reproduced
        ? undefined
        : table(
            ['Firefox', 'chunk', 'scalar, MB/s', 'SIMD, MB/s', 'speed-up'],
            CHUNKS.flatMap((bytes): Value[][] => {
              const old = CHACHA20[bytes]['firefox'];
              return [
                ...WAY_IDS.map((id): Value[] => [
                  WAYS[id],
                  bytesText(bytes),
                  ...[SCALAR, SIMD].map((form) => megabytes(speed(id, form, chunk(bytes)))),
                  ratioText(speedUp(data, id, chunk(bytes))),
                ]),
                [
                  'published then',
                  bytesText(bytes),
                  figureText(old.scalar),
                  figureText(old.simd),
                  ratioText(old.times),
                ],
              ];
            }),
            2,
          ),
      'rows-picture': shown(
        'rows',
        'the speed of one, two and three blocks by rows, and of four blocks in lanes, as a multiple of scalar code, in each engine',
        engineBars(
          rows,
          {
            title: 'ChaCha20 by rows, 64 KiB: times as fast as scalar code',
            description:
              'For each engine four bars: one block by rows, two and three blocks interleaved, and four blocks in lanes.',
            series: ['1 block by rows', '2 interleaved', '3 interleaved', 'blocks in lanes'],
            axis: 'times as fast as scalar code',
            mark: 1,
            format: twoDigits,
          },
          (id) => [...ROWS.map((blocks) => byRows(id, 65536, blocks)), against(id, 65536, names['simd-kernel'])],
        ),
      ),
      'rows-table': table(
        ['message', 'engine', 'one block by rows', 'two', 'three', 'rows, shifts', 'lanes'],
        ROWS_LENGTHS.flatMap((length) =>
          rows.map(({ id, name }): Value[] => [
            length === 65536
              ? given('64 KiB', 'the length of the contest')
              : given(`${length / 64} ${length === 64 ? 'block' : 'blocks'}`, 'RFC 8439 §2.3'),
            new Said(name),
            ...ROWS.map((blocks) => (length < 64 * blocks ? undefined : ratioText(byRows(id, length, blocks)))),
            ratioText(against(id, length, names.shifts.replace('*', '1'))),
            ratioText(against(id, length, names['simd-kernel'])),
          ]),
        ),
        2,
      ),
      'length-picture': shown(
        'length',
        'the speed-up by vectors against the length of the message, a curve for each engine',
        lengthLines(data, OPERATION, 'ChaCha20: vectors against scalar code, by length'),
      ),
      'length-table': lengthTable(data, OPERATION, [64, 128, 192, 256, 512, 1024, 4096]),
      'processors-picture': shown(
        'processors',
        'the speed-up by vectors in each engine, by processor',
        speedUpByProcessor(data, LONG, 'ChaCha20, 64 KiB: the speed-up by processor'),
        MEDIANS,
      ),
    },
  });
  return { parts: [text], pictures };
}

export const study: Study = {
  id: 'chacha20',
  title: 'ChaCha20, four blocks in four lanes',
  summary: 'scalar code and vectors in every engine, one block across the lanes, and from which length on lanes pay',
  order: 1,
  contests: [...CONTESTS, `${names.rows}/`, `studies/lanes/${OPERATION}/`],
  alsoIn: { 'firefox-baseline': CONTESTS, 'firefox-debugger': CONTESTS },
  page,
};
