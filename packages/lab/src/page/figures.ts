/** From the samples of a contest to the numbers that the page shows. Knows no document. */
import type { CaseDescription, ContestDescription, SamplesMessage } from '../client/messages.ts';
import { median, pairedRatio } from '../results/medians.ts';

/** One contest, with the samples of each session that had it. */
export interface Played {
  readonly contest: ContestDescription;
  /** Of the last session. */
  readonly cases: readonly CaseDescription[];
  readonly samples: readonly SamplesMessage[];
}

export interface Figure {
  readonly case: CaseDescription;
  /** Of one call: the median over sessions of their medians. */
  readonly nanoseconds: number;
  /** A million bytes in a second; undefined if there are none. */
  readonly speed: number | undefined;
  /** By the yardstick; undefined where it says nothing. */
  readonly cyclesPerByte: number | undefined;
  /** Its time over that of the reference, in the same rounds; undefined for the reference itself, and outside of rounds. */
  readonly ratio: number | undefined;
}

/** What the others are compared with: ours, the best of it. */
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

/** Of a series from a cold start, what it comes to: its last calls. */
const valueOf = ({ form }: ContestDescription, values: readonly number[]): number =>
  form === 'series' ? median(values.slice(-Math.ceil(values.length / 4))) : median(values);

/** Ours beside the fastest of the others that do the same, in a sentence for a summary. */
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
