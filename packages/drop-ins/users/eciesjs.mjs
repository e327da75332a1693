// Encryption for a public key with XChaCha20-Poly1305, in the build for browsers: in Node this package asks Node for the cipher.
import { decrypt, ECIES_CONFIG, encrypt, PrivateKey } from 'eciesjs';

ECIES_CONFIG.symmetricAlgorithm = 'xchacha20';
const secret = new PrivateKey();

const roundTrip = (length) => () => {
  const message = new Uint8Array(length).fill(7);
  const back = decrypt(secret.secret, encrypt(secret.publicKey.toBytes(), message));
  if (Buffer.compare(message, back) !== 0) throw new Error('wrong plaintext');
};

export const cases = { 'a message of 100 bytes': roundTrip(100), 'a message of 1 MiB': roundTrip(1 << 20) };
