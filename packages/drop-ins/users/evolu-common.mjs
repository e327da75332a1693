// A change of a database, encrypted as Evolu sends it.
import { createRandomBytes, decryptWithXChaCha20Poly1305, encryptWithXChaCha20Poly1305 } from '@evolu/common';

const randomBytes = createRandomBytes();
const key = randomBytes.create(32);

const roundTrip = (length) => () => {
  const message = new Uint8Array(length).fill(7);
  const [ciphertext, nonce] = encryptWithXChaCha20Poly1305({ randomBytes })(message, key);
  const { value } = decryptWithXChaCha20Poly1305(ciphertext, nonce, key);
  if (Buffer.compare(message, value) !== 0) throw new Error('wrong plaintext');
};

export const cases = { 'a change of 200 bytes': roundTrip(200), 'a change of 64 KiB': roundTrip(64 << 10) };
