/**
 * blake3-jit: above 4 KiB its `hash` uses vectors, in WebAssembly that it generates; its objects are plain JavaScript.
 */
import * as jit from 'blake3-jit';
import { HASH_KEY, type FullHasher, type Hasher } from './contestant.ts';
import { rival } from './rival.ts';

export const blake3Jit: FullHasher = {
  ...rival('blake3-jit'),
  hash: (message) => jit.hash(message),
  keyed: (message) => jit.createKeyed(HASH_KEY).update(message).finalize(),
  pieces(pieces) {
    const hasher = jit.createHasher();
    for (const piece of pieces) hasher.update(piece);
    return hasher.finalize();
  },
  xof: (message, out) => jit.createHasher().update(message).finalizeXof().read(out.length),
};

const digest = new Uint8Array(32);
/** The same hash without allocating the digest. */
export const blake3JitInto: Hasher = {
  ...blake3Jit,
  name: 'blake3-jit, hashInto',
  hash(message) {
    jit.hashInto(message, digest);
    return digest;
  },
};
