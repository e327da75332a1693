// Who confirms the vectors of BLAKE2: noble for all, libsodium and OpenSSL for those that they have.
import { createHash } from 'node:crypto';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { blake2s as hashWasm } from 'hash-wasm';
import sodium from 'libsodium-wrappers-sumo';
import { equal } from '../../verify-file.mjs';

await sodium.ready;

const upTo = (length) => Uint8Array.from({ length }, (_, i) => i);

// Of keyed BLAKE2s hash-wasm is the other; its functions are asynchronous.
const keyed2s = await Promise.all(Array.from({ length: 256 }, (_, n) => hashWasm(upTo(n), 256, upTo(32))));

/** By file, how its vectors are confirmed. */
export const files = {
  'blake2-kat.json'(f, { tests }) {
    for (const t of tests) {
      const [message, key] = [upTo(t.length), t.keyLength ? upTo(t.keyLength) : undefined];
      const is2b = t.function === 'blake2b';
      const said = [['noble', (is2b ? blake2b : blake2s)(message, { key })]];
      if (is2b) said.push(['libsodium', sodium.crypto_generichash(64, message, key ?? null)]);
      if (!key)
        said.push([
          'OpenSSL',
          createHash(is2b ? 'blake2b512' : 'blake2s256')
            .update(message)
            .digest(),
        ]);
      if (!is2b && key) said.push(['hash-wasm', Buffer.from(keyed2s[t.length], 'hex')]);
      f.vector(`${t.function} of ${t.length} bytes, key of ${t.keyLength}`, equal(said, t.out));
    }
  },
};
