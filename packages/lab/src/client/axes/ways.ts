/** Ways to do the same that rooms bring themselves: many messages together, streams, and the first byte at any position. */
import { messageOf } from '../checks.ts';
import { about, describe, faultIn, NODE_LIKE, type Absence, type ClientCase, type ClientContest } from '../contest.ts';
import { THOROUGH } from '../kinds.ts';
import { place } from '../place.ts';
import { libraryOf, type Attempt, type ManyCase, type StreamsEntry } from '../room.ts';
import { entries } from '../rooms.ts';

/** A case of ours, by the engine that users get. */
async function own({ id, operation, bytes, parameters, run, check, expected }: ManyCase): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  return {
    id,
    description: describe(auto, operation, id, bytes, parameters),
    before: auto.prepare,
    run,
    fault: () => faultIn(check, expected),
  };
}
const ownCases = async (all: readonly ManyCase[]) => ({ cases: await Promise.all(all.map(own)), absent: [] });

/** Short messages in one call, and many streams or hashers in progress at the same time. */
export const many: readonly ClientContest[] = entries(({ many: all }) => all).map(
  ({ id, operation, title, parameters, cases, rank }) =>
    about('many', { ...operation, id }, undefined, {
      title: `${operation.primitive}: ${title}`,
      parameters,
      kinds: THOROUGH,
      rank,
      prepare: async ({ random }) => ownCases(await cases(random)),
    }),
);

/** The time to the first byte at any position. */
export const seeks: readonly ClientContest[] = entries(({ seeks: all }) => all).map((entry) => {
  const operation = { ...entry.operation, operation: 'seek' };
  return about('parallel/first-byte', operation, undefined, {
    title: entry.title,
    parameters: { length: entry.length },
    kinds: THOROUGH,
    prepare: async ({ random }) =>
      ownCases(
        (await entry.seeks(random)).map(({ position, run, expected }) => ({
          id: `position ${position}`,
          operation,
          bytes: entry.length,
          parameters: { position },
          run,
          check: run,
          expected,
        })),
      ),
  });
});

/** The streams of an engine are code in JavaScript, which takes longer to be compiled than a kernel. */
const PLAN = { rounds: [8, 12], budgetMilliseconds: 60, warmUpMilliseconds: 20 } as const;
const MIB = 2 ** 20;
const sizeText = (bytes: number): string => (bytes < 1024 * MIB ? `${bytes / MIB} MiB` : `${bytes / 1024 / MIB} GiB`);

async function caseOf({ operation }: StreamsEntry, { id, begin }: Attempt): Promise<ClientCase> {
  const { contestant, bytes, parameters = {}, asynchronous, run, check, expected, end } = await begin();
  // A rival that cannot do it here has not given a wrong answer.
  if (contestant.standing !== 'ours') await run();
  const description = describe(contestant, operation, id, bytes, parameters);
  return {
    id,
    description: asynchronous === true ? { ...description, asynchronous } : description,
    before: contestant.prepare,
    run,
    asynchronous,
    ...(end && { end }),
    fault() {
      contestant.prepare?.();
      return faultIn(check, expected);
    },
  };
}

/**
 * Files and bodies that are encrypted and decrypted piece by piece, by machines and through streams of the platform, and
 * short reads anywhere in them.
 */
export const streams: readonly ClientContest[] = entries(({ streams: all }) => all).flatMap((entry) =>
  entry.sizes.map(({ bytes, kinds }) =>
    about('streams', { ...entry.operation, id: entry.id }, bytes, {
      title: entry.title(sizeText(bytes)),
      kinds,
      plan: PLAN,
      async prepare({ random }) {
        const cases: ClientCase[] = [];
        const absent: Absence[] = [];
        for (const attempt of await entry.attempts(bytes, random)) {
          const { id, nodeOnly } = attempt;
          if (nodeOnly === true && !NODE_LIKE.includes(place())) continue;
          try {
            cases.push(await caseOf(entry, attempt));
          } catch (error) {
            absent.push({ case: id, contestant: libraryOf(id), reason: messageOf(error) });
          }
        }
        return { cases, absent };
      },
    }),
  ),
);
