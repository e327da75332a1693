/** ChaCha20-Poly1305-SIV put together of OpenSSL's ChaCha20 and libsodium's Poly1305, as the specification says. */
import { concat } from '../../support/bytes.ts';
import * as oracles from '../../support/oracles.ts';

const word = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
const zerosTo16 = (bytes: Uint8Array): Uint8Array => new Uint8Array(-bytes.length & 15);
const lengths = (...parts: readonly Uint8Array[]): Uint8Array => {
  const both = new DataView(new ArrayBuffer(16));
  parts.forEach(({ length }, i) => both.setBigUint64(8 * i, BigInt(length), true));
  return new Uint8Array(both.buffer);
};

/** "Encrypt" of the specification, line by line. */
export function seal(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const block = (key: Uint8Array, from: Uint8Array): Uint8Array =>
    oracles.chacha20(key, from.subarray(4, 16), new Uint8Array(64), word(from));
  const subkeys = block(key, nonce);
  const message = concat(aad, zerosTo16(aad), plaintext, zerosTo16(plaintext), lengths(aad, plaintext));
  const tag = block(subkeys.subarray(32), oracles.poly1305(message, subkeys.subarray(0, 32))).subarray(0, 32);
  const encryptionKey = block(subkeys.subarray(32), tag).subarray(32);
  return concat(oracles.chacha20(encryptionKey, tag.subarray(16, 28), plaintext), tag);
}
