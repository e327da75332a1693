/** Contests of studies about one operation. */
import { merged } from './contest.ts';
import { randomCases, type Who } from './field.ts';
import type { Entrant, Operation } from './operation.ts';
import type { StudyContest } from './room.ts';

/** A contest about an operation; its id begins with `studies/`. */
export const studyAbout = (
  { primitive, operation }: Operation,
  id: string,
  {
    parameters = {},
    ...contest
  }: Pick<StudyContest, 'title' | 'plan' | 'essential' | 'prepare'> & Partial<Pick<StudyContest, 'parameters'>>,
): StudyContest => ({ id: `studies/${id}`, primitive, operation, parameters, ...contest });

/**
 * Our vectors and our scalar code, by length: from which length on lanes pay. `studies/lanes/<operation>/<length>` for each length.
 */
export const lanesContests = (operation: Operation, lengths: readonly number[]): readonly StudyContest[] =>
  lengths.map((length) =>
    studyAbout(operation, `lanes/${operation.id}/${length}`, {
      title: `${operation.primitive}, ${operation.operation}, ${length} bytes: with vectors and without`,
      parameters: { length },
      prepare: ({ random }) => randomCases(operation, { ours: ['simd', 'scalar'], rivals: [] }, length, random),
    }),
  );

const LANES = [1, 4, 8, 16];
/** The entrant of our scalar code and vectors, and of native code in each width. */
const inWidths = ({ entrants }: Operation): readonly Entrant[] =>
  entrants
    .filter(({ library }) => library === 'lanewise')
    .map((ours) => ({
      ...ours,
      async load() {
        const [{ atLanes }, performers] = await Promise.all([import('./contestants/lanewise.ts'), ours.load()]);
        const native = performers.find(({ contestant }) => contestant.engine === 'native')!;
        const widths = await Promise.all(LANES.map(atLanes));
        return [
          ...performers.filter((performer) => performer !== native),
          ...widths.map((contestant) => ({ ...native, contestant })),
        ];
      },
    }));

/** The same rounds in vectors of each width: `studies/widths/<operation>/<length>` for each length. */
export const widthsContests = (operation: Operation, lengths: readonly number[]): readonly StudyContest[] =>
  lengths.map((length) => ({
    ...studyAbout(operation, `widths/${operation.id}/${length}`, {
      title: `${operation.primitive}, ${operation.operation}, ${length} bytes: from 1 lane to 16`,
      parameters: { length },
      prepare: ({ random }) =>
        randomCases(
          { ...operation, entrants: inWidths(operation) },
          { ours: ['simd', 'scalar', 'native'], rivals: [] },
          length,
          random,
        ),
    }),
    places: ['node'],
  }));

/** Lengths of {@link widthsContests}: fewer blocks or chunks than lanes, what caches hold, and more than they hold. */
export const WIDTHS = [4096, 65536, 2 ** 22];

/** Many short calls of the same functions with different lengths: engines replace their code for longer than usual. */
export const SHORT_CALLS = { rounds: [12, 20], budgetMilliseconds: 80, warmUpMilliseconds: 40 } as const;

/** Messages of all lengths side by side. */
export const endsContest = (
  operation: Operation,
  id: string,
  title: string,
  who: Who,
  lengths: readonly number[],
): StudyContest =>
  studyAbout(operation, id, {
    title,
    plan: SHORT_CALLS,
    prepare: ({ random }) =>
      merged(
        lengths.map((length) =>
          randomCases(operation, who, length, random, {
            name: (contestant) => `${contestant}, ${length} bytes`,
            parameters: { length },
          }),
        ),
      ),
  });
