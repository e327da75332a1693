/** Contests of the studies in docs/studies: too many for every run, so they take place only where they are asked for. */
import type { ClientContest } from '../contest.ts';
import { STUDY } from '../kinds.ts';
import { entries } from '../rooms.ts';

export const studies: readonly ClientContest[] = entries(({ studyContests }) => studyContests).map((contest) => ({
  ...contest,
  axis: 'studies',
  form: 'rounds',
  kinds: STUDY,
}));
