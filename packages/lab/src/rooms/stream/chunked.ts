/** C2SP chunked-encryption, and the AEAD that it consists of. */
import { randomBytes, type Random } from '../../client/random.ts';
import type { Attempt, Passage } from '../../client/room.ts';
import { byMessages, type Direction } from './messages.ts';
import { loaded, stream, type Reference } from './ours.ts';
import { passingLater, PIECE_BYTES, pushAll, roomForPiece } from './passages.ts';

interface Input extends Reference {
  readonly salt: Uint8Array;
}

const reference = () => import('./reference.ts');

/** The machine. Making it derives keys by WebCrypto, which is a part of each operation. */
const machine =
  ({ direction, key, plaintext, sealed, opened }: Input) =>
  async (): Promise<Passage> => {
    const [{ chunked }, { auto: contestant }] = await loaded();
    const out = roomForPiece(PIECE_BYTES);
    const common = { contestant, bytes: plaintext.length, expected: plaintext };
    if (direction === 'encrypt') {
      return passingLater({ ...common, opened }, async (take) => {
        const sealer = await chunked(key).sealer();
        take(sealer.header);
        pushAll(sealer, plaintext, PIECE_BYTES, out, take);
      });
    }
    const [header, chunks] = await sealed();
    return passingLater(common, async (take) =>
      pushAll(await chunked(key).opener({ header }), chunks, PIECE_BYTES, out, take),
    );
  };

const byAead =
  ({ direction, key, salt, plaintext }: Input) =>
  async (): Promise<Passage> =>
    byMessages((await loaded())[1].auto, (await reference()).chunkedMessages(direction, key, salt, plaintext));

export const chunkedAttempts =
  (direction: Direction) =>
  (bytes: number, random: Random): Promise<readonly Attempt[]> => {
    const [key, salt, plaintext] = [32, 24, bytes].map((length) => randomBytes(length, random));
    const input: Input = {
      direction,
      key,
      salt,
      plaintext,
      async sealed() {
        const { header, expected } = (await reference()).chunkedMessages('encrypt', key, salt, plaintext);
        return [header, expected];
      },
      opened: async (sealed) => (await reference()).openedChunked(key, sealed),
    };
    return Promise.resolve([
      { id: 'lanewise, machine', begin: machine(input) },
      { id: 'lanewise, stream', begin: stream('chunked', input) },
      { id: 'lanewise, AEAD on each 16 KiB', begin: byAead(input) },
    ]);
  };
