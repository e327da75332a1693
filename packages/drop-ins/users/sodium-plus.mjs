// The documented calls, as in browsers and where sodium-native is not installed.
import plus from 'sodium-plus';

const { SodiumPlus, X25519PublicKey, X25519SecretKey } = plus;
const sodium = await SodiumPlus.auto();
const key = await sodium.crypto_secretbox_keygen();
const [alice, bob] = [await sodium.crypto_box_keypair(), await sodium.crypto_box_keypair()];
const keys = [X25519SecretKey.from(alice.getBuffer().slice(0, 32)), X25519PublicKey.from(bob.getBuffer().slice(32))];
const back = [X25519SecretKey.from(bob.getBuffer().slice(0, 32)), X25519PublicKey.from(alice.getBuffer().slice(32))];

const right = (message, opened) => {
  if (Buffer.compare(message, opened) !== 0) throw new Error('wrong plaintext');
};

const secretbox = (length) => async () => {
  const [message, nonce] = [Buffer.alloc(length, 7), await sodium.randombytes_buf(24)];
  right(message, await sodium.crypto_secretbox_open(await sodium.crypto_secretbox(message, nonce, key), nonce, key));
};

const aead = (length) => async () => {
  const [message, nonce] = [Buffer.alloc(length, 7), await sodium.randombytes_buf(24)];
  const sealed = await sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(message, nonce, key, 'ad');
  right(message, await sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, nonce, key, 'ad'));
};

const box = (length) => async () => {
  const [message, nonce] = [Buffer.alloc(length, 7), await sodium.randombytes_buf(24)];
  right(message, await sodium.crypto_box_open(await sodium.crypto_box(message, nonce, ...keys), nonce, ...back));
};

const stream = (count, length) => async () => {
  const message = Buffer.alloc(length, 7);
  const push = await sodium.crypto_secretstream_xchacha20poly1305_init_push(key);
  const pull = await sodium.crypto_secretstream_xchacha20poly1305_init_pull(key, push.header);
  for (let i = 0; i < count; i++) right(message, await pull.pull(await push.push(message)));
};

export const cases = {
  'secretbox of 100 bytes': secretbox(100),
  'secretbox of 64 KiB': secretbox(1 << 16),
  'XChaCha20-Poly1305 of 100 bytes': aead(100),
  'XChaCha20-Poly1305 of 64 KiB': aead(1 << 16),
  'secretstream, 16 messages of 64 KiB': stream(16, 1 << 16),
  'box of 64 KiB': box(1 << 16),
};
