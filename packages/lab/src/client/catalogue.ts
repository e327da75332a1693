/** All contests, in the order in which a session runs them. Listing them loads no contestant. */
import { cold } from './axes/cold.ts';
import { boundary, direction, kernels, platforms } from './axes/contestants.ts';
import { length } from './axes/length.ts';
import { threads } from './axes/threads.ts';
import { alignment, context, keys } from './axes/variants.ts';
import { many, seeks, streams } from './axes/ways.ts';
import { inWorkers, sharedMessages } from './axes/workers.ts';
import { STUDY } from './kinds.ts';
import { entries } from './rooms.ts';
import type { ClientContest } from './contest.ts';
import type { Catalogue, ContestDescription, Kind, Place, Plan } from './messages.ts';

/** Contests of the studies in docs/studies: too many for every run, so they take place only where they are asked for. */
const studies: readonly ClientContest[] = entries(({ studyContests }) => studyContests).map((contest) => ({
  ...contest,
  axis: 'studies',
  form: 'rounds',
  kinds: STUDY,
}));

/** Cold starts come first; the most important figures come next, in case a session is stopped. */
const axes: readonly (readonly ClientContest[])[] = [
  cold,
  platforms,
  direction,
  [...boundary, ...inWorkers],
  kernels,
  length,
  alignment,
  keys,
  many,
  streams,
  context,
  [...seeks, ...sharedMessages, ...threads],
  studies,
];

export const contests: readonly ClientContest[] = axes.flatMap((axis) =>
  [...axis].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)),
);

export const catalogue: Catalogue = (kind, place) =>
  contests.filter(({ kinds, places }) => kinds.includes(kind) && (places?.includes(place) ?? true)).map(description);

/** The contests of studies, which are of no kind. */
export const studyCatalogue = (place: Place): readonly ContestDescription[] =>
  studies.filter(({ places }) => places?.includes(place) ?? true).map(description);

function description({ id, axis, form, primitive, operation, title, parameters }: ClientContest) {
  return { id, axis, form, primitive, operation, title, parameters };
}
export { description as descriptionOf };

/** The sampling plan of each kind of task. */
export const plans: Readonly<Record<Kind, Plan>> = {
  quick: { rounds: [5, 8], budgetMilliseconds: 15, batchMilliseconds: 0.25, warmUpMilliseconds: 10 },
  default: { rounds: [8, 12], budgetMilliseconds: 24, batchMilliseconds: 0.25, warmUpMilliseconds: 10 },
  full: { rounds: [20, 40], budgetMilliseconds: 200, batchMilliseconds: 0.25, warmUpMilliseconds: 60 },
};
