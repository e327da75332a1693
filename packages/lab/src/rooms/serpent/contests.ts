/** The contests of Serpent. */
import { ALWAYS, FULL, THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { serpent } from './operations.ts';

export const contests: RoomContests = {
  order: 6,
  sketched: [{ operation: serpent.ctr }],
  platforms: [
    { operation: serpent.ctr, length: 65536, kinds: ALWAYS, essential: true },
    { operation: serpent.ctr, length: 16384, kinds: THOROUGH },
    { operation: serpent.ctr, length: 1024, kinds: THOROUGH },
    { operation: serpent.cbc, length: 65536, kinds: ALWAYS },
    { operation: serpent.cbc, length: 16384, kinds: THOROUGH },
    { operation: serpent.cbc, length: 1024, kinds: THOROUGH },
    { operation: serpent.ocb, length: 65536, kinds: THOROUGH },
    { operation: serpent.ocb, length: 1024, kinds: FULL },
  ],
};
