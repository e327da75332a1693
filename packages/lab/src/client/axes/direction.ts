/** Direction: sealing, opening, and rejecting a message with one flipped bit. */
import { merged, randomWork, type ClientContest } from '../contest.ts';
import { casesOf } from '../field.ts';
import type { DirectionEntry } from '../room.ts';
import { entries } from '../rooms.ts';

const who = { ours: ['simd', 'scalar', 'js'], rivals: ['noble', 'libsodium.js', 'node:crypto', 'WebCrypto'] } as const;

const contest = ({ name, directions, length, kinds }: DirectionEntry): ClientContest => ({
  id: `direction/${name}/${length}`,
  axis: 'direction',
  form: 'rounds',
  primitive: directions.seal.primitive,
  operation: 'seal, open, reject',
  title: `${directions.seal.primitive}, ${length} bytes: sealing, opening, and refusing a forgery`,
  parameters: { length },
  kinds,
  async prepare({ random }) {
    const all = await Promise.all(
      Object.values(directions).map(async (operation) =>
        casesOf(operation, who, await randomWork(operation, length, random), length, {
          name: (contestant) => `${contestant}, ${operation.operation}`,
        }),
      ),
    );
    return merged(all);
  },
});

export const direction: readonly ClientContest[] = entries(({ direction: all }) => all).map(contest);
