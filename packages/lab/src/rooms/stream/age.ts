/** The payload of age, and its rivals: the same chunks by other AEADs, and age-encryption's streams. */
import { nodeContestants } from '../../client/entrants.ts';
import { joined } from '../../client/bytes.ts';
import type { CipherContestant } from '../../client/contestants/contestant.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { Attempt, Passage } from '../../client/room.ts';
import { byMessages, bytesOf, type Direction, type Messages } from './messages.ts';
import { loaded, stream, type Reference } from './ours.ts';
import { drain, passing, passingLater, PIECE_BYTES, pushAll, roomForPiece, streamOf } from './passages.ts';

const MIB = 2 ** 20;

const reference = () => import('./reference.ts');
const lanewise = async () => (await loaded())[1].auto;
const node = async () => (await nodeContestants()).nodeCrypto;

/** The machine, which is given pieces of this length. */
const machine =
  ({ direction, key, plaintext, sealed, opened }: Reference, piece: number) =>
  async (): Promise<Passage> => {
    const [{ agePayload }, { auto: contestant }] = await loaded();
    const out = roomForPiece(piece);
    const isEncrypting = direction === 'encrypt';
    const from = isEncrypting ? plaintext : joined(await sealed());
    const common = { contestant, bytes: plaintext.length, expected: plaintext, ...(isEncrypting && { opened }) };
    return passing(common, (take) =>
      pushAll(isEncrypting ? agePayload(key).sealer() : agePayload(key).opener(), from, piece, out, take),
    );
  };

const byAead = (chunks: Messages, contestant: () => Promise<CipherContestant>) => async (): Promise<Passage> =>
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
  ({ direction, plaintext, plaintext: { length: bytes } }: Reference) =>
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
    const { ageMessages, openedAge } = await reference();
    const chunks = ageMessages(direction, key, plaintext);
    const input: Reference = {
      direction,
      key,
      plaintext,
      sealed: () => chunks.messages,
      opened: (payload) => openedAge(key, payload),
    };
    const own: readonly Attempt[] = [
      { id: 'lanewise, machine', begin: machine(input, PIECE_BYTES) },
      { id: 'lanewise, machine, pieces of 1 MiB', begin: machine(input, MIB) },
      { id: 'lanewise, AEAD on each 64 KiB', begin: byAead(chunks, lanewise) },
      { id: 'lanewise, stream', begin: stream('agePayload', input) },
      { id: 'lanewise, stream, BYOB reader', begin: stream('agePayload', input, 'byob') },
      { id: 'lanewise, pipeThrough', begin: stream('agePayload', input, 'pair') },
      { id: 'age-encryption, stream', begin: typage(input) },
    ];
    if (direction === 'decrypt') return own;
    // Decrypting is the same work for the AEADs of the platform.
    const gcm = () => Promise.resolve(ageMessages(direction, key, plaintext, 'AES-GCM'));
    return [
      ...own,
      {
        id: 'WebCrypto, ChaCha20-Poly1305',
        begin: byWebCrypto('ChaCha20-Poly1305', () => Promise.resolve(chunks)),
      },
      { id: 'WebCrypto, AES-256-GCM', begin: byWebCrypto('AES-GCM', gcm) },
      { id: 'node:crypto', nodeOnly: true, begin: byAead(chunks, node) },
    ];
  };
