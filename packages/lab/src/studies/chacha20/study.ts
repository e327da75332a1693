/** ChaCha20, four blocks in four lanes. */
import type { Study } from '../study.ts';
import { page } from './page.ts';

const CHUNKS = ['65536', '16384', '256'].map((length) => `platforms/chacha20/encrypt/${length}`);

export const study: Study = {
  id: 'chacha20',
  title: 'ChaCha20, four blocks in four lanes',
  summary: 'scalar code and vectors in every engine, one block across the lanes, and from which length on lanes pay',
  order: 1,
  contests: [...CHUNKS, 'studies/rows/chacha20/encrypt/', 'studies/lanes/chacha20/encrypt/'],
  alsoIn: { 'firefox-baseline': CHUNKS, 'firefox-debugger': CHUNKS },
  page,
};
