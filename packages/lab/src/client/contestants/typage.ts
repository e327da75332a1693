/** age-encryption (typage): age in JavaScript, with @noble's ciphers, through streams of the platform. */
import { Decrypter, Encrypter, Stanza } from 'age-encryption';
import type { Contestant } from './contestant.ts';
import { rival } from './rival.ts';

export const ageEncryption: Contestant = rival('age-encryption');

type ByteStream = ReadableStream<Uint8Array>;

/** An encrypter whose recipient takes the file key as it is, so that only the payload costs time. */
function encrypter(): { encrypter: Encrypter; fileKey: () => Uint8Array } {
  let fileKey: Uint8Array | undefined;
  const made = new Encrypter();
  made.addRecipient({
    wrapFileKey(key) {
      fileKey = Uint8Array.from(key);
      return [new Stanza(['lab'], new Uint8Array(32))];
    },
  });
  return {
    encrypter: made,
    fileKey() {
      if (!fileKey) throw new Error('no file was encrypted');
      return fileKey;
    },
  };
}

export function sealing(): { encrypt: (plaintext: ByteStream) => Promise<ByteStream>; fileKey: () => Uint8Array } {
  const { encrypter: made, fileKey } = encrypter();
  return { encrypt: (plaintext) => made.encrypt(plaintext), fileKey };
}

export async function fileOf(plaintext: Uint8Array): Promise<{ file: Uint8Array<ArrayBuffer>; fileKey: Uint8Array }> {
  const { encrypter: made, fileKey } = encrypter();
  return { file: Uint8Array.from(await made.encrypt(plaintext)), fileKey: fileKey() };
}

export function opening(fileKey: Uint8Array): (file: ByteStream) => Promise<ByteStream> {
  const decrypter = new Decrypter();
  decrypter.addIdentity({ unwrapFileKey: () => fileKey });
  return (file) => decrypter.decrypt(file);
}
