/** Contests of our vectors with our scalar code, by length: from which length on lanes pay. For studies. */
import { randomWork } from './contest.ts';
import { casesOf } from './field.ts';
import type { Operation } from './operation.ts';
import type { StudyContest } from './room.ts';

/** `studies/lanes/<operation>/<length>` for each length. */
export const lanesContests = (operation: Operation, lengths: readonly number[]): readonly StudyContest[] =>
  lengths.map((length) => ({
    id: `studies/lanes/${operation.id}/${length}`,
    primitive: operation.primitive,
    operation: operation.operation,
    title: `${operation.primitive}, ${operation.operation}, ${length} bytes: with vectors and without`,
    parameters: { length },
    prepare: async ({ random }) =>
      casesOf(operation, { ours: ['simd', 'scalar'], rivals: [] }, await randomWork(operation, length, random), length),
  }));
