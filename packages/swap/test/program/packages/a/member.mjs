// Uses version 1 of tweetnacl itself, version 0.14 through sshpk, and version 2 of @noble/ciphers through nostr-tools.
import * as nip44 from 'nostr-tools/nip44';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import sshpk from 'sshpk';
import nacl from 'tweetnacl';
import { packageOf } from '../../find.mjs';

const key = nip44.getConversationKey(generateSecretKey(), getPublicKey(generateSecretKey()));
if (nip44.decrypt(nip44.encrypt('hello', key), key) !== 'hello') throw new Error('nostr-tools: wrong plaintext');

const [secret, nonce] = [new Uint8Array(32), new Uint8Array(24)];
const box = nacl.secretbox(new Uint8Array([1, 2, 3]), nonce, secret);
if (nacl.secretbox.open(box, nonce, secret)?.join() !== '1,2,3') throw new Error('tweetnacl: wrong plaintext');
box[0] ^= 1;
if (nacl.secretbox.open(box, nonce, secret) !== null) throw new Error('tweetnacl: opens a forgery');

const sshKey = sshpk.generatePrivateKey('ed25519');
if (sshKey.toPublic().fingerprint('sha256').toString().length !== 50) throw new Error('sshpk: wrong fingerprint');

export const found = {
  'nostr-tools': packageOf(import.meta.resolve('nostr-tools/nip44'), '@noble/ciphers/chacha.js', 'chacha.js'),
  a: packageOf(import.meta.url, 'tweetnacl', 'nacl-fast.js'),
  sshpk: packageOf(import.meta.resolve('sshpk'), 'tweetnacl', 'nacl-fast.js'),
};
