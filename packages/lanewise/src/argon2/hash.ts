/** The two hashes of Argon2: the digest of all inputs, and the function of variable length. RFC 9106 §3.2, §3.3 */
import { blake2b } from '../blake2.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes, min, part } from '../engine/intrinsics.ts';
import type { Counted, Inputs, Parameters } from './parameters.ts';

/** Words of 32 bits, little-endian. */
export function littleEndian(...words: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Bytes(4 * words.length);
  for (let i = 0; i < byteLengthOf(bytes); i++) bytes[i] = words[i >> 2] >>> (8 * (i & 3));
  return bytes;
}

/** H_0, §3.2 step 1: no later step reads the inputs. */
export function digestOf(
  { p, dkLen, m, t, version, kind }: Parameters,
  { password, salt, secret, ad }: Inputs,
): Uint8Array<ArrayBuffer> {
  const hasher = blake2b.create().update(littleEndian(p, dkLen, m, t, version, kind));
  const absorb = ({ bytes, length }: Counted): void =>
    void hasher.update(littleEndian(length)).update(part(bytes, 0, length));
  absorb(password);
  absorb(salt);
  absorb(secret);
  absorb(ad);
  return hasher.digest();
}

const HASH_BYTES = 64;
/** The bytes of each hash that go to the result, but for the last. */
const TAKEN = 32;

/** H', §3.3: fills `to` with the hash of `bytes`. */
export function variableHash(bytes: Uint8Array, to: Uint8Array): void {
  const length = byteLengthOf(to);
  const first = blake2b.create({ dkLen: min(length, HASH_BYTES) });
  let value = first.update(littleEndian(length)).update(bytes).digest();
  let at = 0;
  for (; length - at > HASH_BYTES; at += TAKEN) {
    copyBytes(to, part(value, 0, TAKEN), at);
    const rest = length - at - TAKEN;
    const next = blake2b(value, { dkLen: min(rest, HASH_BYTES) });
    fillBytes(value, 0);
    value = next;
  }
  copyBytes(to, value, at);
  fillBytes(value, 0);
}
