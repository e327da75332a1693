// The messages of a Noise session, by the implementation without native code: `noise({ crypto: pureJsCrypto })`.
import { pureJsCrypto } from '@chainsafe/libp2p-noise';

const key = new Uint8Array(32).fill(1);
const nonce = new Uint8Array(12).fill(2);

const roundTrip = (length) => () => {
  const message = new Uint8Array(length).fill(7);
  const sealed = pureJsCrypto.chaCha20Poly1305Encrypt(message, nonce, new Uint8Array(0), key);
  const back = pureJsCrypto.chaCha20Poly1305Decrypt(sealed, nonce, new Uint8Array(0), key);
  if (Buffer.compare(message, back) !== 0) throw new Error('wrong plaintext');
};

export const cases = { 'a message of 100 bytes': roundTrip(100), 'a message of 64 KiB': roundTrip(65_519) };
