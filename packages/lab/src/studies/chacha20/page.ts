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
import { listedEngines, megabytes, quotedRange, rangeText, ratioText, speedText, timesText } from '../numbers.ts';
import { bullets, given, heading, paragraph, say, table, Said, type Value } from '../prose.ts';
import { CHACHA20, CHACHA20_ROWS, LEVIATHAN, quoted, sourceText } from '../published.ts';
import type { StudyData, StudyPage } from '../study.ts';

const LONG = 'platforms/chacha20/encrypt/65536';
const MIDDLE = 'platforms/chacha20/encrypt/16384';
const SHORT = 'platforms/chacha20/encrypt/256';
/** The newest release of each engine. */
const NEWEST = ['chromium', 'firefox', 'webkit', 'node26', 'bun', 'deno', 'workerd'];

const ROWS = [1, 2, 3] as const;
const ROWS_LENGTHS = [64, 128, 192, 256, 65536] as const;
const rowsContest = (length: number): string => `studies/rows/chacha20/encrypt/${length}`;
const rowsForm = (blocks: number, shifts = false): string => `rows ${blocks}x1 by hand${shifts ? ', shifts' : ''}`;
const SCALAR_KERNEL = 'scalar kernel';
const SIMD_KERNEL = 'simd kernel';

export function page(data: StudyData): StudyPage {
  const pictures = new Map<string, string>();
  const shown = (name: string, alternative: string, svg: string | undefined): string | undefined => {
    if (svg === undefined) return undefined;
    pictures.set(`chacha20-${name}.svg`, svg);
    return `![${alternative}](chacha20-${name}.svg)`;
  };
  return {
    parts: [
      shown(
        'speed',
        'MB/s of scalar code and of vectors in each engine',
        speedBars(data, LONG, 'ChaCha20, chunks of 64 KiB: scalar and SIMD'),
      ),
      ...beside(data),
      ...debuggerPart(data, shown),
      ...rowsPart(data, shown),
      ...lengthPart(data, shown),
      shown(
        'processors',
        'the speed-up by vectors in each engine, by processor',
        processorBars(data, LONG, 'ChaCha20, 64 KiB: the speed-up by processor'),
      ),
      ...meaning(data),
    ],
    pictures,
  };
}

type Shown = (name: string, alternative: string, svg: string | undefined) => string | undefined;

function beside(data: StudyData): (string | undefined)[] {
  const chunk = (contest: string, bytes: string): (string | undefined)[] => {
    const found = speedTable(data, contest);
    return found === undefined
      ? []
      : [heading(say`Chunks of ${given(bytes, 'the length of the contest')} bytes`, 3), found];
  };
  return [
    heading('Published, and measured now'),
    paragraph(
      say`Published figures are those of ${sourceText(LEVIATHAN)}, for its long chunks; ours are of chunks of ${given('65,536', 'the same pages')} bytes on another processor, so that megabytes cannot be compared, but speed-ups can.`,
      say`Vectors are ${rangeText(speedUps(data, LONG), timesText)} as fast as scalar code here.`,
    ),
    speedTable(data, LONG, CHACHA20),
    paragraph(withoutVectors(data, LONG)),
    ...chunk(MIDDLE, '16,384'),
    ...chunk(SHORT, '256'),
    paragraph(
      say`With ${given(256, 'RFC 8439 §2.3: four blocks of 64 bytes')} bytes there is one set of four blocks, and the call around it counts: vectors are ${rangeText(speedUps(data, SHORT), timesText)} as fast.`,
    ),
  ];
}

function debuggerPart(data: StudyData, shown: Shown): (string | undefined)[] {
  const names = {
    firefox: 'Firefox as users have it',
    'firefox-baseline': 'baseline compiler only',
    'firefox-debugger': 'debugger attached',
  };
  const ids = Object.keys(names) as (keyof typeof names)[];
  if (
    data.speed('firefox-debugger', LONG, SIMD) === undefined &&
    data.speed('firefox-baseline', LONG, SIMD) === undefined
  )
    return [];
  const of = (id: string, form: string) => data.speed(id, LONG, form);
  const slower = (id: string, form: string): number | undefined => {
    const [fast, slow] = [of('firefox', form), of(id, form)];
    return fast === undefined || slow === undefined ? undefined : fast / slow;
  };
  return [
    heading('Why the published figure of Firefox is that of a debugger'),
    paragraph(
      say`Published were ${quoted(CHACHA20['firefox'].scalar as number)} and ${quoted(CHACHA20['firefox'].simd as number)} MB/s: Chromium was ${timesText(Number(CHACHA20['chromium'].scalar) / Number(CHACHA20['firefox'].scalar))} as fast.`,
      'The driver of the test browser had attached a debugger to the page. Code that a debugger may stop keeps its values where the debugger looks for them, so Firefox compiles WebAssembly with its baseline compiler then, with a check at each place where it could stop, and never replaces the code.',
      say`Here it is with the same page and the same modules: a debugger makes vectors ${timesText(slower('firefox-debugger', SIMD))} as slow and scalar code ${timesText(slower('firefox-debugger', SCALAR))}, down to ${speedText(of('firefox-debugger', SIMD))} and ${speedText(of('firefox-debugger', SCALAR))}.`,
      say`The baseline compiler without a debugger (\`javascript.options.wasm_optimizingjit\` is false) makes them ${timesText(slower('firefox-baseline', SIMD))} and ${timesText(slower('firefox-baseline', SCALAR))} as slow.`,
    ),
    paragraph(
      say`So the vectors come to ${speedText(of('firefox-debugger', SIMD))} where ${quoted(CHACHA20['firefox'].simd as number)} MB/s were published. Scalar code does not agree as well: with other code, the source found vectors ${quoted(CHACHA20['firefox'].times)} times as fast as its scalar code, and here they are ${ratioText(speedUp(data, 'firefox-debugger', LONG))} times as fast as ours.`,
    ),
    shown(
      'firefox',
      'MB/s in Firefox as it is, with its baseline compiler, and with a debugger attached',
      bars({
        title: 'ChaCha20 in Firefox, 64 KiB: three ways to start the same browser',
        description:
          'Firefox as users have it is many times as fast as with its baseline compiler only or with a debugger attached.',
        series: ['scalar', 'SIMD'],
        axis: 'MB/s',
        logarithmic: true,
        groups: ids.map((id) => ({ name: names[id], values: [of(id, SCALAR), of(id, SIMD)] })),
      }),
    ),
    table(
      ['Firefox', 'scalar, MB/s', 'SIMD, MB/s', 'speed-up'],
      ids.map((id) => [
        names[id],
        megabytes(of(id, SCALAR)),
        megabytes(of(id, SIMD)),
        ratioText(speedUp(data, id, LONG)),
      ]),
    ),
    paragraph(
      'The lab runs a kernel that never changes at both ends of each session, and leaves out sessions in which it is more than twice as slow as it should be: no such figure gets into its tables by accident.',
    ),
    heading('Why Bun is not V8'),
    paragraph(
      'Bun is JavaScriptCore, the engine of WebKit, with another event loop around it: its figures belong beside those of WebKit, not beside those of Node and Chromium.',
      say`Published speed-ups were ${quoted(CHACHA20['bun'].times)} in Bun and ${quoted(CHACHA20['webkit'].times)} in WebKit, but ${quoted(CHACHA20['chromium'].times)} in Chromium.`,
      say`Short calls tell the engines apart here: in chunks of ${given(256, 'the length of the contest')} bytes vectors do ${speedText(data.speed('bun', SHORT, SIMD))} in Bun and ${speedText(data.speed('webkit', SHORT, SIMD))} in WebKit, but ${speedText(data.speed('node26', SHORT, SIMD))} in Node and ${speedText(data.speed('chromium', SHORT, SIMD))} in Chromium; in long chunks the speed-ups are ${ratioText(speedUp(data, 'bun', LONG))}, ${ratioText(speedUp(data, 'webkit', LONG))}, ${ratioText(speedUp(data, 'node26', LONG))} and ${ratioText(speedUp(data, 'chromium', LONG))}.`,
    ),
  ];
}

function rowsPart(data: StudyData, shown: Shown): (string | undefined)[] {
  const engines = data.engines(...ROWS_LENGTHS.map(rowsContest)).filter(({ id }) => NEWEST.includes(id));
  if (engines.length === 0) return [];
  const against = (id: string, length: number, form: string): number | undefined =>
    data.faster(id, rowsContest(length), form, SCALAR_KERNEL);
  const single = engines.map(({ id }) => against(id, 64, rowsForm(1)));
  const long = (blocks: number, shifts = false): (number | undefined)[] =>
    engines.map(({ id }) => against(id, 65536, rowsForm(blocks, shifts)));
  const lanes = engines.map(({ id }) => against(id, 65536, SIMD_KERNEL));
  const losing = engines.filter(({ id }) => (against(id, 64, rowsForm(1)) ?? 1) < 1);
  const winning = engines.filter(({ id }) => (against(id, 64, rowsForm(1)) ?? 0) > 1);
  return [
    heading('One block across the lanes'),
    paragraph(
      'The other way to use four lanes puts the four rows of one block into four vectors. Each instruction then makes four additions, too, but each depends on the one before, and the rows have to be turned into diagonals and back.',
      say`Published, after four attempts: ${quotedRange(CHACHA20_ROWS)} of the scalar speed.`,
    ),
    shown(
      'rows',
      'the speed of one, two and three blocks by rows, and of four blocks in lanes, as a multiple of scalar code, in each engine',
      bars({
        title: 'ChaCha20 by rows, 64 KiB: times as fast as scalar code',
        description:
          'For each engine four bars: one block by rows, two and three blocks interleaved, and four blocks in lanes, which are the longest.',
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
      say`For a message of one block, where there is nothing to interleave, rows are ${rangeText(single)} times as fast as scalar code.`,
      losing.length > 0 && winning.length > 0
        ? say`So the negative result holds in ${listedEngines(losing)}, and does not in ${listedEngines(winning)}.`
        : losing.length > 0
          ? say`So the negative result holds in ${listedEngines(losing)}: for one block.`
          : say`So the negative result does not hold here in ${listedEngines(winning)}.`,
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
      lengthLines(data, 'chacha20/encrypt', 'ChaCha20: vectors against scalar code, by length', NEWEST),
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
      say`Put the same word of four blocks into a vector. It is the simplest form, it has no shuffles but those at the end, and it is ${rangeText(speedUps(data, LONG), timesText)} as fast as scalar code in every engine that was measured.`,
      'One block across the lanes is for the ends of messages at most; interleave two or three, or leave them to scalar code.',
      'Keep a kernel that never changes beside every measurement in a browser. A browser that a driver has started may be in another tier, and nothing in the figures says so.',
      'Name the engine, not the runtime: two runtimes with one engine agree, and two engines do not.',
    ),
  ];
}
