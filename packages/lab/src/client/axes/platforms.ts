/** Platforms: all contestants, at the lengths of the tables. This is the main axis, which runs in every engine. */
import { merged, randomWork, type Cases, type ClientContest, type Context } from '../contest.ts';
import { casesOf, EVERYONE, type Who } from '../field.ts';
import type { Operation } from '../operation.ts';
import type { PlatformsEntry } from '../room.ts';
import { entries } from '../rooms.ts';

/** All entrants of an operation, and if there is time those of the operations that people choose instead. */
async function prepare(operation: Operation, length: number, who: Who, { kind, random }: Context): Promise<Cases> {
  const work = await randomWork(operation, length, random);
  const own = await casesOf(operation, who, work, length);
  const instead = kind === 'quick' ? [] : (operation.beside ?? []);
  const others = await Promise.all(
    instead.map(async (other) =>
      casesOf(other, who, await randomWork(other, length, random), length, {
        name: (contestant) => `${contestant}, ${other.primitive}`,
      }),
    ),
  );
  return merged([own, ...others]);
}

const contest = ({ operation, length, kinds, essential = false, without }: PlatformsEntry): ClientContest => ({
  id: `platforms/${operation.id}/${length}`,
  axis: 'platforms',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${operation.operation}, ${length} bytes`,
  parameters: { length },
  kinds,
  essential,
  prepare: (context) => prepare(operation, length, { ...EVERYONE, ...(without && { without }) }, context),
});

export const platforms: readonly ClientContest[] = entries(({ platforms: all }) => all).map(contest);
