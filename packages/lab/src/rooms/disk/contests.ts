/** The contests of disk encryption. */
import { ALWAYS, FULL, THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { disk } from './operations.ts';
import { studyContests } from './study.ts';
import { threads } from './threads.ts';

const row = (name: string) => ({
  title: `${name}, 4096-byte pages`,
  rivals: ['noble, AES-256-CTR', 'Go, native', 'node:crypto, AES-256-XTS'],
});

export const contests: RoomContests = {
  order: 7,
  sketched: [{ operation: disk.pages }],
  platforms: [
    { operation: disk.pages, length: 65536, kinds: ALWAYS, row: row('Adiantum') },
    { operation: disk.sectors, length: 65536, kinds: THOROUGH },
    { operation: disk.hpolyc, length: 65536, kinds: THOROUGH, row: row('HPolyC') },
    { operation: disk.page, length: 4096, kinds: THOROUGH },
    { operation: disk.page, length: 512, kinds: FULL },
  ],
  threads,
  studyContests,
};
