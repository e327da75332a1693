/** The contests of scrypt. */
import { THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { derive } from './operations.ts';

export const contests: RoomContests = {
  order: 10,
  library: () => import('lanewise/scrypt.js'),
  platforms: [{ operation: derive, length: 16, kinds: THOROUGH }],
};
