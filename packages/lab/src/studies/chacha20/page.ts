/** The page on ChaCha20. */
import { bars } from '../bars.ts';
import {
  lengthLines,
  lengthTable,
  PAYING,
  leastLengthsText,
  processorBars,
  SCALAR,
  SIMD,
  speedBars,
  speedTable,
  speedUp,
  speedUps,
  withoutVectors,
} from '../lanes.ts';
import { newest } from '../newest.ts';
import {
  bytesText,
  countText,
  listedEngines,
  megabytes,
  quotedRange,
  rangeText,
  ratioText,
  speedText,
  timesText,
} from '../numbers.ts';
import { bullets, given, heading, paragraph, say, table, Said, type Value } from '../prose.ts';
import { CHACHA20, CHACHA20_ROWS, figureText, LEVIATHAN, quoted, sourceText } from '../published.ts';
import { MEDIANS, shownIn, type Shown } from '../shown.ts';
import type { StudyData, StudyPage } from '../study.ts';

const CHUNKS = [65536, 16384, 256] as const;
const chunk = (bytes: number): string => `platforms/chacha20/encrypt/${bytes}`;
export const CONTESTS: readonly string[] = CHUNKS.map(chunk);
const [LONG, , SHORT] = CONTESTS;
const PUBLISHED = CHACHA20[CHUNKS[0]];

const ROWS = [1, 2, 3] as const;
const ROWS_LENGTHS = [64, 128, 192, 256, 65536] as const;
const rowsContest = (length: number): string => `studies/rows/chacha20/encrypt/${length}`;
const rowsForm = (blocks: number, shifts = false): string => `rows ${blocks}x1 by hand${shifts ? ', shifts' : ''}`;
const SCALAR_KERNEL = 'scalar kernel';
const SIMD_KERNEL = 'simd kernel';

export function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('chacha20', data);
  return {
    parts: [
      shown(
        'speed',
        'MB/s of scalar code and of vectors in each engine',
        speedBars(data, LONG, 'ChaCha20, chunks of 64 KiB: scalar and SIMD'),
      ),
      ...beside(data),
      ...debuggerPart(data, shown),
      ...bunPart(data),
      ...rowsPart(data, shown),
      ...lengthPart(data, shown),
      shown(
        'processors',
        'the speed-up by vectors in each engine, by processor',
        processorBars(data, LONG, 'ChaCha20, 64 KiB: the speed-up by processor'),
        MEDIANS,
      ),
      ...meaning(data),
    ],
    pictures,
  };
}

const beside = (data: StudyData): (string | undefined)[] => [
  heading('Published, and measured now'),
  paragraph(
    say`Published figures are those of ${sourceText(LEVIATHAN)}. They stand under *then*, in MB/s. Ours are of another processor and another library, so that megabytes cannot be compared; speed-ups can, with care, because each is relative to the scalar code of its own library.`,
    say`Vectors are ${rangeText(speedUps(data, LONG), timesText)} as fast as scalar code here.`,
  ),
  ...CHUNKS.flatMap((bytes) => {
    const found = speedTable(data, chunk(bytes), CHACHA20[bytes]);
    return found === undefined ? [] : [heading(say`Chunks of ${countText(bytes)} bytes`, 3), found];
  }),
  paragraph(
    say`With ${given(256, 'RFC 8439 §2.3: four blocks of 64 bytes')} bytes there is one set of four blocks, and the call around it counts: vectors are ${rangeText(speedUps(data, SHORT), timesText)} as fast.`,
    withoutVectors(data, LONG),
  ),
];

/** Firefox as it is, and in the two ways that reproduce what was published. */
const WAYS = {
  firefox: 'Firefox as users have it',
  'firefox-baseline': 'baseline compiler only',
  'firefox-debugger': 'debugger attached',
} as const;
const DEBUGGER = 'firefox-debugger';
const BASELINE = 'firefox-baseline';

function debuggerPart(data: StudyData, shown: Shown): (string | undefined)[] {
  const ids = Object.keys(WAYS) as (keyof typeof WAYS)[];
  const of = (id: string, form: string, contest = LONG) => data.speed(id, contest, form);
  if (of(DEBUGGER, SIMD) === undefined && of(BASELINE, SIMD) === undefined) return [];
  const slower = (id: string, form: string): number | undefined => {
    const [fast, slow] = [of('firefox', form), of(id, form)];
    return fast === undefined || slow === undefined ? undefined : fast / slow;
  };
  const { chromium, firefox } = PUBLISHED;
  return [
    heading('Why the published figures of Firefox are most probably those of a debugger'),
    paragraph(
      say`Published were ${figureText(firefox.scalar)} and ${figureText(firefox.simd)} MB/s: scalar code in Chromium was ${timesText(Number(chromium.scalar) / Number(firefox.scalar))} as fast. The source takes this for a property of the engine: it would not keep in registers what code loads from fixed addresses.`,
      'But its tests ran under Playwright, whose Firefox has a debugger attached to each page, and for which others have found the same slowness ([microsoft/playwright issue `42199`](https://github.com/microsoft/playwright/issues/42199)). Code that a debugger may stop keeps its values where the debugger looks for them, so Firefox compiles WebAssembly with its baseline compiler then, with a check at each place where it could stop, and never replaces the code.',
    ),
    paragraph(
      say`The same page and the same modules show it: a debugger makes vectors ${timesText(slower(DEBUGGER, SIMD))} as slow and scalar code ${timesText(slower(DEBUGGER, SCALAR))}, down to ${speedText(of(DEBUGGER, SIMD))} and ${speedText(of(DEBUGGER, SCALAR))}.`,
      say`The baseline compiler without a debugger (\`javascript.options.wasm_optimizingjit\` is false) makes them ${timesText(slower(BASELINE, SIMD))} and ${timesText(slower(BASELINE, SCALAR))} as slow.`,
      say`So the vectors come to ${speedText(of(DEBUGGER, SIMD))} where ${figureText(firefox.simd)} MB/s were published, and Firefox without a debugger to ${speedText(of('firefox', SIMD))}.`,
      say`Scalar code does not agree as well: the source found vectors ${quoted(firefox.times)} times as fast as its own scalar code, and here they are ${ratioText(speedUp(data, DEBUGGER, LONG))} times as fast as ours. Processor and code differ, so that this is an inference, and no proof.`,
    ),
    shown(
      'firefox',
      'MB/s in Firefox as it is, with its baseline compiler, and with a debugger attached',
      bars({
        title: 'ChaCha20 in Firefox, 64 KiB: three ways to start the same browser',
        description:
          'For Firefox as users have it, with its baseline compiler only, and with a debugger attached, a bar for scalar code and one for vectors.',
        series: ['scalar', 'SIMD'],
        axis: 'MB/s',
        groups: ids.map((id) => ({ name: WAYS[id], values: [of(id, SCALAR), of(id, SIMD)] })),
      }),
    ),
    table(
      ['Firefox', 'chunk', 'scalar, MB/s', 'SIMD, MB/s', 'speed-up'],
      CHUNKS.flatMap((bytes): Value[][] => {
        const old = CHACHA20[bytes]['firefox'];
        return [
          ...ids.map((id): Value[] => [
            WAYS[id],
            bytesText(bytes),
            megabytes(of(id, SCALAR, chunk(bytes))),
            megabytes(of(id, SIMD, chunk(bytes))),
            ratioText(speedUp(data, id, chunk(bytes))),
          ]),
          ['published then', bytesText(bytes), figureText(old.scalar), figureText(old.simd), ratioText(old.times)],
        ];
      }),
      2,
    ),
    paragraph(
      'The lab runs a kernel that never changes at both ends of each session, and leaves out sessions in which it is more than twice as slow as it should be: no such figure gets into its tables by accident.',
    ),
  ];
}

const bunPart = (data: StudyData): (string | undefined)[] => [
  heading('Why Bun is not V8'),
  paragraph(
    'The source lists Bun as based on V8. It is based on JavaScriptCore, the engine of WebKit: its figures belong beside those of WebKit, not beside those of Node and Chromium.',
    say`The published speed-ups agree: ${quoted(PUBLISHED['bun'].times)} in Bun and ${quoted(PUBLISHED['webkit'].times)} in WebKit, but ${quoted(PUBLISHED['chromium'].times)} in Chromium.`,
    say`Short calls tell the engines apart here: in chunks of ${given(256, 'the length of the contest')} bytes vectors do ${speedText(data.speed('bun', SHORT, SIMD))} in Bun and ${speedText(data.speed('webkit', SHORT, SIMD))} in WebKit, but ${speedText(data.speed('node26', SHORT, SIMD))} in Node and ${speedText(data.speed('chromium', SHORT, SIMD))} in Chromium.`,
    say`In long chunks the speed-ups are ${ratioText(speedUp(data, 'bun', LONG))} in Bun, ${ratioText(speedUp(data, 'webkit', LONG))} in WebKit, ${ratioText(speedUp(data, 'node26', LONG))} in Node and ${ratioText(speedUp(data, 'chromium', LONG))} in Chromium.`,
  ),
];

function rowsPart(data: StudyData, shown: Shown): (string | undefined)[] {
  const engines = newest(data.engines(...ROWS_LENGTHS.map(rowsContest)));
  if (engines.length === 0) return [];
  const against = (id: string, length: number, form: string): number | undefined =>
    data.faster(id, rowsContest(length), form, SCALAR_KERNEL);
  const single = engines.map(({ id }) => against(id, 64, rowsForm(1)));
  const long = (blocks: number, shifts = false): (number | undefined)[] =>
    engines.map(({ id }) => against(id, 65536, rowsForm(blocks, shifts)));
  const lanes = engines.map(({ id }) => against(id, 65536, SIMD_KERNEL));
  /** So many blocks by rows, in a message that has no other blocks. */
  const exactly = (blocks: number): (number | undefined)[] =>
    engines.map(({ id }) => against(id, 64 * blocks, rowsForm(blocks)));
  const all = engines.flatMap(({ id }) => ROWS_LENGTHS.map((length) => against(id, length, rowsForm(1))));
  const losing = engines.filter(({ id }) => (against(id, 64, rowsForm(1)) ?? 1) < 1);
  const winning = engines.filter(({ id }) => (against(id, 64, rowsForm(1)) ?? 0) > 1);
  return [
    heading('One block across the lanes'),
    paragraph(
      'The other way to use four lanes puts the four rows of one block into four vectors. Each instruction then makes four additions, too, but each depends on the one before, and the rows have to be turned into diagonals and back.',
      say`Published, after four attempts with rotations by two shifts: ${quotedRange(CHACHA20_ROWS)} of the scalar speed, for which the source names the rotations, the shuffles, and engines that keep the words of scalar code in registers.`,
    ),
    shown(
      'rows',
      'the speed of one, two and three blocks by rows, and of four blocks in lanes, as a multiple of scalar code, in each engine',
      bars({
        title: 'ChaCha20 by rows, 64 KiB: times as fast as scalar code',
        description:
          'For each engine four bars: one block by rows, two and three blocks interleaved, and four blocks in lanes.',
        series: ['1 block by rows', '2 interleaved', '3 interleaved', 'blocks in lanes'],
        axis: 'times as fast as scalar code',
        mark: 1,
        format: (value) => value.toFixed(2),
        groups: engines.map(({ id, name }) => ({
          name,
          values: [...ROWS.map((blocks) => against(id, 65536, rowsForm(blocks))), against(id, 65536, SIMD_KERNEL)],
        })),
      }),
    ),
    paragraph(
      say`One block at a time, with a byte shuffle for the rotations by whole bytes, the rows are ${rangeText(long(1))} times as fast as scalar code in long messages; with each rotation by two shifts ${rangeText(long(1, true))} times.`,
      say`Two interleaved blocks are ${rangeText(long(2))} times as fast, three ${rangeText(long(3))} times: another block fills the gaps in which one waits for itself.`,
      say`Four blocks in lanes are ${rangeText(lanes)} times as fast: no rows to turn, and four independent quarter rounds in each instruction.`,
    ),
    table(
      ['message', 'engine', 'one block by rows', 'two', 'three', 'rows, shifts', 'lanes'],
      ROWS_LENGTHS.flatMap((length) =>
        engines.map(({ id, name }): Value[] => [
          length === 65536
            ? given('64 KiB', 'the length of the contest')
            : given(`${length / 64} ${length === 64 ? 'block' : 'blocks'}`, 'RFC 8439 §2.3'),
          new Said(name),
          ...ROWS.map((blocks) =>
            length < 64 * blocks ? undefined : ratioText(against(id, length, rowsForm(blocks))),
          ),
          ratioText(against(id, length, rowsForm(1, true))),
          ratioText(against(id, length, SIMD_KERNEL)),
        ]),
      ),
      2,
    ),
    paragraph(
      say`When does the negative result hold? For one block at a time, at every length of the table, rows are ${rangeText(all)} times as fast as scalar code; for a message that is one block, where there is nothing to interleave, ${rangeText(single)} times.`,
      losing.length > 0 && winning.length > 0
        ? say`So it holds there in ${listedEngines(losing)}, and does not in ${listedEngines(winning)}.`
        : losing.length > 0
          ? say`So it holds there in ${listedEngines(losing)}.`
          : say`So it does not hold there in ${listedEngines(winning)}.`,
      say`For a message of two blocks, two interleaved ones are ${rangeText(exactly(2))} times as fast as scalar code, and for one of three blocks three of them ${rangeText(exactly(3))} times.`,
    ),
  ];
}

function lengthPart(data: StudyData, shown: Shown): (string | undefined)[] {
  const least = leastLengthsText(data, 'chacha20/encrypt');
  if (least === undefined) return [];
  return [
    heading('From which length on lanes pay'),
    shown(
      'length',
      'the speed-up by vectors against the length of the message, a curve for each engine',
      lengthLines(data, 'chacha20/encrypt', 'ChaCha20: vectors against scalar code, by length'),
    ),
    paragraph(
      say`A call of the public function, with everything around the kernel, is at least ${PAYING} faster with lanes ${least}.`,
      'From there on it is at each longer length that was measured.',
    ),
    lengthTable(data, 'chacha20/encrypt', [64, 128, 192, 256, 512, 1024, 4096]),
  ];
}

function meaning(data: StudyData): (string | undefined)[] {
  return [
    heading('For somebody who writes such code'),
    bullets(
      say`Put the same word of four blocks into a vector. It is the simplest form, it has no shuffles but those at the end, and in chunks of ${bytesText(CHUNKS[0])} it is ${rangeText(speedUps(data, LONG), timesText)} as fast as scalar code in every engine that was measured with it.`,
      'One block across the lanes is for the ends of messages at most. Interleave two or three, or leave single blocks to scalar code.',
      'Keep a kernel that never changes beside every measurement in a browser. A browser that a driver has started may be in another tier, and nothing in the figures says so.',
      'Name the engine, not the runtime alone: Bun is nearer to WebKit than to Node.',
    ),
  ];
}
