/** hash-wasm: hand-tuned C compiled to WebAssembly, without vectors. */
import { HASH_KEY, type FullHasher } from './contestant.ts';
import { rival } from './rival.ts';
import { needWebAssembly } from './needs.ts';

needWebAssembly();
const { createBLAKE3, createSHA256 } = await import('hash-wasm');

/** The longest output of hash-wasm, which truncates longer ones. */
export const HASH_WASM_XOF = 16384;

const [plain, keyed, long, sha256] = await Promise.all([
  createBLAKE3(),
  createBLAKE3(256, HASH_KEY),
  createBLAKE3(8 * HASH_WASM_XOF),
  createSHA256(),
]);

export const hashWasmBlake3: FullHasher = {
  ...rival('hash-wasm'),
  hash: (message) => plain.init().update(message).digest('binary'),
  keyed: (message) => keyed.init().update(message).digest('binary'),
  pieces(pieces) {
    plain.init();
    for (const piece of pieces) plain.update(piece);
    return plain.digest('binary');
  },
  xof: (message) => long.init().update(message).digest('binary'),
};

export const hashWasmSha256 = {
  ...hashWasmBlake3,
  hash: (message: Uint8Array): Uint8Array => sha256.init().update(message).digest('binary'),
};
