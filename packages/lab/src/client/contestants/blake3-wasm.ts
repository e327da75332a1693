/** blake3-wasm: the official crate without vectors. */
import { blake3Wasm as load } from '#packages';
import { HASH_KEY, type FullHasher } from './contestant.ts';
import { rival } from './rival.ts';
import { needWebAssembly } from './needs.ts';

needWebAssembly();
const wasm = await load();

export const blake3Wasm: FullHasher = {
  ...rival('blake3-wasm'),
  hash: (message) => wasm.createHash().update(message).digest(),
  keyed: (message) => wasm.createKeyed(HASH_KEY).update(message).digest(),
  pieces(pieces) {
    const hasher = wasm.createHash();
    for (const piece of pieces) hasher.update(piece);
    return hasher.digest();
  },
  xof(message, out) {
    const hasher = wasm.createHash().update(message);
    const reader = hasher.reader();
    reader.readInto(out);
    reader.dispose();
    return out;
  },
};
