/** The proofs of streams: they have no modules of their own, and their calls leave nothing in those of ChaCha and Poly1305. */
import type { Room } from '../room.ts';
import { streamRecorded } from './recorded.ts';

export const room: Room = {
  modules: {},
  recorded: streamRecorded,
  exceptions: [],
  faults: [],
};
