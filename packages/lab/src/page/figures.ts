/** Converts samples of a contest into the numbers that the page shows, independently of the document. */
import type { CaseDescription, ContestDescription, SamplesMessage } from '../client/messages.ts';
import { median, pairedRatio } from '../results/medians.ts';

/** A contest with the samples of each session that ran it. */
export interface Played {
  readonly contest: ContestDescription;
  /** Descriptions by the last session. */
  readonly cases: readonly CaseDescription[];
  readonly samples: readonly SamplesMessage[];
}

export interface Figure {
  readonly case: CaseDescription;
  /** The median time of one call: the median over sessions of their medians. */
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
}

/**
 * The reference of the comparison: our first case, which uses vectors where there are any; without ours, the first of
 * all.
 */
const referenceOf = (cases: readonly CaseDescription[]): CaseDescription | undefined =>
  cases.find(({ standing }) => standing === 'ours') ?? cases[0];

/** A coarse clock makes cycles meaningless. */
export function figuresOf({ contest, cases, samples }: Played, coarse: boolean): Figure[] {
  const reference = referenceOf(cases);
  const rounds = contest.form === 'rounds';
  return cases.flatMap((each): Figure[] => {
    const sessions = samples.filter(({ nanoseconds }) => (nanoseconds[each.id]?.length ?? 0) > 0);
    if (sessions.length === 0) return [];
    const middle = (of: (session: SamplesMessage) => number): number => median(sessions.map(of));
    const nanoseconds = middle((session) => valueOf(contest, session.nanoseconds[each.id]));
    const paired = sessions.filter(({ nanoseconds: all }) => reference && (all[reference.id]?.length ?? 0) > 0);
    const cycled = sessions.filter(({ cycle }) => cycle.length > 0);
    return [
      {
        case: each,
        nanoseconds,
        speed: each.bytes > 0 && nanoseconds > 0 ? (each.bytes * 1e3) / nanoseconds : undefined,
        cyclesPerByte:
          rounds && !coarse && each.bytes > 0 && cycled.length > 0
            ? median(cycled.map(({ nanoseconds: all, cycle }) => pairedRatio(all[each.id], cycle))) / each.bytes
            : undefined,
        ratio:
          rounds && reference && each.id !== reference.id && paired.length > 0
            ? meaningful(median(paired.map(({ nanoseconds: all }) => pairedRatio(all[each.id], all[reference.id]))))
            : undefined,
      },
    ];
  });
}

/** A batch that was shorter than a step of the clock took no time at all. */
const meaningful = (ratio: number): number | undefined => (ratio > 0 && Number.isFinite(ratio) ? ratio : undefined);

/** The time of a case: the median of its samples, or for a series from a cold start the median of its last calls. */
const valueOf = ({ form }: ContestDescription, values: readonly number[]): number =>
  form === 'series' ? median(values.slice(-Math.ceil(values.length / 4))) : median(values);

/** A summary sentence: our fastest case beside the fastest of the others that do the same. */
export function verdictOf(figures: readonly Figure[]): string {
  const reference = figures.find(({ case: { standing } }) => standing === 'ours');
  if (!reference) return '';
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
