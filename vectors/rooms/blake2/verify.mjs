// Who confirms the vectors of BLAKE2: noble for all, libsodium and OpenSSL for those that they have.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import sodium from 'libsodium-wrappers-sumo';
import { equal } from '../../verify-file.mjs';

await sodium.ready;

const upTo = (length) => Uint8Array.from({ length }, (_, i) => i);

/** hashlib's keyed BLAKE2s of the first 0 to 255 bytes under the key of 32, all at once. */
const hashlib = `
import hashlib
for n in range(256): print(hashlib.blake2s(bytes(range(n)), key=bytes(range(32))).hexdigest())`;
const keyed2s = execFileSync('python3', ['-c', hashlib], { encoding: 'utf8' }).trim().split('\n');

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
      // No other library here has a keyed BLAKE2s, so Python's answers for it.
      if (!is2b && key) said.push(['Python', Buffer.from(keyed2s[t.length], 'hex')]);
      f.vector(`${t.function} of ${t.length} bytes, key of ${t.keyLength}`, equal(said, t.out));
    }
  },
};
