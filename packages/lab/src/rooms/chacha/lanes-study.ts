/** Contests of the study of four blocks in four lanes: one block across the lanes instead, and from which length on lanes pay. */
import { lanesContests } from '../../client/study-contests.ts';
import type { StudyContest } from '../../client/room.ts';
import { chacha20 } from './operations.ts';
import { kernelStudy } from './study.ts';

const rows = kernelStudy(`rows/${chacha20.id}`, 'one block across the lanes', ['rows', 'rows by shifts']);

/** Around each block of the first set of four, and up to where curves are flat. */
const LENGTHS = [
  1, 16, 32, 63, 64, 65, 96, 127, 128, 129, 160, 191, 192, 193, 224, 255, 256, 257, 320, 384, 448, 512, 768, 1024, 2048,
  4096,
];

export const lanesStudy: readonly StudyContest[] = [
  ...[64, 128, 192, 256, 65536].map(rows),
  ...lanesContests(chacha20, LENGTHS),
];
