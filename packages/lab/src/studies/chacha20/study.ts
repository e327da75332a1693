/** ChaCha20, four blocks in four lanes. `page.md` has the text. */
import { bars } from '../../charts/bars.ts';
import { laneColumns, laneFigures, SCALAR, SIMD, speedUp } from '../lanes.ts';
import { newest } from '../newest.ts';
import { bytesText, listedEngines, megabytes, quotedRange, rangeText, ratioText, timesText } from '../numbers.ts';
import { say, table, type Value } from '../prose.ts';
import { CHACHA20, CHACHA20_ROWS, LEVIATHAN, publishedColumns, quoted, sourceText } from '../published.ts';
import type { Shown } from '../shown.ts';
import type { Given, Study, StudyData } from '../study.ts';

const CHUNKS = [65536, 16384, 256] as const;
const chunk = (bytes: number): string => `platforms/chacha20/encrypt/${bytes}`;
const CONTESTS: readonly string[] = CHUNKS.map(chunk);
const [LONG] = CONTESTS;
const { chromium, firefox, webkit, bun } = CHACHA20[CHUNKS[0]];
/** Of contests `studies/lanes/…`. */
const OPERATION = 'chacha20/encrypt';

const ROWS_LENGTHS = [64, 128, 192, 256, 65536] as const;
const names = {
  chunk: 'platforms/chacha20/encrypt',
  simd: SIMD,
  scalar: SCALAR,
  rows: 'studies/rows/chacha20/encrypt',
  lanes: `studies/lanes/${OPERATION}`,
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

function given(data: StudyData, shown: Shown): Given {
  const speed = (id: string, form: string, contest = LONG) => data.speed(id, contest, form);
  const reproduced = WAY_IDS.slice(1).some((id) => speed(id, SIMD) !== undefined);
  const slower = (id: string, form: string): Value => {
    const [fast, slow] = [speed('firefox', form), speed(id, form)];
    return fast === undefined || slow === undefined ? undefined : timesText(fast / slow);
  };
  const rows = newest(data.engines(...ROWS_LENGTHS.map((length) => `${names.rows}/${length}`)));
  /** Blocks by rows beside scalar code; a shorter message than so many blocks interleaves fewer. */
  const byRows = (id: string, length: number, blocks = 1) =>
    length < 64 * blocks
      ? undefined
      : data.faster(
          id,
          `${names.rows}/${length}`,
          names['by-rows'].replace('*', String(blocks)),
          names['scalar-kernel'],
        );
  const losing = listedEngines(rows.filter(({ id }) => (byRows(id, 64) ?? 1) < 1));
  const winning = listedEngines(rows.filter(({ id }) => (byRows(id, 64) ?? 0) > 1));
  return {
    names,
    published: {
      leviathan: sourceText(LEVIATHAN),
      'firefox-scalar': quoted(firefox.scalar),
      'firefox-simd': quoted(firefox.simd),
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
      'rows-at-all-lengths': rangeText(rows.flatMap(({ id }) => ROWS_LENGTHS.map((length) => byRows(id, length)))),
      'where-it-holds':
        (losing && winning && say`So it holds there in ${losing}, and does not in ${winning}.`) ??
        (losing ? say`So it holds there in ${losing}.` : say`So it does not hold there in ${winning}.`),
    },
    columns: {
      ...publishedColumns(CHACHA20),
      ...laneColumns(data, OPERATION),
      'two by rows': (id, length) => ratioText(byRows(id, Number(length), 2)),
      'three by rows': (id, length) => ratioText(byRows(id, Number(length), 3)),
    },
    parts: {
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
                ['published then', bytesText(bytes), quoted(old.scalar), quoted(old.simd), ratioText(old.times)],
              ];
            }),
            2,
          ),
    },
  };
}

export const study: Study = {
  id: 'chacha20',
  title: 'ChaCha20, four blocks in four lanes',
  summary: 'scalar code and vectors in every engine, one block across the lanes, and from which length on lanes pay',
  order: 1,
  contests: [...CONTESTS, `${names.rows}/`, `${names.lanes}/`],
  alsoIn: { 'firefox-baseline': CONTESTS, 'firefox-debugger': CONTESTS },
  given,
};
