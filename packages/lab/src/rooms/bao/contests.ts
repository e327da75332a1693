/** The contests of verified streaming: trees and proofs of a content, beside its plain hash. */
import { joined, type Output } from '../../client/bytes.ts';
import { FULL, THOROUGH } from '../../client/kinds.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { Attempt, Passage, RoomContests } from '../../client/room.ts';
import { drain, passingLater, type Take } from '../stream/passages.ts';

const MIB = 2 ** 20;
const KIB = 1024;
/** Those of the crate `bao`, and those of bao-tree and iroh. */
const GROUPS = [KIB, 16 * KIB] as const;

const loaded = async () => ({
  ...(await import('lanewise/bao.js')),
  ...(await import('lanewise/blake3.js')),
  ...(await import('../../client/contestants/lanewise.ts')),
});
type Loaded = Awaited<ReturnType<typeof loaded>>;
type Way = Omit<Passage, 'contestant' | 'bytes'>;

async function attempts(groupLength: number, bytes: number, random: Random): Promise<readonly Attempt[]> {
  const content = randomBytes(bytes, random);
  const { blake3: noble } = await import('@noble/hashes/blake3.js');
  const hash = noble(content);
  const options = { groupLength };

  const attempt = (id: string, begin: (libraries: Loaded) => Promise<Way> | Way): Attempt => ({
    id: `lanewise, ${id}`,
    async begin() {
      const libraries = await loaded();
      return { ...(await begin(libraries)), contestant: libraries.auto, bytes };
    },
  });
  /** A tree is right if it proves the content. */
  const grown = (run: () => unknown, check: () => Promise<Output>): Way => ({
    asynchronous: true,
    run,
    check,
    expected: joined([hash, content]),
  });
  const proven = ({ auto: contestant }: Loaded, prove: (take: Take) => Promise<void>): Way =>
    passingLater({ contestant, bytes, expected: content }, prove);

  return [
    attempt('blake3', ({ blake3 }) => {
      const run = (): Uint8Array => blake3(content);
      return { run, check: run, expected: hash };
    }),
    attempt('outboard', ({ outboard, decode }) =>
      grown(
        () => outboard(content, options),
        async () => {
          const { hash: its, outboard: tree } = await outboard(content, options);
          return [its, await decode(content, its, { ...options, outboard: tree })];
        },
      ),
    ),
    attempt('encode', ({ encode, decode }) =>
      grown(
        () => encode(content, options),
        async () => {
          const { hash: its, encoded } = await encode(content, options);
          return [its, await decode(encoded, its, options)];
        },
      ),
    ),
    attempt('verified', async (libraries) => {
      const { outboard } = await libraries.outboard(content, options);
      return proven(libraries, (take) => drain(libraries.verified(content, hash, { ...options, outboard }), take));
    }),
    attempt('decode', async (libraries) => {
      const { encoded } = await libraries.encode(content, options);
      return proven(libraries, async (take) => take(await libraries.decode(encoded, hash, options)));
    }),
    attempt('decodeSlice', async (libraries) => {
      const { encoded } = await libraries.encode(content, options);
      const slice = await libraries.slice(encoded, 0, bytes, options);
      return proven(libraries, async (take) => take(await libraries.decodeSlice(slice, hash, 0, bytes, options)));
    }),
  ];
}

const row = (title: string, ours: string) => ({
  title: `${title}, 16 KiB groups`,
  ours: `lanewise, ${ours}`,
  result: 'allocated' as const,
  rivals: ['lanewise, blake3'],
});

export const contests: RoomContests = {
  library: () => import('lanewise/bao.js'),
  streams: GROUPS.map((groupLength) => ({
    id: `bao/${groupLength}`,
    operation: { primitive: 'verified streaming', operation: `groups of ${groupLength / KIB} KiB` },
    title: (size) => `verified streaming, groups of ${groupLength / KIB} KiB, ${size}`,
    sizes: [
      { bytes: 4 * MIB, kinds: THOROUGH },
      { bytes: 64 * MIB, kinds: FULL },
    ],
    ...(groupLength > KIB && { rows: [row('Outboard', 'outboard'), row('Verified stream', 'verified')] }),
    attempts: (bytes, random) => attempts(groupLength, bytes, random),
  })),
};
