/** Serpent-256, four blocks in four lanes. */
import type { Study } from '../study.ts';
import { CONTESTS, page } from './page.ts';

export const study: Study = {
  id: 'serpent',
  title: 'Serpent-256, four blocks in four lanes',
  summary: 'CTR, CBC decryption and OCB with vectors and without, the circuits of the S-boxes, and what a gate costs',
  order: 2,
  contests: [
    ...CONTESTS,
    ...['ctr/encrypt', 'cbc/decrypt', 'ocb/seal'].map((mode) => `studies/lanes/serpent-${mode}/`),
  ],
  page,
};
