/** All contests, in the order in which a session runs them. Listing them loads no contestant. */
import { alignment } from './axes/alignment.ts';
import { boundary } from './axes/boundary.ts';
import { cold } from './axes/cold.ts';
import { context } from './axes/context.ts';
import { direction } from './axes/direction.ts';
import { kernels } from './axes/kernels.ts';
import { keys } from './axes/keys.ts';
import { length } from './axes/length.ts';
import { many } from './axes/many.ts';
import { parallel } from './axes/parallel.ts';
import { platforms } from './axes/platforms.ts';
import { streams } from './axes/streams.ts';
import { studies } from './axes/studies.ts';
import type { ClientContest } from './contest.ts';
import type { Catalogue, ContestDescription, Kind, Place, Plan } from './messages.ts';

/** Cold starts come first; the most important figures come next, in case a session is stopped. */
const axes: readonly (readonly ClientContest[])[] = [
  cold,
  platforms,
  direction,
  boundary,
  kernels,
  length,
  alignment,
  keys,
  many,
  streams,
  context,
  parallel,
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
