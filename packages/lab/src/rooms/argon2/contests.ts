/** The contests of Argon2. */
import { THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { derive } from './operations.ts';

export const contests: RoomContests = {
  library: () => import('lanewise/argon2.js'),
  platforms: [{ operation: derive, length: 16, kinds: THOROUGH }],
};
