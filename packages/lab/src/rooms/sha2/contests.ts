/** The contests of SHA-2. */
import { joined } from '../../client/bytes.ts';
import { ALWAYS, THOROUGH } from '../../client/kinds.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { ManyCase, RoomContests } from '../../client/room.ts';
import { hkdf, hmac, sha256, sha512 } from './operations.ts';

const AT_ONCE = 64;

async function together(length: number, random: Random): Promise<readonly ManyCase[]> {
  const [ours, noble] = await Promise.all([import('lanewise/sha2.js'), import('@noble/hashes/sha2.js')]);
  const messages = Array.from({ length: AT_ONCE }, () => randomBytes(length, random));
  const expected = joined(messages.map((message) => noble.sha256(message)));
  const common = { operation: sha256, bytes: AT_ONCE * length, expected } as const;
  const all = () => ours.hashMany(ours.sha256, messages);
  const each = () => messages.map((message) => ours.sha256(message));
  return [
    { ...common, id: 'one call', parameters: { together: true }, run: all, check: all },
    { ...common, id: 'one after the other', parameters: { together: false }, run: each, check: each },
  ];
}

export const contests: RoomContests = {
  library: () => import('lanewise/sha2.js'),
  platforms: [
    ...[64, 1024, 65536, 2 ** 20].flatMap((length) =>
      [sha256, sha512].map((operation) => ({ operation, length, kinds: length === 65536 ? ALWAYS : THOROUGH })),
    ),
    ...[64, 1024].map((length) => ({ operation: hmac, length, kinds: THOROUGH })),
    { operation: hkdf, length: 16, kinds: THOROUGH },
  ],
  many: [64, 1024].map((length) => ({
    id: `${sha256.id}/${length}`,
    operation: sha256,
    title: `${AT_ONCE} messages of ${length} bytes`,
    parameters: { length, messages: AT_ONCE },
    cases: (random) => together(length, random),
  })),
};
