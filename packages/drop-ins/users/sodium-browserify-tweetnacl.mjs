// The secretbox of Secure Scuttlebutt in browsers.
import sodium from 'sodium-browserify-tweetnacl';

const [key, nonce] = [Buffer.alloc(32, 1), Buffer.alloc(24, 2)];

const roundTrip = (length) => () => {
  const message = Buffer.alloc(length, 7);
  const back = sodium.crypto_secretbox_open_easy(sodium.crypto_secretbox_easy(message, nonce, key), nonce, key);
  if (Buffer.compare(message, back) !== 0) throw new Error('wrong plaintext');
};

export const cases = { 'secretbox of 100 bytes': roundTrip(100), 'secretbox of 64 KiB': roundTrip(1 << 16) };
