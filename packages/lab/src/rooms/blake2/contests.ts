/** The contests of BLAKE2. */
import { ALWAYS, THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { blake2b, blake2s, keyed } from './operations.ts';

export const contests: RoomContests = {
  library: () => import('lanewise/blake2.js'),
  platforms: [
    ...[64, 1024, 65536, 2 ** 20].flatMap((length) =>
      [blake2b, blake2s].map((operation) => ({ operation, length, kinds: length === 65536 ? ALWAYS : THOROUGH })),
    ),
    { operation: keyed, length: 1024, kinds: THOROUGH },
  ],
};
