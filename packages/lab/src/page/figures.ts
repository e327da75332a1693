/** Converts samples of a contest into the numbers that the page shows, independently of the document. */
import type { CaseDescription, SamplesMessage } from '../client/messages.ts';
import type { ContestRecord } from '../results/schema.ts';
import { ONE_THREAD, POOL } from '../client/pool-cases.ts';
import { times as multiple } from '../report/numbers.ts';
import { busyFigure, countOf, LEAST_BUSY, MARKED } from '../report/quiet.ts';
import { median, pairs } from '../results/medians.ts';
import { sorted, sumOf, together, type CoreState, type Rounds, type Sorted } from '../results/quiet.ts';
import { middle } from '../results/statistics.ts';

/** A contest with the samples of each session that ran it. */
export interface Played {
  readonly contest: ContestRecord;
  /** Descriptions by the last session. */
  readonly cases: readonly CaseDescription[];
  readonly samples: readonly SamplesMessage[];
}

export interface Figure {
  readonly case: CaseDescription;
  /** The median time of one call: the median over sessions of their medians; of quiet rounds, if there are enough. */
  readonly nanoseconds: number;
  /** Speed in megabytes per second; undefined for the empty message. */
  readonly speed: number | undefined;
  /** Cycles per byte by the yardstick; undefined where the yardstick is unreliable. */
  readonly cyclesPerByte: number | undefined;
  /**
   * The ratio of its time to that of the reference, in the same rounds; undefined for the reference itself, and without
   * rounds.
   */
  readonly ratio: number | undefined;
  /** The rounds of the time and of the ratio; undefined without rounds. */
  readonly times: Sorted | undefined;
  readonly ratios: Sorted | undefined;
}

/** The states of the core by the id of a case; undefined without probes. */
export type StatesOf = (samples: SamplesMessage) => ((id: string) => readonly CoreState[]) | undefined;

/**
 * The reference of the comparison: our first case, which uses vectors where there are any; without ours, the first of
 * all.
 */
const referenceOf = (cases: readonly CaseDescription[]): CaseDescription | undefined =>
  cases.find(({ standing }) => standing === 'ours') ?? cases[0];

/** A coarse clock makes cycles meaningless. */
export function figuresOf(
  { contest, cases, samples }: Played,
  coarse: boolean,
  statesOf: StatesOf = () => undefined,
): Figure[] {
  const reference = referenceOf(cases);
  const rounds = contest.form === 'rounds';
  return cases.flatMap((each): Figure[] => {
    const { id, bytes } = each;
    const sessions = samples.filter(({ nanoseconds }) => (nanoseconds[id]?.length ?? 0) > 0);
    if (sessions.length === 0) return [];
    const times = rounds
      ? sorted(sessions.map((session) => ({ values: session.nanoseconds[id], states: statesOf(session)?.(id) })))
      : undefined;
    const nanoseconds = times
      ? middle(times.chosen)
      : median(sessions.map((session) => valueOf(contest, session.nanoseconds[id])));
    const cycles = sorted(
      sessions
        .filter(({ cycle }) => cycle.length > 0)
        .map((session) => ({
          values: pairs(session.nanoseconds[id], session.cycle),
          states: statesOf(session)?.(id),
        })),
    );
    const ratios =
      rounds && reference && id !== reference.id
        ? sorted(sessions.flatMap((session) => pairIn(session, id, reference.id, statesOf)))
        : undefined;
    return [
      {
        case: each,
        nanoseconds,
        speed: bytes > 0 && nanoseconds > 0 ? (bytes * 1e3) / nanoseconds : undefined,
        cyclesPerByte:
          rounds && !coarse && bytes > 0 && cycles.chosen.length > 0 ? middle(cycles.chosen) / bytes : undefined,
        ratio: ratios && ratios.chosen.length > 0 ? meaningful(middle(ratios.chosen)) : undefined,
        times,
        ratios,
      },
    ];
  });
}

/** The paired ratios of a session, if it has both cases. */
function pairIn(session: SamplesMessage, id: string, reference: string, statesOf: StatesOf): Rounds[] {
  const [over, under] = [id, reference].map((each) => session.nanoseconds[each]);
  if ((under?.length ?? 0) === 0) return [];
  const states = statesOf(session);
  return [{ values: pairs(over, under), states: states && together(states(id), states(reference)) }];
}

/** A batch that was shorter than a step of the clock took no time at all. */
const meaningful = (ratio: number): number | undefined => (ratio > 0 && Number.isFinite(ratio) ? ratio : undefined);

/** The time of a case: the median of its samples, or for a series from a cold start the median of its last calls. */
const valueOf = ({ form }: ContestRecord, values: readonly number[]): number =>
  form === 'series' ? median(values.slice(-Math.ceil(values.length / 4))) : median(values);

/** The quickest pool beside one thread. */
function poolVerdict(figures: readonly Figure[]): string {
  const pools = figures.filter(({ ratio, case: { id } }) => ratio !== undefined && id.startsWith(POOL));
  if (pools.length === 0) return '';
  const best = pools.reduce((x, y) => (y.ratio! < x.ratio! ? y : x));
  return `${best.case.id}: ${(1 / best.ratio!).toFixed(2)} times as fast as ${ONE_THREAD}`;
}

/** A summary sentence: our fastest case beside the fastest of the others that do the same. */
export function verdictOf(figures: readonly Figure[]): string {
  const reference = figures.find(({ case: { standing } }) => standing === 'ours');
  if (!reference) return '';
  if (reference.case.id === ONE_THREAD) return poolVerdict(figures);
  const { primitive, operation } = reference.case;
  const others = figures.filter(
    ({ ratio, case: { standing, primitive: p, operation: o, asynchronous } }) =>
      ratio !== undefined && standing === 'rival' && p === primitive && o === operation && !asynchronous,
  );
  if (others.length === 0) return '';
  const best = others.reduce((x, y) => (y.ratio! < x.ratio! ? y : x));
  const [times, word] = best.ratio! >= 1 ? [best.ratio!, 'faster'] : [1 / best.ratio!, 'slower'];
  return `${times.toFixed(2)} times ${word} than ${best.case.id}`;
}

/** How many samples were quiet, and the ratios of the busy rounds; empty without probes. */
export function quietText(figures: readonly Figure[]): string {
  const all = figures.flatMap(({ times }) => (times && times.basis !== 'unknown' ? [times] : []));
  if (all.length === 0) return '';
  const busy = figures.flatMap(({ case: { id }, ratios }) =>
    ratios && ratios.tally.busy >= LEAST_BUSY ? [`${id} ${busyFigure(ratios, multiple)}`] : [],
  );
  return [
    `${countOf(sumOf(all.map(({ tally }) => tally)))} samples quiet`,
    ...(busy.length > 0 ? [`; busy rounds gave ${busy.join(', ')}`] : []),
    all.some(({ basis }) => basis === 'all') ? `. ${MARKED}` : '.',
  ].join('');
}
