/** The contests of ChaCha20-Poly1305-SIV. */
import { FULL, THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { open, seal } from './operations.ts';

export const contests: RoomContests = {
  order: 9,
  library: () => import('lanewise/siv.js'),
  platforms: [
    { operation: seal, length: 65536, kinds: THOROUGH },
    { operation: seal, length: 1024, kinds: FULL },
    { operation: open, length: 65536, kinds: FULL },
    { operation: seal, length: 2 ** 24, kinds: FULL },
    { operation: open, length: 2 ** 24, kinds: FULL },
  ],
};
