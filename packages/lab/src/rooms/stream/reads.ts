/** Short reads at random places of a long encrypted stream: each fetches and decrypts the chunk that it is in. */
import { nodeContestants } from '../../client/entrants.ts';
import type { RandomAccessSource, Reader } from 'lanewise/stream.js';
import { joined } from '../../client/bytes.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { Attempt, Passage } from '../../client/room.ts';

const MIB = 2 ** 20;
const READ_BYTES = 1024;
/** The positions of the reads are used in turn. */
const POSITIONS = 256;
const CHECKED = 32;

type Format = 'agePayload' | 'chunked';
type Source = Blob | { stat(): Promise<{ size: number }>; read: unknown };

interface Input {
  readonly key: Uint8Array;
  readonly bytes: number;
  /** The plaintext is this block again and again. */
  readonly block: Uint8Array;
  readonly positions: readonly number[];
}

/** The encrypted stream in parts of about 1 MiB. */
async function* sealedParts(format: Format, { key, bytes, block }: Input): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { agePayload, chunked } = await import('lanewise/stream.js');
  const sealer = format === 'chunked' ? await chunked(key).sealer() : agePayload(key).sealer();
  yield sealer.header;
  for (let at = 0; at < bytes; at += block.length) yield sealer.push(block);
  yield sealer.end();
}

/** Parts are joined early, so that hosts may move them out of memory. */
async function blobOf(parts: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const blobs: Blob[] = [];
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of parts) if (waiting.push(part) === 64) [waiting] = [[], blobs.push(new Blob(waiting))];
  return new Blob([...blobs, ...waiting]);
}

async function readsOf(format: Format, source: Source, input: Input, end?: () => void): Promise<Passage> {
  const [stream, { auto: contestant }] = await Promise.all([
    import('lanewise/stream.js'),
    import('../../client/contestants/lanewise.ts'),
  ]);
  const { key, positions, block } = input;
  const readerOf = (from: RandomAccessSource) => stream[format](key).reader(from);
  const fetched = source instanceof Blob ? await fetchedFor(source, positions.slice(0, CHECKED), readerOf) : undefined;
  const reader = await readerOf(source as Blob);
  const read = (at: number): Promise<Uint8Array> => reader.read(at, at + READ_BYTES);
  let next = 0;
  return {
    contestant,
    bytes: READ_BYTES,
    parameters: { ...(fetched !== undefined && { 'bytes fetched for each byte': fetched }) },
    asynchronous: true,
    run: () => read(positions[next++ % POSITIONS]),
    check: async () => {
      const parts: Uint8Array[] = [];
      for (const at of positions.slice(0, CHECKED)) parts.push(await read(at));
      return parts;
    },
    expected: joined(
      positions.slice(0, CHECKED).map((at) => block.subarray(at % block.length, (at % block.length) + READ_BYTES)),
    ),
    end() {
      reader.destroy();
      end?.();
    },
  };
}

/** The bytes that reads fetch from a Blob, for each byte of theirs, without those for opening it. */
async function fetchedFor(
  blob: Blob,
  positions: readonly number[],
  readerOf: (source: RandomAccessSource) => Promise<Reader>,
): Promise<number> {
  let count = 0;
  const reader = await readerOf({
    size: blob.size,
    async read(from: number, to: number) {
      count += to - from;
      return new Uint8Array(await blob.slice(from, to).arrayBuffer());
    },
  });
  count = 0;
  for (const at of positions) await reader.read(at, at + READ_BYTES);
  reader.destroy();
  return count / positions.length / READ_BYTES;
}

export function readAttempts(bytes: number, random: Random): Promise<readonly Attempt[]> {
  const input: Input = {
    key: randomBytes(32, random),
    bytes,
    block: randomBytes(MIB, random),
    positions: Array.from({ length: POSITIONS }, () => READ_BYTES * Math.floor((random() * bytes) / READ_BYTES)),
  };
  const ofBlob = (format: Format) => async (): Promise<Passage> =>
    readsOf(format, await blobOf(sealedParts(format, input)), input);
  const ofFile = async (): Promise<Passage> => {
    const { nodeFile } = await nodeContestants();
    const { handle, end } = await nodeFile(sealedParts('agePayload', input));
    return readsOf('agePayload', handle, input, end);
  };
  return Promise.resolve([
    { id: 'lanewise, agePayload in a Blob', begin: ofBlob('agePayload') },
    { id: 'lanewise, chunked in a Blob', begin: ofBlob('chunked') },
    { id: 'lanewise, agePayload in a file', nodeOnly: true, begin: ofFile },
  ]);
}
