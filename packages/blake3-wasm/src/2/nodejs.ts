/** `dist/wasm/nodejs/blake3_js.js` of `blake3-wasm`, version 2. */
import { derivation, type Blake3Hash } from '../bindings.ts';

export { Blake3Hash, create_hasher, create_keyed, hash, HashReader } from '../bindings.ts';

export function create_derive(context: string): Blake3Hash {
  // Calls of Node as the original makes them, so wrong arguments have the same errors.
  const bytes = Buffer.alloc(Buffer.byteLength(context));
  bytes.write(context, 0, bytes.length);
  return derivation(bytes);
}
