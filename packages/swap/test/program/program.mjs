// Uses both major versions of @noble/ciphers through packages that depend on them, and libsodium itself.
import { Decrypter, Encrypter } from 'age-encryption';
import { decrypt, ECIES_CONFIG, encrypt, PrivateKey } from 'eciesjs';
import sodium from 'libsodium-wrappers';
import { packageOf } from './find.mjs';
import { found as inMember } from './packages/a/member.mjs';

ECIES_CONFIG.symmetricAlgorithm = 'xchacha20';
const secret = new PrivateKey();
const text = 'hello';
const bytes = decrypt(secret.secret, encrypt(secret.publicKey.toBytes(), new TextEncoder().encode(text)));
if (new TextDecoder().decode(bytes) !== text) throw new Error('eciesjs: wrong plaintext');

const [encrypter, decrypter] = [new Encrypter(), new Decrypter()];
encrypter.setPassphrase('correct horse');
encrypter.setScryptWorkFactor(2);
decrypter.addPassphrase('correct horse');
if ((await decrypter.decrypt(await encrypter.encrypt(text), 'text')) !== text)
  throw new Error('age-encryption: wrong plaintext');

await sodium.ready;
const [key, nonce] = [new Uint8Array(32), new Uint8Array(24)];
if (sodium.crypto_secretbox_open_easy(sodium.crypto_secretbox_easy(text, nonce, key), nonce, key, 'text') !== text)
  throw new Error('libsodium-wrappers: wrong plaintext');

const sodiumFile = 'dist/modules/libsodium-wrappers.js';
const found = {
  ...inMember,
  eciesjs: packageOf(import.meta.resolve('eciesjs'), '@noble/ciphers/chacha', 'chacha.js'),
  'age-encryption': packageOf(import.meta.resolve('age-encryption'), '@noble/ciphers/chacha.js', 'chacha.js'),
  root: packageOf(import.meta.url, 'libsodium-wrappers', sodiumFile),
};
console.log(JSON.stringify(found));
