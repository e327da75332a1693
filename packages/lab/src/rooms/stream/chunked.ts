/** C2SP chunked-encryption, and the AEAD that it consists of. */
import { joined } from '../../client/bytes.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { Attempt, Passage } from '../../client/room.ts';
import { byMessages, type Direction } from './messages.ts';
import { flowing, passingLater, PIECE_BYTES, pushAll, roomForPiece } from './passages.ts';

interface Input {
  readonly direction: Direction;
  readonly key: Uint8Array;
  readonly salt: Uint8Array;
  readonly plaintext: Uint8Array<ArrayBuffer>;
}

const reference = () => import('./reference.ts');
const lanewise = async () => (await import('../../client/contestants/lanewise.ts')).auto;

const loaded = () => Promise.all([import('lanewise/stream.js'), lanewise(), reference()]);

/** The machine. Making it derives keys by WebCrypto, which is a part of each operation. */
const machine =
  ({ direction, key, salt, plaintext }: Input) =>
  async (): Promise<Passage> => {
    const [{ chunked }, contestant, { chunkedMessages, openedChunked }] = await loaded();
    const out = roomForPiece(PIECE_BYTES);
    const common = { contestant, bytes: plaintext.length, expected: plaintext };
    if (direction === 'encrypt') {
      const opened = (stream: Uint8Array): Uint8Array => openedChunked(key, stream);
      return passingLater({ ...common, opened }, async (take) => {
        const sealer = await chunked(key).sealer();
        take(sealer.header);
        pushAll(sealer, plaintext, PIECE_BYTES, out, take);
      });
    }
    const { header, expected: chunks } = chunkedMessages('encrypt', key, salt, plaintext);
    return passingLater(common, async (take) =>
      pushAll(await chunked(key).opener({ header }), chunks, PIECE_BYTES, out, take),
    );
  };

const stream =
  ({ direction, key, salt, plaintext }: Input) =>
  async (): Promise<Passage> => {
    const [{ chunked }, contestant, { chunkedMessages, openedChunked }] = await loaded();
    const common = { contestant, bytes: plaintext.length, expected: plaintext };
    if (direction === 'encrypt')
      return flowing({ ...common, opened: (sealed) => openedChunked(key, sealed) }, plaintext, (source) =>
        chunked(key).encrypt(source),
      );
    const { header, expected: chunks } = chunkedMessages('encrypt', key, salt, plaintext);
    return flowing(common, joined([header, chunks]), (source) => chunked(key).decrypt(source));
  };

const byAead =
  ({ direction, key, salt, plaintext }: Input) =>
  async (): Promise<Passage> =>
    byMessages(await lanewise(), (await reference()).chunkedMessages(direction, key, salt, plaintext));

export const chunkedAttempts =
  (direction: Direction) =>
  (bytes: number, random: Random): Promise<readonly Attempt[]> => {
    const [key, salt, plaintext] = [32, 24, bytes].map((length) => randomBytes(length, random));
    const input: Input = { direction, key, salt, plaintext };
    return Promise.resolve([
      { id: 'lanewise, machine', library: 'lanewise', begin: machine(input) },
      { id: 'lanewise, stream', library: 'lanewise', begin: stream(input) },
      { id: 'lanewise, AEAD on each 16 KiB', library: 'lanewise', begin: byAead(input) },
    ]);
  };
