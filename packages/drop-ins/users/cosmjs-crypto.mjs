// The cipher of CosmJS, with which it encrypts wallets.
import { Xchacha20poly1305Ietf } from '@cosmjs/crypto';

const key = new Uint8Array(32).fill(1);
const nonce = new Uint8Array(24).fill(2);

const roundTrip = (length) => async () => {
  const message = new Uint8Array(length).fill(7);
  const sealed = await Xchacha20poly1305Ietf.encrypt(message, key, nonce);
  const back = await Xchacha20poly1305Ietf.decrypt(sealed, key, nonce);
  if (Buffer.compare(message, back) !== 0) throw new Error('wrong plaintext');
};

export const cases = { 'a wallet of 500 bytes': roundTrip(500), 'a message of 64 KiB': roundTrip(64 << 10) };
