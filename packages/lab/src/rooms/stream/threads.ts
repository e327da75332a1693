/** Long streams on several threads, beside the same chunks of age by AEADs of other libraries in workers. */
import { nodeContestants } from '../../client/entrants.ts';
import { longData } from '../../client/long-data.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { CipherContestant } from '../../client/contestants/contestant.ts';
import type { LongWork, Peer, PartFunction, ThreadsEntry } from '../../client/room.ts';
import { joined } from '../../client/bytes.ts';
import { pass, type Direction } from './messages.ts';
import { drain, drainBack } from './passages.ts';

const CHUNK = 65536;
const SEALED = CHUNK + 16;
/** The chunks that another implementation makes, too. */
const CHECKED = 16;

const reference = () => import('./reference.ts');
const streams = () => import('lanewise/stream.js');
type Format = Awaited<ReturnType<typeof streams>>['agePayload' | 'chunked'];

/** All bytes of a stream. */
const collected = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());

/** How a stream is read: a default reader gets fresh memory for each piece, a BYOB reader lends one buffer to and fro. */
type Reader = 'default' | 'byob';
const LENT_BYTES = 2 ** 20;

/** Streams from an array. */
function worked(
  format: Format,
  direction: Direction,
  from: Uint8Array,
  key: Uint8Array,
  reader: Reader = 'default',
): LongWork['run'] {
  if (reader === 'byob' && typeof ReadableByteStreamController === 'undefined')
    throw new Error('there are no byte streams here');
  return (take, pool) => {
    const stream = format(key)[direction](from, pool && { pool });
    return reader === 'byob' ? drainBack(stream, take, LENT_BYTES) : drain(stream, take);
  };
}

/** The first chunks of age's payload, without the last. */
async function firstChunks(key: Uint8Array, plaintext: Uint8Array): Promise<Uint8Array> {
  const { ageMessages } = await reference();
  const { expected } = ageMessages('encrypt', key, plaintext.subarray(0, CHECKED * CHUNK + 1));
  return expected.subarray(0, CHECKED * SEALED);
}

const age =
  (direction: Direction, reader: Reader) =>
  async (bytes: number, random: Random): Promise<LongWork> => {
    const { agePayload } = await streams();
    const key = randomBytes(32, random);
    const plaintext = longData(bytes, random);
    const beginning = await firstChunks(key, plaintext);
    const isEncrypting = direction === 'encrypt';
    const from = isEncrypting ? plaintext : await collected(agePayload(key).encrypt(plaintext));
    const [unit, outUnit] = isEncrypting ? [CHUNK, SEALED] : [SEALED, CHUNK];
    return {
      bytes,
      run: worked(agePayload, direction, from, key, reader),
      beginning: isEncrypting ? beginning : plaintext.slice(0, CHECKED * CHUNK),
      part(index, count, all) {
        const chunks = all / CHUNK / count;
        const first = index * chunks;
        const data = from.slice(first * unit, (first + chunks) * unit).buffer;
        return { data, out: new ArrayBuffer(chunks * outUnit), key, first };
      },
    };
  };

/** Its header is random, so only decryption gives the same bytes each time. */
async function chunkedDecryption(bytes: number, random: Random): Promise<LongWork> {
  const { chunked } = await streams();
  const key = randomBytes(32, random);
  const plaintext = longData(bytes, random);
  const from = await collected(chunked(key).encrypt(plaintext));
  return {
    bytes,
    run: worked(chunked, 'decrypt', from, key),
    beginning: plaintext.slice(0, CHECKED * CHUNK),
    part: () => {
      throw new Error('chunked encryption has no peers');
    },
  };
}

/** The chunks of a part, one after the other, as messages of an AEAD. */
async function byMessages(direction: Direction, contestant: CipherContestant): Promise<PartFunction> {
  const { ageNonce } = await reference();
  const [unit, outUnit] = direction === 'encrypt' ? [CHUNK, SEALED] : [SEALED, CHUNK];
  return ({ data, out, key, first }) => {
    const chunks = data.length / unit;
    for (let i = 0; i < chunks; i++) {
      const chunk = data.subarray(i * unit, (i + 1) * unit);
      const room = out.subarray(i * outUnit, (i + 1) * outUnit);
      let at = 0;
      pass(contestant, direction, key, ageNonce(first + i, false), chunk, room, (piece) => {
        if (piece.buffer !== out.buffer) room.set(piece, at);
        at += piece.length;
      });
    }
    return chunks * outUnit;
  };
}

const sodium = async () => (await import('../../client/contestants/libsodium.ts')).libsodium;
const node = async () => (await nodeContestants()).nodeCrypto;

/** The first chunks of a part, by @noble's AEAD. */
const expectedBy =
  (direction: Direction): Peer['expected'] =>
  async ({ data, key, first }) => {
    const [{ ageNonce }, { chacha20poly1305 }] = await Promise.all([reference(), import('@noble/ciphers/chacha.js')]);
    const unit = direction === 'encrypt' ? CHUNK : SEALED;
    return joined(
      Array.from({ length: Math.min(CHECKED, data.byteLength / unit) }, (_, i) =>
        chacha20poly1305(key, ageNonce(first + i, false))[direction](new Uint8Array(data, i * unit, unit)),
      ),
    );
  };

const peers = (direction: Direction): readonly Peer[] => [
  {
    name: 'libsodium.js',
    contestant: sodium,
    worker: async () => byMessages(direction, await sodium()),
    expected: expectedBy(direction),
  },
  {
    name: 'node:crypto',
    nodeOnly: true,
    contestant: node,
    worker: async () => byMessages(direction, await node()),
    expected: expectedBy(direction),
  },
];

const ageEntry = (direction: Direction): ThreadsEntry => ({
  id: `age-payload/${direction}`,
  operation: { primitive: 'age payload', operation: direction },
  begin: age(direction, 'default'),
  peers: peers(direction),
});

export const threads: readonly ThreadsEntry[] = [
  ageEntry('encrypt'),
  {
    id: 'age-payload/encrypt-byob',
    operation: { primitive: 'age payload', operation: 'encrypt, BYOB reader' },
    begin: age('encrypt', 'byob'),
    peers: [],
  },
  ageEntry('decrypt'),
  {
    id: 'chunked/decrypt',
    operation: { primitive: 'chunked encryption', operation: 'decrypt' },
    begin: chunkedDecryption,
    peers: [],
  },
];
