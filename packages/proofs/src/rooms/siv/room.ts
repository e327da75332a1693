/** The proofs of ChaCha20-Poly1305-SIV: it has no modules of its own, and its calls leave nothing in those of ChaCha. */
import type { Room } from '../room.ts';
import { sivRecorded } from './recorded.ts';

export const room: Room = {
  modules: {},
  recorded: sivRecorded,
  exceptions: [],
  faults: [],
};
