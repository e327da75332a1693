/** crypto_secretstream_xchacha20poly1305: ours and libsodium.js, on messages of 64 KiB. */
import { joined } from '../../client/bytes.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { Attempt, Passage } from '../../client/room.ts';
import type { Direction } from './messages.ts';
import { loaded, stream, type Reference } from './ours.ts';
import { passing, type Take } from './passages.ts';

const MESSAGE_BYTES = 65536;
/** The bytes by which a message grows. */
const EXTRA_BYTES = 17;
const HEADER_BYTES = 24;

async function sodium() {
  const { libsodium: contestant } = await import('../../client/contestants/libsodium.ts');
  return { contestant, its: (await import('libsodium-wrappers-sumo')).default };
}
type Sodium = Awaited<ReturnType<typeof sodium>>['its'];

const partsOf = async (bytes: Uint8Array, length: number) => (await import('./reference.ts')).partsOf(bytes, length);
/** The header of a stream, and its messages. */
const cut = async (stream: Uint8Array): Promise<readonly Uint8Array[]> => [
  stream.subarray(0, HEADER_BYTES),
  ...(await partsOf(stream.subarray(HEADER_BYTES), MESSAGE_BYTES + EXTRA_BYTES)),
];

/** A stream by libsodium.js: the header, and the messages; the last has the tag FINAL. */
function push(its: Sodium, key: Uint8Array, messages: readonly Uint8Array[], take: Take): void {
  const { state, header } = its.crypto_secretstream_xchacha20poly1305_init_push(key);
  take(header);
  messages.forEach((message, i) =>
    take(its.crypto_secretstream_xchacha20poly1305_push(state, message, null, i < messages.length - 1 ? 0 : 3)),
  );
}

function pull(its: Sodium, key: Uint8Array, [header, ...messages]: readonly Uint8Array[], take: Take): void {
  const state = its.crypto_secretstream_xchacha20poly1305_init_pull(header, key);
  for (const each of messages) {
    const pulled = its.crypto_secretstream_xchacha20poly1305_pull(state, each, null);
    if (!pulled) throw new Error('not authentic');
    take(pulled.message);
  }
}

/** Decrypts what libsodium.js has encrypted by ours, and what ours has by libsodium.js: neither checks itself. */
async function openedByOurs(key: Uint8Array, stream: Uint8Array): Promise<Uint8Array> {
  const [{ secretstream }] = await loaded();
  const [header, ...messages] = await cut(stream);
  const opener = secretstream(key).opener({ header });
  const plaintext = joined(messages.map((each) => opener.push(each)));
  opener.end();
  return plaintext;
}

const ours =
  ({ direction, key, plaintext, sealed, opened }: Reference) =>
  async (): Promise<Passage> => {
    const [{ secretstream }, { auto: contestant }] = await loaded();
    const common = { contestant, bytes: plaintext.length, expected: plaintext };
    const out = new Uint8Array(MESSAGE_BYTES + EXTRA_BYTES);
    if (direction === 'encrypt') {
      const messages = await partsOf(plaintext, MESSAGE_BYTES);
      const final = { tag: secretstream.TAG_FINAL };
      return passing({ ...common, opened }, (take) => {
        const sealer = secretstream(key).sealer();
        take(sealer.header);
        messages.forEach((message, i) =>
          take(i < messages.length - 1 ? sealer.push(message, out) : sealer.push(message, out, final)),
        );
        sealer.end();
      });
    }
    const [header, ...messages] = await sealed();
    return passing(common, (take) => {
      const opener = secretstream(key).opener({ header });
      for (const message of messages) take(opener.push(message, out));
      opener.end();
    });
  };

const libsodium =
  ({ direction, key, plaintext, sealed }: Reference) =>
  async (): Promise<Passage> => {
    const { contestant, its } = await sodium();
    const common = { contestant, bytes: plaintext.length, expected: plaintext };
    if (direction === 'encrypt') {
      const messages = await partsOf(plaintext, MESSAGE_BYTES);
      return passing({ ...common, opened: (stream) => openedByOurs(key, stream) }, (take) =>
        push(its, key, messages, take),
      );
    }
    const parts = await sealed();
    return passing(common, (take) => pull(its, key, parts, take));
  };

export const secretstreamAttempts =
  (direction: Direction) =>
  (bytes: number, random: Random): Promise<readonly Attempt[]> => {
    const [key, plaintext] = [randomBytes(32, random), randomBytes(bytes, random)];
    const input: Reference = {
      direction,
      key,
      plaintext,
      async sealed() {
        const parts: Uint8Array[] = [];
        push((await sodium()).its, key, await partsOf(plaintext, MESSAGE_BYTES), (part) => parts.push(part));
        return parts;
      },
      async opened(sealed) {
        const parts: Uint8Array[] = [];
        pull((await sodium()).its, key, await cut(sealed), (part) => parts.push(part));
        return joined(parts);
      },
    };
    return Promise.resolve([
      { id: 'lanewise, machine', begin: ours(input) },
      { id: 'lanewise, stream', begin: stream('secretstream', input) },
      { id: 'libsodium.js', begin: libsodium(input) },
    ]);
  };
