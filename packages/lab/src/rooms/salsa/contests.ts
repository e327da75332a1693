/** The contests of Salsa20 and secretbox. */
import { ALWAYS, FULL, THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { salsa20, secretbox, secretboxAllocated } from './operations.ts';
import { studyContests } from './study.ts';

/** Plain JavaScript takes most of a second for such messages. */
const SLOW = ['noble', 'tweetnacl'];

const row = { rivals: ['libsodium.js', 'noble', 'tweetnacl'] };

export const contests: RoomContests = {
  order: 5,
  sketched: [
    { operation: salsa20, rivals: ['noble'] },
    { operation: secretbox.seal, rivals: ['libsodium.js', 'tweetnacl'] },
  ],
  platforms: [
    { operation: salsa20, length: 65536, kinds: ALWAYS, essential: true },
    { operation: salsa20, length: 256, kinds: FULL },
    { operation: secretbox.seal, length: 65536, kinds: ALWAYS, row: { ...row, shown: true } },
    { operation: secretbox.seal, length: 1024, kinds: FULL },
    { operation: secretbox.seal, length: 64, kinds: ALWAYS, row },
    { operation: secretboxAllocated, length: 64, kinds: THOROUGH, row },
    ...[secretbox.seal, secretbox.open].map((operation) => ({
      operation,
      length: 2 ** 24,
      kinds: FULL,
      without: SLOW,
    })),
  ],
  studyContests,
};
