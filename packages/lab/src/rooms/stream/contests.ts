/** The contests of streams. */
import { FULL, THOROUGH } from '../../client/kinds.ts';
import type { RoomContests, StreamsEntry } from '../../client/room.ts';
import { ageAttempts } from './age.ts';
import { chunkedAttempts } from './chunked.ts';
import { readAttempts } from './reads.ts';
import { secretstreamAttempts } from './secretstream.ts';
import { threads } from './threads.ts';

const MIB = 2 ** 20;
/**
 * A stream of one MiB takes less than a time slice of a scheduler, so that most are not interrupted; the longer size, for which a
 * run of all axes has no time, shows that the speed holds beyond the caches.
 */
const sizesFrom = (least: number): StreamsEntry['sizes'] => [
  { bytes: least, kinds: THOROUGH },
  { bytes: 64 * MIB, kinds: FULL },
];

const formats = [
  { id: 'age-payload', name: 'age payload', sizes: sizesFrom(MIB), attempts: ageAttempts },
  // Each stream derives its keys, which takes about as long as encrypting 200 KiB.
  { id: 'chunked', name: 'chunked encryption', sizes: sizesFrom(4 * MIB), attempts: chunkedAttempts },
  { id: 'secretstream', name: 'secretstream', sizes: sizesFrom(MIB), attempts: secretstreamAttempts },
] as const;

const row = (title: string, ours: string, result: 'out' | 'allocated', rival: string) => ({
  title,
  ours: `lanewise, ${ours}`,
  result,
  rivals: [rival],
});
/** Rows of the table of speeds, by the ids of entries. */
const ROWS: Readonly<Record<string, StreamsEntry['rows']>> = {
  'age-payload/encrypt': [
    row('age payload, 64 KiB pieces', 'machine', 'out', 'node:crypto'),
    row('age payload, ReadableStream', 'stream', 'allocated', 'age-encryption, stream'),
  ],
  'secretstream/encrypt': [row('secretstream, 64 KiB messages', 'machine', 'out', 'libsodium.js')],
};

const reads: StreamsEntry = {
  id: 'reads',
  operation: { primitive: 'random access', operation: 'read 1 KiB' },
  title: (size) => `1 KiB read at random from an encrypted stream of ${size}`,
  sizes: [
    { bytes: 16 * MIB, kinds: THOROUGH },
    { bytes: 1024 * MIB, kinds: FULL },
  ],
  attempts: readAttempts,
};

const streams = formats.flatMap(({ id, name, sizes, attempts }) =>
  (['encrypt', 'decrypt'] as const).map((direction): StreamsEntry => ({
    id: `${id}/${direction}`,
    operation: { primitive: name, operation: direction },
    title: (size) => `${name}, ${direction}, ${size} in pieces of 64 KiB`,
    sizes,
    rows: ROWS[`${id}/${direction}`] ?? [],
    attempts: attempts(direction),
  })),
);

export const contests: RoomContests = { streams: [...streams, reads], threads };
