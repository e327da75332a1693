/** BLAKE3 in JavaScript, step by step. */
import type { Study } from '../study.ts';
import { CONTESTS, page } from './page.ts';

export const study: Study = {
  id: 'blake3-ladder',
  title: 'BLAKE3 in JavaScript, step by step',
  summary: 'a naive port made faster in fourteen steps, the gain of each in each engine, and the engines that undo it',
  order: 3,
  contests: CONTESTS,
  page,
};
