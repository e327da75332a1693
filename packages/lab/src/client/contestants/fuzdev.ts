/** @fuzdev/blake3_wasm: the official crate with vectors. It has no output longer than a digest. */
import { fuzdev } from '#packages';
import { HASH_KEY, type Contestant, type Hasher } from './contestant.ts';
import { rival } from './rival.ts';
import { needWebAssembly } from './needs.ts';

needWebAssembly();
const { hash, keyed_hash, Blake3Hasher } = await fuzdev();
const hasher = new Blake3Hasher();

export const fuzdevBlake3: Contestant & Required<Pick<Hasher, 'hash' | 'keyed' | 'pieces'>> = {
  ...rival('fuzdev', '@fuzdev/blake3_wasm'),
  hash: (message) => hash(message),
  keyed: (message) => keyed_hash(HASH_KEY, message),
  pieces(pieces) {
    for (const piece of pieces) hasher.update(piece);
    return hasher.finalize_and_reset();
  },
};
