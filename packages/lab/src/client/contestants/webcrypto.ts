/** WebCrypto: native code behind promises. Each operation is awaited, as a caller has to do. */
import type { Contestant } from './contestant.ts';

const subtle = (globalThis as { crypto?: { subtle?: SubtleCrypto } }).crypto?.subtle;
if (!subtle) throw new Error('there is no WebCrypto here: pages need https, or localhost');

export const webCrypto: Contestant = {
  name: 'WebCrypto',
  library: 'WebCrypto',
  standing: 'platform',
  version: undefined,
};

type Bytes = Uint8Array<ArrayBuffer>;
type Run = (data: Uint8Array) => Promise<Uint8Array>;
/** Imports the key, which is not timed. */
export type StartAsynchronous = (key: Uint8Array, nonce: Uint8Array) => Promise<Run>;

type AeadName = 'AES-GCM' | 'ChaCha20-Poly1305';
type Use = 'encrypt' | 'decrypt';

/** An AEAD under one key, for messages with a nonce each. */
export async function importedAead(
  name: AeadName,
  use: Use,
  key: Uint8Array,
): Promise<(nonce: Uint8Array, data: Uint8Array) => Promise<Uint8Array>> {
  const format = name === 'AES-GCM' ? 'raw' : 'raw-secret';
  const imported = await subtle!.importKey(format as 'raw', key as Bytes, name, false, [use]);
  return async (nonce, data) =>
    new Uint8Array(await subtle![use]({ name, iv: nonce as Bytes }, imported, data as Bytes));
}

const aead =
  (name: AeadName, use: Use): StartAsynchronous =>
  async (key, nonce) => {
    const run = await importedAead(name, use, key);
    return (data) => run(nonce, data);
  };

export const aesGcmSeal = aead('AES-GCM', 'encrypt');
export const aesGcmOpen = aead('AES-GCM', 'decrypt');

/** Available in hosts with WebCrypto's newer algorithms, of 2025. */
export const chacha20Poly1305Seal = aead('ChaCha20-Poly1305', 'encrypt');
export const chacha20Poly1305Open = aead('ChaCha20-Poly1305', 'decrypt');

/** `nonce` is the first counter block, whose 128 bits all count. */
export const aesCtr: StartAsynchronous = async (key, nonce) => {
  const imported = await subtle.importKey('raw', key as Bytes, 'AES-CTR', false, ['encrypt']);
  const parameters = { name: 'AES-CTR', counter: nonce as Bytes, length: 128 };
  return async (data) => new Uint8Array(await subtle.encrypt(parameters, imported, data as Bytes));
};

export const sha256: Run = async (message) => new Uint8Array(await subtle.digest('SHA-256', message as Bytes));
