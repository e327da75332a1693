/** ChaCha20, four blocks in four lanes. */
import type { Study } from '../study.ts';
import { CONTESTS, page } from './page.ts';

export const study: Study = {
  id: 'chacha20',
  title: 'ChaCha20, four blocks in four lanes',
  summary: 'scalar code and vectors in every engine, one block across the lanes, and from which length on lanes pay',
  order: 1,
  contests: [...CONTESTS, 'studies/rows/chacha20/encrypt/', 'studies/lanes/chacha20/encrypt/'],
  alsoIn: { 'firefox-baseline': CONTESTS, 'firefox-debugger': CONTESTS },
  page,
};
