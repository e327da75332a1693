/** Arguments that are bytes: the ones that are refused, at which end of a stream, and bytes whose class lies about them. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  armor,
  ArmorDecoder,
  ArmorEncoder,
  Decrypter,
  Encrypter,
  generateIdentity,
  HeaderReader,
  identityToRecipient,
  inspect,
  readHeader,
} from '../src/index.ts';

const GONE = 'expected Uint8Array, got one whose buffer is detached or too short';
const plaintext = Uint8Array.from({ length: 200_003 }, (_, i) => (i * 31 + (i >> 8)) % 256);
const encrypter = new Encrypter();
const decrypter = new Decrypter();
let file: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  const identity = await generateIdentity();
  encrypter.addRecipient(await identityToRecipient(identity));
  decrypter.addIdentity(identity);
  file = await encrypter.encrypt(plaintext);
});

/** As `postMessage` does. */
const transfer = (bytes: Uint8Array): void =>
  void structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });

describe('bytes that are transferred', () => {
  it('before the call', async () => {
    const gone = file.slice();
    transfer(gone);
    for (const call of [
      () => encrypter.encrypt(gone),
      () => decrypter.decrypt(gone),
      () => readHeader(gone),
      () => inspect(gone),
      async () => armor.encode(await Promise.resolve(gone)),
    ])
      await expect(call()).rejects.toThrow(`"file" ${GONE}`);
    await expect(decrypter.decryptHeader(gone)).rejects.toThrow(`"header" ${GONE}`);
    for (const machine of [new ArmorEncoder(), new ArmorDecoder(), new HeaderReader()])
      expect(() => machine.push(gone)).toThrow(`"bytes" ${GONE}`);
  });

  it.each([
    ['encoder', () => armor.encoder(), plaintext] as const,
    ['decoder', () => armor.decoder(), undefined] as const,
  ])('while an armor %s waits', async (_, make, given) => {
    const bytes = given?.slice() ?? new TextEncoder().encode(armor.encode(file));
    const { writable, readable } = make();
    const writer = writable.getWriter();
    const written = writer.write(bytes);
    transfer(bytes);
    const reader = readable.getReader();
    await expect(reader.read()).rejects.toThrow(`"chunk" ${GONE}`);
    await expect(written).rejects.toThrow(`"chunk" ${GONE}`);
  });
});

it('a piece that is no Uint8Array is an error of both ends of an armor encoder', async () => {
  const { writable, readable } = armor.encoder();
  const writing = writable.getWriter().write('text' as never);
  await expect(readable.getReader().read()).rejects.toThrow('"chunk" expected Uint8Array, got type=string');
  await expect(writing).rejects.toThrow('"chunk" expected Uint8Array');
});

it('bytes are those of the array, whatever length its class gives', async () => {
  class Lying extends Uint8Array<ArrayBuffer> {
    override get length(): number {
      return 0;
    }
    override get byteLength(): number {
      return 0;
    }
  }
  const sealed = await encrypter.encrypt(new Lying(plaintext.slice().buffer));
  expect(await decrypter.decrypt(new Lying(sealed.buffer))).toEqual(plaintext);
  expect(armor.decode(armor.encode(new Lying(file.slice().buffer)))).toEqual(file);
});
