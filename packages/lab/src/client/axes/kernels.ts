/**
 * Kernels kept for study: the number of blocks at once, where their words are kept, how words are rotated, and how the
 * MAC is combined with the cipher.
 */
import { randomWork, type ClientContest } from '../contest.ts';
import { kernelCases } from '../kernel-cases.ts';
import type { StudyEntry } from '../room.ts';
import { entries, kernelForms, studyForms } from '../rooms.ts';

const contest = ({ name, operation, length, title, studies, kinds }: StudyEntry): ClientContest => ({
  id: `kernels/${name}/${operation.id}/${length}`,
  axis: 'kernels',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${length} bytes in linear memory: ${title}`,
  parameters: { length },
  kinds,
  async prepare({ random, surroundings }) {
    const ours = (await kernelForms()).filter((form) => form.operation === operation.id);
    const all = [...ours, ...(await studyForms(studies))];
    const unique = [...new Map(all.map((form) => [form.name, form])).values()];
    return kernelCases(operation, unique, await randomWork(operation, length, random), surroundings);
  },
});

export const kernels: readonly ClientContest[] = entries(({ studies }) => studies).map(contest);
