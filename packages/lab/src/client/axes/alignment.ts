/** Alignment: the offset of a caller's view, and the offset of the data in linear memory, from 0 to 15 bytes. */
import { randomWork, type ClientContest } from '../contest.ts';
import { AUTO } from '../field.ts';
import { kernelCases } from '../kernel-cases.ts';
import { THOROUGH } from '../kinds.ts';
import { casesAtOffsets, OFFSETS } from '../offsets.ts';
import type { Operation } from '../operation.ts';
import { entries, kernelForms } from '../rooms.ts';

const LENGTH = 1024;
const PLAN = { rounds: [8, 12], budgetMilliseconds: 60 } as const;

const views = (operation: Operation): ClientContest => ({
  id: `alignment/${operation.id}/${LENGTH}`,
  axis: 'alignment',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${operation.operation}: where the caller's bytes start`,
  parameters: { length: LENGTH },
  kinds: THOROUGH,
  plan: PLAN,
  prepare: async ({ random }) => casesAtOffsets(operation, AUTO, await randomWork(operation, LENGTH, random)),
});

const inMemory = (operation: Operation): ClientContest => ({
  id: `alignment/kernel/${operation.id}/${LENGTH}`,
  axis: 'alignment',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive} in linear memory: where the data starts`,
  parameters: { length: LENGTH },
  kinds: THOROUGH,
  rank: 1,
  plan: PLAN,
  async prepare({ random, surroundings }) {
    const forms = (await kernelForms()).filter((form) => form.operation === operation.id);
    const work = await randomWork(operation, LENGTH, random);
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
});

export const alignment: readonly ClientContest[] = [
  ...entries(({ principal }) => principal).map(({ operation }) => views(operation)),
  ...entries(({ aligned }) => aligned).map(inMemory),
];
