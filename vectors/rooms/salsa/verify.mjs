// Who confirms the vectors of Salsa20 and secretbox.
import { hex, unhex } from '../../oracles.mjs';
import { said as salsaSaid } from '../../salsa-oracles.mjs';
import { equal } from '../../verify-file.mjs';

/** By file, how its vectors are confirmed. */
export const files = {
  'cryptopp-salsa.json'(f, { tests }) {
    tests.forEach((t, i) => {
      const skip = Number(BigInt(t.position) % 64n);
      const length = t.length ?? t.ciphertext.length / 2;
      const data = new Uint8Array(skip + length);
      if (t.plaintext) data.set(unhex(t.plaintext), skip);
      const counter = BigInt(t.position) / 64n;
      const said = salsaSaid('stream', { key: unhex(t.key), nonce: unhex(t.nonce), counter, data, rounds: t.rounds });
      const digest = (bytes) => {
        const sum = new Uint8Array(64);
        bytes.forEach((b, j) => (sum[j % 64] ^= b));
        return sum;
      };
      const wanted = t.xorDigest ?? t.ciphertext;
      f.vector(
        `${i + 1} (${t.name ?? 'XSalsa20'})`,
        said.map(([name, got]) => [name, hex(t.xorDigest ? digest(got) : got.subarray(skip)) === wanted]),
      );
    });
  },
  'salsa-nacl.json'(f, { tests }) {
    const methods = { secretbox: 'secretbox', secretbox_xchacha20poly1305: 'secretboxXChaCha' };
    for (const { kind, name, ...t } of tests) {
      const [key, nonce] = [unhex(t.key), unhex(t.nonce)];
      if (kind === 'hsalsa20') f.vector(name, equal(salsaSaid('hsalsa', key, nonce), t.subkey));
      else f.vector(name, equal(salsaSaid(methods[kind], { key, nonce, plaintext: unhex(t.plaintext) }), t.box));
    }
  },
};
