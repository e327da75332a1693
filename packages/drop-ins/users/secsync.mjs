// Changes of a document, encrypted for the others who have its key.
import { createRequire } from 'node:module';
import { decryptAead, encryptAead } from 'secsync';

// Node does not find all files of the ES module of version 0.7.16, which this package asks for.
const sodium = createRequire(import.meta.url)('libsodium-wrappers');
await sodium.ready;
const key = sodium.crypto_aead_xchacha20poly1305_ietf_keygen();

const roundTrip = (length) => () => {
  const message = new Uint8Array(length).fill(7);
  const { ciphertext, publicNonce } = encryptAead(message, 'snapshot', key, sodium);
  const back = decryptAead(sodium.from_base64(ciphertext), 'snapshot', key, publicNonce, sodium);
  if (Buffer.compare(message, back) !== 0) throw new Error('wrong plaintext');
};

export const cases = { 'a change of 100 bytes': roundTrip(100), 'a snapshot of 64 KiB': roundTrip(1 << 16) };
