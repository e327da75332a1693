/** HMAC on a kernel that is lent. RFC 2104 §2 */
import { STATES_BYTES } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { copyBytes, fillBytes } from '../engine/intrinsics.ts';
import type { Hash } from './hash.ts';
import { DIGEST, INITIAL, INNER, STATE } from './map.ts';
import type { Functions } from './module.ts';
import { finish, padDigest, stage } from './stage.ts';

type Kernel = Instance<Functions>;

/** Takes a key of any length. */
export function takeKey(kernel: Kernel, hash: Hash, key: Uint8Array, length: number): void {
  const { initial, blockLen, outputLen } = hash;
  if (length > blockLen) {
    kernel.write(STATE, initial.length, initial);
    finish(kernel, hash, stage(kernel, hash, 0, key, length), length);
    kernel.run.digest(DIGEST, outputLen);
    length = outputLen;
  } else kernel.write(DIGEST, length, key);
  takeStagedKey(kernel, hash, length);
}

/** Takes the key of `length` bytes at DIGEST. */
export function takeStagedKey(kernel: Kernel, hash: Hash, length: number): void {
  const { initial, blockLen } = hash;
  fillBytes(kernel.memory, 0, DIGEST + length, DIGEST + blockLen);
  copyBytes(kernel.memory, initial, INITIAL);
  kernel.run.key();
  padDigest(kernel, hash);
}

/** The same for a key whose states are kept: all from INNER to the end of the block at DIGEST. */
export function takeKept(kernel: Kernel, hash: Hash, key: Uint8Array, length: number, states: Uint8Array): void {
  // The byte after the digest, which begins the padding.
  if (states[STATES_BYTES - hash.outputLen]) copyBytes(kernel.memory, states, INNER);
  else {
    takeKey(kernel, hash, key, length);
    kernel.read(INNER, STATES_BYTES, states);
  }
}

/** The MAC of a message of `length` bytes, whose last ones are staged, goes to DIGEST. Its first part began at INNER. */
export function finishMac(kernel: Kernel, hash: Hash, staged: number, length: number): void {
  finish(kernel, hash, staged, hash.blockLen + length);
  kernel.run.outer(hash.outputLen);
}

/** The MAC of a message goes to DIGEST. */
export function macStaged(kernel: Kernel, hash: Hash, message: Uint8Array, length: number): void {
  kernel.run.begin(INNER);
  finishMac(kernel, hash, stage(kernel, hash, 0, message, length), length);
}
