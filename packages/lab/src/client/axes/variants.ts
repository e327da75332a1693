/** Variants of one call: where the caller's bytes or those in linear memory start, the call before, and one key or many in turns. */
import { about, randomWork, type ClientContest } from '../contest.ts';
import { AUTO } from '../field.ts';
import { kernelCases } from '../kernel-cases.ts';
import { FULL, THOROUGH } from '../kinds.ts';
import type { Kind } from '../messages.ts';
import type { Operation } from '../operation.ts';
import { entries, formsOf } from '../rooms.ts';
import { casesAtOffsets, casesInCompany, casesInTurns, keysOf, OFFSETS } from '../variants.ts';

const SHORT = 1024;
const PLAN = { rounds: [8, 12], budgetMilliseconds: 60 } as const;

/** The offset of a caller's view, and the offset of the data in linear memory, from 0 to 15 bytes. */
export const alignment: readonly ClientContest[] = [
  ...entries(({ principal }) => principal).map(({ operation }) =>
    about('alignment', operation, SHORT, {
      title: `${operation.primitive}, ${operation.operation}: where the caller's bytes start`,
      kinds: THOROUGH,
      plan: PLAN,
      prepare: async ({ random }) => casesAtOffsets(operation, AUTO, await randomWork(operation, SHORT, random)),
    }),
  ),
  ...entries(({ aligned }) => aligned).map((operation) =>
    about('alignment/kernel', operation, SHORT, {
      title: `${operation.primitive} in linear memory: where the data starts`,
      kinds: THOROUGH,
      rank: 1,
      plan: PLAN,
      async prepare({ random, surroundings }) {
        const forms = await formsOf(operation);
        const work = await randomWork(operation, SHORT, random);
        const all = OFFSETS.map((offset) =>
          kernelCases(operation, forms, work, surroundings, {
            name: (kernel) => `${kernel}, offset ${offset}`,
            parameters: { offset },
            offset,
          }),
        );
        // A form is absent at every offset or at none, so one list serves.
        return { cases: all.flatMap(({ cases }) => cases), absent: all[0].absent };
      },
    }),
  ),
];

const CALL = 4096;

/** One call with its code and data in the caches, without them, and after other code has run. */
export const context: readonly ClientContest[] = entries(({ principal }) => principal).map(({ operation }) =>
  about('context', operation, CALL, {
    title: `${operation.primitive}, ${operation.operation}, ${CALL} bytes: one call in different company`,
    kinds: THOROUGH,
    plan: { rounds: [20, 20], budgetMilliseconds: 0 },
    prepare: async ({ random, hooks }) =>
      casesInCompany(operation, AUTO, await randomWork(operation, CALL, random), hooks.now),
  }),
);

const BLOCK = 64;
const COUNTS = [1, 2, 4, 16, 64, 256, 1024, 4096, 16384, 65536];
const MOST = 2 ** 20;

const inTurns = (
  operation: Operation,
  beginning: Parameters<typeof about>[0],
  counts: readonly number[],
  rivals: readonly string[],
  kinds: readonly Kind[],
  rank: number,
): ClientContest =>
  about(beginning, operation, BLOCK, {
    title: `${operation.primitive}, ${operation.operation}, ${BLOCK} bytes: keys in turns`,
    kinds,
    rank,
    plan: PLAN,
    async prepare({ random }) {
      const work = await randomWork(operation, BLOCK, random);
      const all = keysOf(Math.max(...counts), operation.knownAnswer.key.length, random);
      return casesInTurns(operation, { ours: ['auto'], rivals }, work, all, counts);
    },
  });

/** 1, 2, 4 … keys in turns, with a short message under each: the additional cost of many keys is their use of the caches. */
export const keys: readonly ClientContest[] = entries(({ keys: all }) => all).flatMap(({ operation, rivals }) => [
  inTurns(operation, 'keys', COUNTS, [], THOROUGH, 0),
  ...(rivals ? [inTurns(operation, 'keys/rivals', [1, 65536], rivals, THOROUGH, 1)] : []),
  inTurns(operation, 'keys/most', [1, MOST], [], FULL, 2),
]);
