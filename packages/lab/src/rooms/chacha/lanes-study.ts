/** Contests of the study of four blocks in four lanes: one block across the lanes instead, and from which length on lanes pay. */
import { randomWork } from '../../client/contest.ts';
import { kernelCases } from '../../client/kernel-cases.ts';
import { lanesContests } from '../../client/lanes-contests.ts';
import type { StudyContest } from '../../client/room.ts';
import { chacha20 } from './operations.ts';

const rows = (length: number): StudyContest => ({
  id: `studies/rows/${chacha20.id}/${length}`,
  primitive: chacha20.primitive,
  operation: chacha20.operation,
  title: `ChaCha20, ${length} bytes in linear memory: one block across the lanes`,
  parameters: { length },
  async prepare({ random, surroundings }) {
    const { kernels } = await import('./forms.ts');
    const { ours, studies = {} } = kernels;
    const forms = [...ours, ...['rows', 'rows by shifts'].flatMap((name) => studies[name])];
    return kernelCases(chacha20, forms, await randomWork(chacha20, length, random), surroundings);
  },
});

/** Around each block of the first set of four, and up to where curves are flat. */
const LENGTHS = [
  1, 16, 32, 63, 64, 65, 96, 127, 128, 129, 160, 191, 192, 193, 224, 255, 256, 257, 320, 384, 448, 512, 768, 1024, 2048,
  4096,
];

export const lanesStudy: readonly StudyContest[] = [
  ...[64, 128, 192, 256, 65536].map(rows),
  ...lanesContests(chacha20, LENGTHS),
];
