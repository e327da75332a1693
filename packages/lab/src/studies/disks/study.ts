/** Disk encryption: how fast ChaCha20 was made for it, and what a sector costs. */
import type { Study } from '../study.ts';
import { page } from './page.ts';

export const study: Study = {
  id: 'disks',
  title: 'As fast as possible for disks',
  summary:
    'four blocks in lanes or by rows beside integers, the subkey, the ends of messages, and sectors by Adiantum, HPolyC and AES-XTS',
  order: 4,
  contests: ['studies/disks/', 'platforms/adiantum/pages/65536'],
  page,
};
