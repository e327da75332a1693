/** Encryption and decryption, and rejection: sealing, opening, and refusing a message of which one bit was changed. */
import { ALWAYS, FULL, randomWork, THOROUGH, type ClientContest } from '../contest.ts';
import { casesOf } from '../field.ts';
import type { Kind } from '../messages.ts';
import { chacha20poly1305, xchacha20poly1305 } from '../primitives/aead.ts';
import type { Operation } from '../primitives/operation.ts';

const who = { ours: ['simd', 'scalar', 'js'], rivals: ['noble', 'libsodium.js', 'node:crypto', 'WebCrypto'] } as const;

type Directions = Readonly<Record<'seal' | 'open' | 'reject', Operation>>;

const contest = (name: string, directions: Directions, length: number, kinds: readonly Kind[]): ClientContest => ({
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
    return { cases: all.flatMap(({ cases }) => cases), absent: all.flatMap(({ absent }) => absent) };
  },
});

export const direction: readonly ClientContest[] = [
  contest('chacha20poly1305', chacha20poly1305, 1024, FULL),
  contest('chacha20poly1305', chacha20poly1305, 65536, THOROUGH),
  contest('xchacha20poly1305', xchacha20poly1305, 1024, ALWAYS),
  contest('xchacha20poly1305', xchacha20poly1305, 65536, FULL),
];
