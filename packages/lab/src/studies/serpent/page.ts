/** The page on Serpent. */
import { bars } from '../bars.ts';
import {
  isUsual,
  leastLengthsText,
  lengthLines,
  lengthTable,
  PAYING,
  processorBars,
  SCALAR,
  SIMD,
  speedBars,
  speedTable,
  speedUps,
  withoutVectors,
} from '../lanes.ts';
import { countText, percentText, plain, rangeText, timesText } from '../numbers.ts';
import { bullets, given, heading, paragraph, say, Said, table, type Value } from '../prose.ts';
import {
  INVERSE_CIRCUITS,
  LEVIATHAN,
  quoted,
  SBOX_CIRCUITS,
  SERPENT,
  sourceText,
  type Circuits,
} from '../published.ts';
import { MEDIANS, shownIn, type Shown } from '../shown.ts';
import type { StudyData, StudyPage } from '../study.ts';
import type { Picture } from '../svg.ts';
import {
  forwardDepths,
  forwardGates,
  inverseDepths,
  inverseGates,
  LANE_ROTATION,
  operationsOf,
  sum,
  type Operations,
} from './circuits.ts';

const CHUNKS = [65536, 16384, 1024] as const;
const [LONG] = CHUNKS;
const PUBLISHED = SERPENT[LONG];
const MODES = { 'ctr/encrypt': 'CTR', 'cbc/decrypt': 'CBC decryption', 'ocb/seal': 'OCB' } as const;
type Mode = keyof typeof MODES;
const contest = (mode: Mode, length: number): string => `platforms/serpent-${mode}/${length}`;
export const CONTESTS: readonly string[] = [
  ...(['ctr/encrypt', 'cbc/decrypt'] as const).flatMap((mode) => CHUNKS.map((length) => contest(mode, length))),
  contest('ocb/seal', LONG),
  contest('ocb/seal', 1024),
];
const PAPER = 'Serpent: A Proposal for the Advanced Encryption Standard, §3';

export function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('serpent', data);
  return {
    parts: [
      shown(
        'speed',
        'MB/s of scalar code and of vectors in each engine',
        speedBars(data, contest('ctr/encrypt', LONG), 'Serpent-256-CTR, chunks of 64 KiB: scalar and SIMD'),
      ),
      ...beside(data),
      ...modesPart(data, shown),
      ...lengthPart(data, shown),
      ...circuitsPart(data, shown),
      shown(
        'processors',
        'the speed-up by vectors in each engine, by processor',
        processorBars(data, contest('ctr/encrypt', LONG), 'Serpent-256-CTR, 64 KiB: the speed-up by processor'),
        MEDIANS,
      ),
      ...meaning(data),
    ],
    pictures,
  };
}

/** A table for each chunk of a mode. */
const chunks = (data: StudyData, mode: Mode): (string | undefined)[] =>
  CHUNKS.flatMap((length) => {
    const found = speedTable(data, contest(mode, length), mode === 'ctr/encrypt' ? SERPENT[length] : undefined);
    return found === undefined ? [] : [heading(say`${MODES[mode]}, chunks of ${countText(length)} bytes`, 3), found];
  });

const beside = (data: StudyData): (string | undefined)[] => [
  heading('Published, and measured now'),
  paragraph(
    say`Published figures, under *then*, are those of ${sourceText(LEVIATHAN)}; those of Firefox are most probably of a browser with a debugger, as [the page on ChaCha20](chacha20.md#why-the-published-figures-of-firefox-are-most-probably-those-of-a-debugger) says.`,
    say`In Chromium and WebKit four blocks in four lanes were ${timesText(PUBLISHED['chromium'].times)} and ${timesText(PUBLISHED['webkit'].times)} as fast as scalar code; here they are ${rangeText(speedUps(data, contest('ctr/encrypt', LONG)), timesText)} as fast, in chunks of ${countText(LONG)} bytes.`,
  ),
  ...chunks(data, 'ctr/encrypt'),
  paragraph(withoutVectors(data, contest('ctr/encrypt', LONG))),
];

function modesPart(data: StudyData, shown: Shown): (string | undefined)[] {
  const modes = Object.keys(MODES) as Mode[];
  const engines = data.engines(...modes.map((mode) => contest(mode, LONG))).filter(({ id }) => isUsual(id));
  return [
    heading('CBC decryption and OCB'),
    paragraph(
      'The source left CBC decryption "not yet measured", and took CTR for a stand-in.',
      'CBC encryption waits for each block before it begins the next, and has nothing for lanes; its decryption has, and OCB has in both directions.',
      say`Four blocks in four lanes make CBC decryption ${rangeText(speedUps(data, contest('cbc/decrypt', LONG)), timesText)} as fast as scalar code, and OCB ${rangeText(speedUps(data, contest('ocb/seal', LONG)), timesText)}.`,
    ),
    shown(
      'modes',
      'MB/s of CTR, CBC decryption and OCB with vectors, in each engine',
      bars({
        title: 'Serpent-256 with vectors, 64 KiB: three modes',
        description: 'For each engine a bar for CTR, one for CBC decryption and one for OCB, which also authenticates.',
        series: modes.map((mode) => MODES[mode]),
        axis: 'MB/s',
        groups: engines.map(({ id, name }) => ({
          name,
          values: modes.map((mode) => data.speed(id, contest(mode, LONG), SIMD)),
        })),
      }),
    ),
    ...chunks(data, 'cbc/decrypt'),
    ...chunks(data, 'ocb/seal'),
  ];
}

function lengthPart(data: StudyData, shown: Shown): (string | undefined)[] {
  const least = leastLengthsText(data, 'serpent-ctr/encrypt');
  if (least === undefined) return [];
  const lengths = [16, 32, 64, 128, 256, 512, 1024, 4096];
  return [
    heading('From which length on lanes pay'),
    shown(
      'length',
      'the speed-up by vectors in CTR against the length of the message, a curve for each engine',
      lengthLines(data, 'serpent-ctr/encrypt', 'Serpent-256-CTR: vectors against scalar code, by length'),
    ),
    paragraph(
      say`A call of the public function, key schedule included, is at least ${PAYING} faster with lanes ${least}, in CTR.`,
      say`In CBC decryption it is ${leastLengthsText(data, 'serpent-cbc/decrypt')}.`,
      say`In OCB it is ${leastLengthsText(data, 'serpent-ocb/seal')}.`,
    ),
    lengthTable(data, 'serpent-ctr/encrypt', lengths),
  ];
}

/** A row of counts for each S-box, and their sums. */
function circuitTable(
  letter: string,
  gates: readonly number[],
  depths: readonly number[],
  published: readonly Circuits[],
): string | undefined {
  const heads = published.map(({ by }) => new Said(by));
  const row = (name: Said, own: number, depth: number | undefined, others: readonly number[]): Value[] => [
    name,
    countText(own),
    depth === undefined ? '' : countText(depth),
    ...others.map(quoted),
  ];
  return table(
    ['S-box', 'gates here', 'longest way', ...heads],
    [
      ...gates.map((own, i) =>
        row(
          new Said(`${letter}${i}`),
          own,
          depths[i],
          published.map((each) => each.gates[i]),
        ),
      ),
      row(
        new Said('all'),
        sum(gates),
        undefined,
        published.map((each) => sum(each.gates)),
      ),
      row(
        new Said('without complements'),
        sum(gates),
        undefined,
        published.map((each) => sum(each.gates) - each.complements),
      ),
    ],
  );
}

function circuitsPart(data: StudyData, shown: Shown): (string | undefined)[] {
  const [vectors, words] = [operationsOf(LANE_ROTATION), operationsOf(1)];
  const least = Math.min(...SBOX_CIRCUITS.map((each) => sum(each.gates) - each.complements));
  return [
    heading('The circuits of the S-boxes'),
    paragraph(
      say`Eight S-boxes of four bits are circuits of AND, OR, XOR and AND-NOT on words: ${countText(sum(forwardGates))} gates for all eight, and ${countText(sum(inverseGates))} for their inverses, counted in the circuits of the library by the program that draws this page.`,
      'None of them has a complement: the image of zero is added to the round keys instead, once for each key.',
      say`Published circuits have complements, so the last row counts without them; the least is ${quoted(least)}.`,
    ),
    circuitTable('S', forwardGates, forwardDepths, SBOX_CIRCUITS),
    circuitTable('inverse of S', inverseGates, inverseDepths, INVERSE_CIRCUITS),
    paragraph(
      say`Sources: ${new Said(SBOX_CIRCUITS.map(({ source }) => `${source.name}, ${source.date} (${source.machine})`).join('; '))}.`,
    ),
    heading('From gates to cycles'),
    paragraph(
      say`An encryption of four blocks in four lanes takes ${countText(vectors.all)} operations on vectors: ${countText(vectors.boxes)} gates of the ${given(32, PAPER)} rounds of S-boxes (${percentText(vectors.boxes / vectors.all)}), ${countText(vectors.transforms)} of the linear transformations, whose rotations take ${given(LANE_ROTATION, 'shift left, shift right, or')} each because lanes have none, and ${countText(vectors.keys)} of the round keys.`,
      say`Scalar code takes ${countText(words.all)} operations for one block, because words have rotations. AND-NOT counts as one: vectors have it, and for words of WebAssembly it is two instructions, which a compiler may make one of again.`,
    ),
    shown(
      'cycles',
      'operations in a cycle, of vectors and of scalar code, in each engine',
      operationBars(data, vectors, words),
    ),
    cyclesTable(data, vectors, words),
    paragraph(
      say`So a gate more in each S-box would cost ${rangeText(costOfGates(data, vectors, 8), (figure) => plain(figure))} cycles a byte, and the circuits with ${quoted(least)} gates ${rangeText(costOfGates(data, vectors, least - sum(forwardGates)), (figure) => plain(figure))}: an estimate from operations in a cycle, because no such kernel was made.`,
    ),
  ];
}

const CTR = contest('ctr/encrypt', LONG);
/** Operations in a cycle, by the measured cycles a byte: a set is 64 bytes, a block 16. */
const perCycle = (data: StudyData, id: string, form: string, { all }: Operations): number | undefined => {
  const cycles = data.cycles(id, CTR, form);
  return cycles === undefined ? undefined : all / (cycles * (form === SIMD ? 64 : 16));
};

/** Cycles a byte of this many gates more in the eight S-boxes, each of which takes part in four rounds. */
const costOfGates = (data: StudyData, vectors: Operations, gates: number): (number | undefined)[] =>
  data
    .engines(CTR)
    .filter(({ id }) => isUsual(id))
    .map(({ id }) => {
      const speed = perCycle(data, id, SIMD, vectors);
      return speed === undefined ? undefined : (4 * gates) / speed / 64;
    });

const operationBars = (data: StudyData, vectors: Operations, words: Operations): Picture | undefined =>
  bars({
    title: 'Serpent-256-CTR, 64 KiB: operations of the cipher in a cycle',
    description:
      'Processors begin several operations in a cycle; for each engine a bar for scalar code and one for vectors.',
    series: ['scalar', 'SIMD'],
    axis: 'operations in a cycle',
    format: (value) => value.toFixed(2),
    groups: data
      .engines(CTR)
      .filter(({ id }) => isUsual(id))
      .map(({ id, name }) => ({
        name,
        values: [perCycle(data, id, SCALAR, words), perCycle(data, id, SIMD, vectors)],
      })),
  });

const cyclesTable = (data: StudyData, vectors: Operations, words: Operations): string | undefined =>
  table(
    ['engine', 'SIMD: cycles a byte', 'operations in a cycle', 'scalar: cycles a byte', 'operations in a cycle'],
    data
      .engines(CTR)
      .filter(({ id }) => isUsual(id))
      .map(({ id, name }) => [
        new Said(name),
        plain(data.cycles(id, CTR, SIMD)),
        plain(perCycle(data, id, SIMD, vectors)),
        plain(data.cycles(id, CTR, SCALAR)),
        plain(perCycle(data, id, SCALAR, words)),
      ]),
  );

const meaning = (data: StudyData): (string | undefined)[] => [
  heading('For somebody who writes such code'),
  bullets(
    say`Serpent is made for words in parallel, and lanes are more words: ${rangeText(speedUps(data, contest('ctr/encrypt', LONG)), timesText)} as fast as scalar code.`,
    'Use a mode whose blocks do not wait for each other; encrypt with CTR or OCB rather than CBC.',
    'Put the constants of the S-boxes into the round keys before you search for smaller circuits: a complement costs as much as any other gate, and then none is needed.',
    'Measure in a browser that no test driver has started, or check that its compiler is the one that users have.',
  ),
];
