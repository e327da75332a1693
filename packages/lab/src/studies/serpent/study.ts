/** Serpent-256, four blocks in four lanes. `page.md` has the text. */
import { laneColumns, laneFigures, SCALAR, SIMD } from '../lanes.ts';
import { isUsual } from '../newest.ts';
import { countText, percentText, plain, rangeText, timesText } from '../numbers.ts';
import { Said, table, type Value } from '../prose.ts';
import {
  INVERSE_CIRCUITS,
  LEVIATHAN,
  publishedColumns,
  quoted,
  SBOX_CIRCUITS,
  SERPENT,
  sourceText,
  type Circuits,
} from '../published.ts';
import type { Given, Study, StudyData } from '../study.ts';
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

/** Of contests `studies/lanes/…`. */
const OPERATIONS = { ctr: 'serpent-ctr/encrypt', cbc: 'serpent-cbc/decrypt', ocb: 'serpent-ocb/seal' } as const;
const names = {
  ctr: 'platforms/serpent-ctr/encrypt',
  cbc: 'platforms/serpent-cbc/decrypt',
  ocb: 'platforms/serpent-ocb/seal',
  lanes: `studies/lanes/${OPERATIONS.ctr}`,
  simd: SIMD,
  scalar: SCALAR,
} as const;
const CTR = `${names.ctr}/65536`;

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

function given(data: StudyData): Given {
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
      data
        .engines(CTR)
        .filter(({ id }) => isUsual(id))
        .map(({ id }) => {
          const speed = perCycle(id, SIMD, vectors);
          return speed === undefined ? undefined : (4 * gates) / speed / 64;
        }),
      plain,
    );
  const sources = SBOX_CIRCUITS.map(({ source }) => `${source.name}, ${source.date} (${source.machine})`);
  return {
    names,
    published: {
      leviathan: sourceText(LEVIATHAN),
      'chromium-times': timesText(SERPENT[65536]['chromium'].times),
      'webkit-times': timesText(SERPENT[65536]['webkit'].times),
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
    columns: {
      ...publishedColumns(SERPENT),
      ...laneColumns(data, OPERATIONS.ctr),
      'simd per cycle': (id) => perCycle(id, SIMD, vectors),
      'scalar per cycle': (id) => perCycle(id, SCALAR, words),
    },
    parts: {
      'circuit-table': circuitTable('S', forwardGates, forwardDepths, SBOX_CIRCUITS),
      'inverse-circuit-table': circuitTable('inverse of S', inverseGates, inverseDepths, INVERSE_CIRCUITS),
    },
  };
}

export const study: Study = {
  id: 'serpent',
  title: 'Serpent-256, four blocks in four lanes',
  summary: 'CTR, CBC decryption and OCB with vectors and without, the circuits of the S-boxes, and the cost of a gate',
  order: 2,
  contests: [
    ...[names.ctr, names.cbc].flatMap((mode) => [65536, 16384, 1024].map((length) => `${mode}/${length}`)),
    ...[65536, 1024].map((length) => `${names.ocb}/${length}`),
    ...Object.values(OPERATIONS).map((operation) => `studies/lanes/${operation}/`),
  ],
  given,
};
