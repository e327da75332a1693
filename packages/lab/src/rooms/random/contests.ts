/** The contests of ChaCha8Rand. */
import { FULL, THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { bytes } from './operations.ts';

export const contests: RoomContests = {
  order: 8,
  library: () => import('lanewise/random.js'),
  platforms: [
    { operation: bytes, length: 65536, kinds: THOROUGH },
    { operation: bytes, length: 992, kinds: FULL },
  ],
};
