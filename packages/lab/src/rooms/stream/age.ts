/** The payload of age, and its rivals: the same chunks by other AEADs, and age-encryption's streams. */
import { joined } from '../../client/bytes.ts';
import type { CipherContestant } from '../../client/contestants/contestant.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { Attempt, Passage } from '../../client/room.ts';
import { byMessages, bytesOf, type Direction, type Messages } from './messages.ts';
import {
  drain,
  flowing,
  flowingBack,
  passing,
  passingLater,
  PIECE_BYTES,
  pushAll,
  roomForPiece,
  streamOf,
} from './passages.ts';

const MIB = 2 ** 20;

interface Input {
  readonly plaintext: Uint8Array<ArrayBuffer>;
  /** The chunks as messages. */
  readonly chunks: Messages;
  /** The bytes that go in, and those that must come out. */
  readonly from: Uint8Array<ArrayBuffer>;
  readonly to: Uint8Array;
}

const reference = () => import('./reference.ts');
const lanewise = async () => (await import('../../client/contestants/lanewise.ts')).auto;
const node = async () => (await (await import('#packages')).nodeContestants()).nodeCrypto;

/** The machine, which is given pieces of this length. */
const machine =
  ({ chunks: { direction, key }, plaintext: { length: bytes }, from, to }: Input, piece: number) =>
  async (): Promise<Passage> => {
    const [{ agePayload }, contestant] = await Promise.all([import('lanewise/stream.js'), lanewise()]);
    const out = roomForPiece(piece);
    return passing({ contestant, bytes, expected: to }, (take) => {
      const made = direction === 'encrypt' ? agePayload(key).sealer() : agePayload(key).opener();
      pushAll(made, from, piece, out, take);
    });
  };

/** Streams of the platform over the machine, in three ways to write and read them. */
const stream =
  ({ chunks: { direction, key }, plaintext: { length: bytes }, from, to }: Input, way: 'default' | 'byob' | 'pair') =>
  async (): Promise<Passage> => {
    const [{ agePayload }, contestant] = await Promise.all([import('lanewise/stream.js'), lanewise()]);
    const common = { contestant, bytes, expected: to };
    if (way === 'pair') {
      const pair = () => (direction === 'encrypt' ? agePayload(key).encryptor() : agePayload(key).decryptor());
      return flowing(common, from, (source) => source.pipeThrough(pair()));
    }
    if (way === 'byob' && typeof ReadableByteStreamController === 'undefined')
      throw new Error('there are no byte streams here');
    return (way === 'byob' ? flowingBack : flowing)(common, from, (source) =>
      direction === 'encrypt' ? agePayload(key).encrypt(source) : agePayload(key).decrypt(source),
    );
  };

const byAead =
  ({ chunks }: Input, contestant: () => Promise<CipherContestant>) =>
  async (): Promise<Passage> =>
    byMessages(await contestant(), chunks);

const byWebCrypto =
  (name: 'ChaCha20-Poly1305' | 'AES-GCM', chunks: () => Promise<Messages>) => async (): Promise<Passage> => {
    const { webCrypto: contestant, importedAead } = await import('../../client/contestants/webcrypto.ts');
    const input = await chunks();
    const { direction, key, messages, nonces, expected } = input;
    const run = await importedAead(name, direction, key);
    return passingLater({ contestant, bytes: bytesOf(input), expected }, async (take) => {
      for (let i = 0; i < messages.length; i++) take(await run(nonces[i], messages[i]));
    });
  };

/** age-encryption through streams, with a recipient that costs nothing. */
const typage =
  ({ chunks: { direction }, plaintext, plaintext: { length: bytes } }: Input) =>
  async (): Promise<Passage> => {
    const { ageEncryption: contestant, fileOf, opening, sealing } = await import('../../client/contestants/typage.ts');
    if (direction === 'encrypt') {
      const { openedAgeFile } = await reference();
      const { encrypt, fileKey } = sealing();
      const opened = (file: Uint8Array): Uint8Array => openedAgeFile(fileKey(), file);
      return passingLater({ contestant, bytes, expected: plaintext, opened }, async (take) =>
        drain(await encrypt(streamOf(plaintext)), take),
      );
    }
    const { file, fileKey } = await fileOf(plaintext);
    const decrypt = opening(fileKey);
    return passingLater({ contestant, bytes, expected: plaintext }, async (take) =>
      drain(await decrypt(streamOf(file)), take),
    );
  };

export const ageAttempts =
  (direction: Direction) =>
  async (bytes: number, random: Random): Promise<readonly Attempt[]> => {
    const [key, plaintext] = [randomBytes(32, random), randomBytes(bytes, random)];
    const { ageMessages } = await reference();
    const chunks = ageMessages(direction, key, plaintext);
    const [from, to] = direction === 'encrypt' ? [plaintext, chunks.expected] : [joined(chunks.messages), plaintext];
    const input: Input = { plaintext, chunks, from, to };
    const own: readonly Attempt[] = [
      { id: 'lanewise, machine', library: 'lanewise', begin: machine(input, PIECE_BYTES) },
      { id: 'lanewise, machine, pieces of 1 MiB', library: 'lanewise', begin: machine(input, MIB) },
      { id: 'lanewise, AEAD on each 64 KiB', library: 'lanewise', begin: byAead(input, lanewise) },
      { id: 'lanewise, stream', library: 'lanewise', begin: stream(input, 'default') },
      { id: 'lanewise, stream, BYOB reader', library: 'lanewise', begin: stream(input, 'byob') },
      { id: 'lanewise, pipeThrough', library: 'lanewise', begin: stream(input, 'pair') },
      { id: 'age-encryption, stream', library: 'age-encryption', begin: typage(input) },
    ];
    if (direction === 'decrypt') return own;
    // Decrypting is the same work for the AEADs of the platform.
    const gcm = () => Promise.resolve(ageMessages(direction, key, plaintext, 'AES-GCM'));
    return [
      ...own,
      {
        id: 'WebCrypto, ChaCha20-Poly1305',
        library: 'WebCrypto',
        begin: byWebCrypto('ChaCha20-Poly1305', () => Promise.resolve(chunks)),
      },
      { id: 'WebCrypto, AES-256-GCM', library: 'WebCrypto', begin: byWebCrypto('AES-GCM', gcm) },
      { id: 'node:crypto', library: 'node:crypto', nodeOnly: true, begin: byAead(input, node) },
    ];
  };
