/** The contests of Serpent. */
import { ALWAYS, FULL, THOROUGH } from '../../client/kinds.ts';
import { lanesContests, WIDTHS, widthsContests } from '../../client/study-contests.ts';
import type { RoomContests } from '../../client/room.ts';
import { serpent } from './operations.ts';

/** Each block of the first two sets of four, and up to where curves are flat. */
const LENGTHS = [16, 32, 48, 64, 80, 96, 112, 128, 192, 256, 512, 1024, 4096];

export const contests: RoomContests = {
  order: 6,
  sketched: [{ operation: serpent.ctr }],
  studyContests: [
    ...[serpent.ctr, serpent.cbc, serpent.ocb].flatMap((operation) => lanesContests(operation, LENGTHS)),
    ...widthsContests(serpent.ctr, WIDTHS),
  ],
  platforms: [
    {
      operation: serpent.ctr,
      length: 65536,
      kinds: ALWAYS,
      essential: true,
      row: { rivals: ['bcrypto', 'native libgcrypt'], shown: true },
    },
    { operation: serpent.ctr, length: 16384, kinds: THOROUGH },
    { operation: serpent.ctr, length: 1024, kinds: THOROUGH },
    { operation: serpent.cbc, length: 65536, kinds: ALWAYS },
    { operation: serpent.cbc, length: 16384, kinds: THOROUGH },
    { operation: serpent.cbc, length: 1024, kinds: THOROUGH },
    { operation: serpent.ocb, length: 65536, kinds: THOROUGH },
    { operation: serpent.ocb, length: 1024, kinds: FULL },
  ],
};
