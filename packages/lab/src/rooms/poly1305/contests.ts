/** The contests of Poly1305. */
import { THOROUGH } from '../../client/kinds.ts';
import type { RoomContests } from '../../client/room.ts';
import { poly1305 } from './operations.ts';

export const contests: RoomContests = {
  order: 3,
  library: () => import('lanewise/poly1305.js'),
  // Poly1305 has no vectors: the scalar kernel is its only one.
  sketched: [{ operation: poly1305, rivals: ['libsodium.js'], scalar: false }],
  platforms: [{ operation: poly1305, length: 65536, kinds: THOROUGH }],
  boundary: [{ operation: poly1305, lengths: [64, 1024], rank: 1 }],
  keys: [{ operation: poly1305 }],
};
