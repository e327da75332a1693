/** The chunks of age and of C2SP chunked-encryption, written plainly from the specifications, with OpenSSL's ciphers. */
import { concat, hex, unhex } from './bytes.ts';
import * as oracles from './oracles.ts';

const NOTHING = new Uint8Array(0);

const bigEndian = (value: bigint, length: number): Uint8Array => unhex(value.toString(16).padStart(2 * length, '0'));

/** C2SP age, "Payload": the nonce of a chunk is its number in 11 bytes, and 1 if it is the last one, else 0. */
export function agePayload(key: Uint8Array, plaintext: Uint8Array, chunk = 65_536): Uint8Array {
  const count = Math.max(1, Math.ceil(plaintext.length / chunk));
  const sealed = Array.from({ length: count }, (_, i) => {
    const nonce = concat(bigEndian(BigInt(i), 11), Uint8Array.of(i === count - 1 ? 1 : 0));
    return oracles.seal(key, nonce, NOTHING, plaintext.subarray(chunk * i, chunk * (i + 1)));
  });
  return concat(...sealed);
}

/** C2SP chunked-encryption, "AEAD usage": the base nonce XOR the number of a chunk. */
export const chunkedNonce = (base: Uint8Array, k: bigint): Uint8Array => bigEndian(BigInt(`0x${hex(base)}`) ^ k, 12);

/** C2SP chunked-encryption, "Message chunking": all chunks are full but the last, which is always shorter. */
export function chunkedBody(key: Uint8Array, base: Uint8Array, plaintext: Uint8Array, chunk = 16_384): Uint8Array {
  const sealed: Uint8Array[] = [];
  for (let k = 0; chunk * k <= plaintext.length; k++) {
    const part = plaintext.subarray(chunk * k, chunk * (k + 1));
    sealed.push(oracles.seal(key, chunkedNonce(base, BigInt(k)), NOTHING, part));
  }
  return concat(...sealed);
}
