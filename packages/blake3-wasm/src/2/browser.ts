/** `dist/wasm/browser/blake3_js.js` of `blake3-wasm`, version 2, which bundlers take. */
import { derivation, type Blake3Hash } from '../bindings.ts';

export { Blake3Hash, create_hasher, create_keyed, hash, HashReader } from '../bindings.ts';

export function create_derive(context: string): Blake3Hash {
  // The original begins with the length, so nothing at all has the engine's own error.
  if (typeof context.length !== 'number' || typeof context !== 'string')
    throw new TypeError(`"context" expected string, got ${typeof context}`);
  return derivation(new TextEncoder().encode(context));
}
