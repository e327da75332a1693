/** Serpent-256, four blocks in four lanes. `page.md` has the text. */
import { engineBars, engineTable, twoDigits } from '../forms.ts';
import {
  laneFigures,
  lengthLines,
  lengthTable,
  speedUpByProcessor,
  SCALAR,
  SIMD,
  speedBars,
  speedTables,
} from '../lanes.ts';
import { isUsual } from '../newest.ts';
import { countText, percentText, plain, rangeText, timesText } from '../numbers.ts';
import { Said, table, type Value } from '../prose.ts';
import {
  INVERSE_CIRCUITS,
  LEVIATHAN,
  quoted,
  SBOX_CIRCUITS,
  SERPENT,
  sourceText,
  type Circuits,
} from '../published.ts';
import { MEDIANS, shownIn } from '../shown.ts';
import type { Study, StudyData, StudyPage } from '../study.ts';
import { filled, templateOf } from '../template.ts';
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
const names = {
  ctr: 'platforms/serpent-ctr/encrypt',
  cbc: 'platforms/serpent-cbc/decrypt',
  ocb: 'platforms/serpent-ocb/seal',
  simd: SIMD,
  scalar: SCALAR,
} as const;
const MODES = { ctr: 'CTR', cbc: 'CBC decryption', ocb: 'OCB' } as const;
type Mode = keyof typeof MODES;
const MODE_IDS = Object.keys(MODES) as Mode[];
const contest = (mode: Mode, length: number): string => `${names[mode]}/${length}`;
const CTR = contest('ctr', LONG);
/** Of contests `studies/lanes/…`. */
const OPERATIONS = { ctr: 'serpent-ctr/encrypt', cbc: 'serpent-cbc/decrypt', ocb: 'serpent-ocb/seal' } as const;

/** A row of counts for each S-box, and their sums. */
function circuitTable(
  letter: string,
  gates: readonly number[],
  depths: readonly number[],
  published: readonly Circuits[],
): string | undefined {
  const row = (name: string, own: number, depth: number | undefined, others: readonly number[]): Value[] => [
    new Said(name),
    countText(own),
    depth === undefined ? '' : countText(depth),
    ...others.map(quoted),
  ];
  const all = published.map((each) => sum(each.gates));
  return table(
    ['S-box', 'gates here', 'longest way', ...published.map(({ by }) => new Said(by))],
    [
      ...gates.map((own, i) =>
        row(
          `${letter}${i}`,
          own,
          depths[i],
          published.map((each) => each.gates[i]),
        ),
      ),
      row('all', sum(gates), undefined, all),
      row(
        'without complements',
        sum(gates),
        undefined,
        published.map(({ complements }, i) => all[i] - complements),
      ),
    ],
  );
}

function page(data: StudyData): StudyPage {
  const { shown, pictures } = shownIn('serpent', data);
  const usual = (...contests: readonly string[]) => data.engines(...contests).filter(({ id }) => isUsual(id));
  const [vectors, words] = [operationsOf(LANE_ROTATION), operationsOf(1)];
  const least = Math.min(...SBOX_CIRCUITS.map((each) => sum(each.gates) - each.complements));
  /** Operations in a cycle, by the measured cycles a byte: a set is 64 bytes, a block 16. */
  const perCycle = (id: string, form: string, { all }: Operations): number | undefined => {
    const cycles = data.cycles(id, CTR, form);
    return cycles === undefined ? undefined : all / (cycles * (form === SIMD ? 64 : 16));
  };
  /** Cycles a byte of this many gates more in the eight S-boxes; each takes part in four rounds. */
  const costOfGates = (gates: number): Said | undefined =>
    rangeText(
      usual(CTR).map(({ id }) => {
        const speed = perCycle(id, SIMD, vectors);
        return speed === undefined ? undefined : (4 * gates) / speed / 64;
      }),
      plain,
    );
  const tables = (mode: Mode): string | undefined =>
    speedTables(
      data,
      CHUNKS,
      (length) => contest(mode, length),
      `${MODES[mode]}, chunks`,
      mode === 'ctr' ? SERPENT : {},
    );
  const sources = SBOX_CIRCUITS.map(({ source }) => `${source.name}, ${source.date} (${source.machine})`);
  const text = filled(templateOf(import.meta.dirname), data, {
    shown,
    names,
    published: {
      leviathan: sourceText(LEVIATHAN),
      'chromium-times': timesText(SERPENT[LONG]['chromium'].times),
      'webkit-times': timesText(SERPENT[LONG]['webkit'].times),
    },
    figures: {
      ...laneFigures(data, CTR, {
        'least-ctr': OPERATIONS.ctr,
        'least-cbc': OPERATIONS.cbc,
        'least-ocb': OPERATIONS.ocb,
      }),
      gates: countText(sum(forwardGates)),
      'inverse-gates': countText(sum(inverseGates)),
      'least-gates': quoted(least),
      'circuit-sources': new Said(sources.join('; ')),
      'vector-operations': countText(vectors.all),
      'vector-gates': countText(vectors.boxes),
      'vector-gates-share': percentText(vectors.boxes / vectors.all),
      'vector-transforms': countText(vectors.transforms),
      'vector-keys': countText(vectors.keys),
      'word-operations': countText(words.all),
      'gate-cost': costOfGates(8),
      'least-gates-cost': costOfGates(least - sum(forwardGates)),
    },
    parts: {
      'speed-picture': shown(
        'speed',
        'MB/s of scalar code and of vectors in each engine',
        speedBars(data, CTR, 'Serpent-256-CTR, chunks of 64 KiB: scalar and SIMD'),
      ),
      'ctr-tables': tables('ctr'),
      'cbc-tables': tables('cbc'),
      'ocb-tables': tables('ocb'),
      'modes-picture': shown(
        'modes',
        'MB/s of CTR, CBC decryption and OCB with vectors, in each engine',
        engineBars(
          usual(...MODE_IDS.map((mode) => contest(mode, LONG))),
          {
            title: 'Serpent-256 with vectors, 64 KiB: three modes',
            description:
              'For each engine a bar for CTR, one for CBC decryption and one for OCB, which also authenticates.',
            series: Object.values(MODES),
            axis: 'MB/s',
          },
          (id) => MODE_IDS.map((mode) => data.speed(id, contest(mode, LONG), SIMD)),
        ),
      ),
      'length-picture': shown(
        'length',
        'the speed-up by vectors in CTR against the length of the message, a curve for each engine',
        lengthLines(data, OPERATIONS.ctr, 'Serpent-256-CTR: vectors against scalar code, by length'),
      ),
      'length-table': lengthTable(data, OPERATIONS.ctr, [16, 32, 64, 128, 256, 512, 1024, 4096]),
      'circuit-table': circuitTable('S', forwardGates, forwardDepths, SBOX_CIRCUITS),
      'inverse-circuit-table': circuitTable('inverse of S', inverseGates, inverseDepths, INVERSE_CIRCUITS),
      'cycles-picture': shown(
        'cycles',
        'operations in a cycle, of vectors and of scalar code, in each engine',
        engineBars(
          usual(CTR),
          {
            title: 'Serpent-256-CTR, 64 KiB: operations of the cipher in a cycle',
            description:
              'Processors begin several operations in a cycle; for each engine a bar for scalar code and one for vectors.',
            series: ['scalar', 'SIMD'],
            axis: 'operations in a cycle',
            format: twoDigits,
          },
          (id) => [perCycle(id, SCALAR, words), perCycle(id, SIMD, vectors)],
        ),
      ),
      'cycles-table': engineTable(
        usual(CTR),
        ['engine', 'SIMD: cycles a byte', 'operations in a cycle', 'scalar: cycles a byte', 'operations in a cycle'],
        (id) =>
          (
            [
              [SIMD, vectors],
              [SCALAR, words],
            ] as const
          ).flatMap(([form, operations]) => [plain(data.cycles(id, CTR, form)), plain(perCycle(id, form, operations))]),
      ),
      'processors-picture': shown(
        'processors',
        'the speed-up by vectors in each engine, by processor',
        speedUpByProcessor(data, CTR, 'Serpent-256-CTR, 64 KiB: the speed-up by processor'),
        MEDIANS,
      ),
    },
  });
  return { parts: [text], pictures };
}

export const study: Study = {
  id: 'serpent',
  title: 'Serpent-256, four blocks in four lanes',
  summary: 'CTR, CBC decryption and OCB with vectors and without, the circuits of the S-boxes, and the cost of a gate',
  order: 2,
  contests: [
    ...(['ctr', 'cbc'] as const).flatMap((mode) => CHUNKS.map((length) => contest(mode, length))),
    contest('ocb', LONG),
    contest('ocb', 1024),
    ...Object.values(OPERATIONS).map((operation) => `studies/lanes/${operation}/`),
  ],
  page,
};
