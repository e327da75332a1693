/**
 * blake3-jit, and Hugging Face's fork of it: above 4 KiB `hash` uses vectors, in WebAssembly that it generates; objects are plain
 * JavaScript.
 */
import * as fork from '@huggingface/blake3-jit';
import * as original from 'blake3-jit';
import { HASH_KEY, type FullHasher, type Hasher } from './contestant.ts';
import { rival } from './rival.ts';

const digest = new Uint8Array(32);

/** A package's functions: one with a digest of its own, and `hashInto`, the same hash without allocating the digest. */
function contestants(jit: typeof original | typeof fork, identity: ReturnType<typeof rival>): [FullHasher, Hasher] {
  const hasher: FullHasher = {
    ...identity,
    hash: (message) => jit.hash(message),
    keyed: (message) => jit.createKeyed(HASH_KEY).update(message).finalize(),
    pieces(pieces) {
      const hasher = jit.createHasher();
      for (const piece of pieces) hasher.update(piece);
      return hasher.finalize();
    },
    xof: (message, out) => jit.createHasher().update(message).finalizeXof().read(out.length),
  };
  const into: Hasher = {
    ...hasher,
    name: `${identity.name}, hashInto`,
    hash(message) {
      jit.hashInto(message, digest);
      return digest;
    },
  };
  return [hasher, into];
}

export const blake3Jit = contestants(original, rival('blake3-jit'));
export const huggingFace = contestants(fork, rival('Hugging Face', '@huggingface/blake3-jit'));
