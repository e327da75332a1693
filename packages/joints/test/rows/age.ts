/** Calls of `@lanewise/age`. Randomness is undone, so that results are the same each time. */
import { Readable } from 'node:stream';
import {
  armor,
  ArmorDecoder,
  ArmorEncoder,
  Decrypter,
  Encrypter,
  HeaderReader,
  inspect,
  readHeader,
  type FileHeader,
} from '@lanewise/age';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { agePayload } from 'lanewise/stream.js';
import type { Given, Row } from '../row.ts';

/** More than a chunk. */
export const MESSAGE = Uint8Array.from({ length: 70_000 }, (_, i) => (11 * i) % 251);
const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);

export const encrypter = (): Encrypter => {
  const made = new Encrypter();
  made.addRecipient(recipient);
  return made;
};
export const decrypter = (): Decrypter => {
  const made = new Decrypter();
  made.addIdentity(identity);
  return made;
};
/** One file for all rows. */
export const file = await encrypter().encrypt(MESSAGE);
const armored = new TextEncoder().encode(armor.encode(file));
const front = new HeaderReader();
const frontLength = front.push(file);
const header = front.bytes.slice();
const payload = file.slice(frontLength);

export const collect = async (stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  // The iterator of a stream of Node reads options from a polluted Object.prototype.
  if (stream instanceof Readable)
    await new Promise((resolve, reject) => {
      stream.on('data', (piece: Uint8Array) => pieces.push(piece.slice()));
      stream.on('end', resolve).on('error', reject);
    });
  else for await (const piece of stream) pieces.push(piece.slice());
  return new Uint8Array(Buffer.concat(pieces));
};
/** A source of two pieces. */
async function* inTwo(bytes: Uint8Array, given: Given): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield given.bytes(bytes.slice(0, 40_000));
  given.moment();
  yield given.bytes(bytes.slice(40_000));
  given.moment();
}
/** Written to a transform in two pieces. */
async function through(
  transform: TransformStream<Uint8Array, Uint8Array>,
  bytes: Uint8Array,
  given: Given,
): Promise<Uint8Array> {
  const writer = transform.writable.getWriter();
  const written = [bytes.slice(0, 40_000), bytes.slice(40_000)].map((each) => writer.write(given.bytes(each)));
  const ended = Promise.allSettled([...written, writer.close()]);
  given.moment();
  const result = await collect(transform.readable);
  await ended;
  return result;
}

const opened = (sealed: Uint8Array): Promise<Uint8Array> => decrypter().decrypt(sealed);

const one = (name: string, run: Row['run'], what = ''): Row => ({
  title: `age ${name}${what}`,
  covers: [`age ${name}`],
  run,
});
const progress = (given: Given) => ({ onProgress: () => given.moment() });
/** Both the payload's key and the header are those of one new file. */
const sealedWith = ({ header: its, payloadKey }: FileHeader): Promise<Uint8Array> => {
  const sealer = agePayload(payloadKey).sealer({ header: its });
  return opened(new Uint8Array(Buffer.concat([sealer.header, sealer.push(MESSAGE), sealer.end()])));
};

export const rows: readonly Row[] = [
  one('Encrypter.encrypt', async (given) =>
    opened(
      await encrypter().encrypt(
        given.bytes(MESSAGE.slice()),
        given.options({ armor: false, size: MESSAGE.length, ...progress(given) }),
      ),
    ),
  ),
  one(
    'Encrypter.encrypt',
    async (given) => opened(await encrypter().encrypt(given.bytes(MESSAGE.slice()), given.options({ armor: true }))),
    ' of bytes as text',
  ),
  one(
    'Encrypter.encrypt',
    async (given) => {
      const passphrase = new Encrypter();
      passphrase.setPassphrase('mine');
      passphrase.setScryptWorkFactor(3);
      const reading = new Decrypter();
      reading.addPassphrase('mine');
      return reading.decrypt(await passphrase.encrypt(given.bytes(MESSAGE.slice()), given.options({})));
    },
    ' to a passphrase',
  ),
  one(
    'Encrypter.encrypt',
    async (given) =>
      opened(
        await collect(
          await encrypter().encrypt(inTwo(MESSAGE, given), given.options({ ...progress(given), armor: false })),
        ),
      ),
    ' of a stream',
  ),
  one(
    'Encrypter.encrypt',
    async (given) =>
      opened(await collect(await encrypter().encrypt([given.bytes(MESSAGE.slice())], given.options({})))),
    ' of a list',
  ),
  one('Encrypter.sealer', async (given) => {
    const sealer = await encrypter().sealer(given.options({}));
    return opened(
      new Uint8Array(Buffer.concat([sealer.header, sealer.push(given.bytes(MESSAGE.slice())), sealer.end()])),
    );
  }),
  one('Encrypter.fileHeader', async (given) => sealedWith(await encrypter().fileHeader(given.options({})))),
  one('Decrypter.decrypt', (given) =>
    decrypter().decrypt(given.bytes(file.slice()), 'uint8array', given.options(progress(given))),
  ),
  one(
    'Decrypter.decrypt',
    (given) => decrypter().decrypt(given.bytes(armored.slice()), 'uint8array', given.options({})),
    ' of text',
  ),
  one(
    'Decrypter.decrypt',
    async (given) => collect(await decrypter().decrypt(inTwo(file, given), undefined, given.options(progress(given)))),
    ' of a stream',
  ),
  one('Decrypter.decryptWhole', (given) =>
    decrypter().decryptWhole(given.bytes(file.slice()), given.options({ maxLength: 70_000, ...progress(given) })),
  ),
  one(
    'Decrypter.decryptWhole',
    (given) => decrypter().decryptWhole(inTwo(file, given), given.options({ maxLength: 70_000 })),
    ' of a stream',
  ),
  one(
    'Decrypter.decryptWhole',
    async (given) => {
      const written: Uint8Array[] = [];
      const to = {
        createWritable: () =>
          Promise.resolve({
            write(piece: Uint8Array) {
              written.push(piece.slice());
              given.moment();
            },
            close: () => undefined,
            abort: () => undefined,
          }),
      };
      await decrypter().decryptWhole(given.bytes(file.slice()), given.options({ to }));
      return new Uint8Array(Buffer.concat(written));
    },
    ' to a place',
  ),
  one('Decrypter.reader', async (given) => {
    const reader = await decrypter().reader(given.bytes(file.slice()), given.options({}));
    given.moment();
    return reader.read(65_000, 66_000);
  }),
  one('Decrypter.opener', async (given) => {
    const opener = await decrypter().opener(given.options({ header: given.bytes(header.slice()) }));
    given.moment();
    return new Uint8Array(Buffer.concat([opener.push(given.bytes(payload.slice())), opener.end()]));
  }),
  one('Decrypter.payloadKey', (given) =>
    decrypter().payloadKey(given.options({ header: given.bytes(header.slice()) })),
  ),
  one('Decrypter.decryptHeader', (given) => decrypter().decryptHeader(given.bytes(header.slice(0, -16)))),
  one('HeaderReader.push', (given) => {
    const reader = new HeaderReader();
    reader.push(given.bytes(file.slice(0, 50)));
    given.moment();
    reader.push(given.bytes(file.slice(50)));
    return reader.bytes;
  }),
  one('ArmorEncoder.push', (given) => {
    const encoder = new ArmorEncoder();
    const lines = [encoder.push(given.bytes(file.slice(0, 50))), encoder.push(given.bytes(file.slice(50)))];
    given.moment();
    return Buffer.concat([...lines, encoder.end()]);
  }),
  one('ArmorDecoder.push', (given) => {
    const decoder = new ArmorDecoder();
    const found = [decoder.push(given.bytes(armored.slice(0, 50))), decoder.push(given.bytes(armored.slice(50)))];
    given.moment();
    decoder.end();
    return Buffer.concat(found);
  }),
  one('armor.encode', (given) => armor.encode(given.bytes(file.slice()))),
  one('armor.encoder', (given) => through(armor.encoder(), file, given)),
  one('armor.decoder', (given) => through(armor.decoder(), armored, given)),
  one('inspect', (given) => inspect(given.bytes(file.slice()), given.options({}))),
  one('inspect', (given) => inspect(inTwo(armored, given), given.options({})), ' of a stream'),
  one('readHeader', async (given) => {
    const { header: its, rest } = await readHeader(given.bytes(file.slice()));
    given.moment();
    const body = await collect(rest);
    return Buffer.concat([its.bytes, body]);
  }),
];
