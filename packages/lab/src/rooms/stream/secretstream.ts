/** crypto_secretstream_xchacha20poly1305: ours and libsodium.js, on messages of 64 KiB. */
import { joined } from '../../client/bytes.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { Attempt, Passage } from '../../client/room.ts';
import type { Direction } from './messages.ts';
import { flowing, passing } from './passages.ts';

const MESSAGE_BYTES = 65536;
/** The bytes by which a message grows. */
const EXTRA_BYTES = 17;
const HEADER_BYTES = 24;

async function sodium() {
  const { libsodium: contestant } = await import('../../client/contestants/libsodium.ts');
  return { contestant, sodium: (await import('libsodium-wrappers-sumo')).default };
}

const partsOf = async (bytes: Uint8Array, length: number) => (await import('./reference.ts')).partsOf(bytes, length);

interface Input {
  readonly direction: Direction;
  readonly key: Uint8Array;
  readonly plaintext: Uint8Array<ArrayBuffer>;
}

/** Messages by libsodium.js: the header, and the messages; the last has the tag FINAL. */
async function sealedBySodium({ key, plaintext }: Input): Promise<readonly [Uint8Array, ...Uint8Array[]]> {
  const { sodium: its } = await sodium();
  const { state, header } = its.crypto_secretstream_xchacha20poly1305_init_push(key);
  const messages = await partsOf(plaintext, MESSAGE_BYTES);
  const sealed = messages.map((message, i) =>
    its.crypto_secretstream_xchacha20poly1305_push(state, message, null, i === messages.length - 1 ? 3 : 0),
  );
  return [header, ...sealed];
}

/** Decrypts messages of ours by libsodium.js, and those of libsodium.js by ours: neither checks itself. */
const openedBySodium = async (key: Uint8Array, stream: Uint8Array): Promise<Uint8Array> => {
  const { sodium: its } = await sodium();
  const state = its.crypto_secretstream_xchacha20poly1305_init_pull(stream.subarray(0, HEADER_BYTES), key);
  const messages = await partsOf(stream.subarray(HEADER_BYTES), MESSAGE_BYTES + EXTRA_BYTES);
  return joined(
    messages.map((each) => {
      const pulled = its.crypto_secretstream_xchacha20poly1305_pull(state, each, null);
      if (!pulled) throw new Error('not authentic');
      return pulled.message;
    }),
  );
};

async function openedByOurs(key: Uint8Array, stream: Uint8Array): Promise<Uint8Array> {
  const { secretstream } = await import('lanewise/stream.js');
  const opener = secretstream(key).opener({ header: stream.subarray(0, HEADER_BYTES) });
  const messages = await partsOf(stream.subarray(HEADER_BYTES), MESSAGE_BYTES + EXTRA_BYTES);
  const plaintext = joined(messages.map((each) => opener.push(each)));
  opener.end();
  return plaintext;
}

const loaded = () => Promise.all([import('lanewise/stream.js'), import('../../client/contestants/lanewise.ts')]);

const ours = (input: Input) => async (): Promise<Passage> => {
  const { direction, key, plaintext } = input;
  const [{ secretstream }, { auto: contestant }] = await loaded();
  const common = { contestant, bytes: plaintext.length, expected: plaintext };
  const out = new Uint8Array(MESSAGE_BYTES + EXTRA_BYTES);
  if (direction === 'encrypt') {
    const messages = await partsOf(plaintext, MESSAGE_BYTES);
    const final = { tag: secretstream.TAG_FINAL };
    return passing({ ...common, opened: (stream) => openedBySodium(key, stream) }, (take) => {
      const sealer = secretstream(key).sealer();
      take(sealer.header);
      messages.forEach((message, i) =>
        take(i < messages.length - 1 ? sealer.push(message, out) : sealer.push(message, out, final)),
      );
      sealer.end();
    });
  }
  const [header, ...messages] = await sealedBySodium(input);
  return passing(common, (take) => {
    const opener = secretstream(key).opener({ header });
    for (const message of messages) take(opener.push(message, out));
    opener.end();
  });
};

const stream = (input: Input) => async (): Promise<Passage> => {
  const { direction, key, plaintext } = input;
  const [{ secretstream }, { auto: contestant }] = await loaded();
  const common = { contestant, bytes: plaintext.length, expected: plaintext };
  if (direction === 'encrypt')
    return flowing({ ...common, opened: (sealed) => openedBySodium(key, sealed) }, plaintext, (source) =>
      secretstream(key).encrypt(source),
    );
  const sealed = joined(await sealedBySodium(input));
  return flowing(common, sealed, (source) => secretstream(key).decrypt(source));
};

const libsodium = (input: Input) => async (): Promise<Passage> => {
  const { direction, key, plaintext } = input;
  const { contestant, sodium: its } = await sodium();
  const common = { contestant, bytes: plaintext.length, expected: plaintext };
  if (direction === 'encrypt') {
    const messages = await partsOf(plaintext, MESSAGE_BYTES);
    return passing({ ...common, opened: (stream) => openedByOurs(key, stream) }, (take) => {
      const { state, header } = its.crypto_secretstream_xchacha20poly1305_init_push(key);
      take(header);
      messages.forEach((message, i) =>
        take(its.crypto_secretstream_xchacha20poly1305_push(state, message, null, i < messages.length - 1 ? 0 : 3)),
      );
    });
  }
  const [header, ...messages] = await sealedBySodium(input);
  return passing(common, (take) => {
    const state = its.crypto_secretstream_xchacha20poly1305_init_pull(header, key);
    for (const each of messages) {
      const pulled = its.crypto_secretstream_xchacha20poly1305_pull(state, each, null);
      if (!pulled) throw new Error('not authentic');
      take(pulled.message);
    }
  });
};

export const secretstreamAttempts =
  (direction: Direction) =>
  (bytes: number, random: Random): Promise<readonly Attempt[]> => {
    const input: Input = { direction, key: randomBytes(32, random), plaintext: randomBytes(bytes, random) };
    return Promise.resolve([
      { id: 'lanewise, machine', library: 'lanewise', begin: ours(input) },
      { id: 'lanewise, stream', library: 'lanewise', begin: stream(input) },
      { id: 'libsodium.js', library: 'libsodium.js', begin: libsodium(input) },
    ]);
  };
