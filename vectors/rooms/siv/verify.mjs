// Who confirms the vectors of ChaCha20-Poly1305-SIV: whoever has ChaCha20 and Poly1305, put together as the specification says.
import { macData } from '../../model.mjs';
import { oracles, unhex } from '../../oracles.mjs';
import { equal } from '../../verify-file.mjs';

function seal({ stream, poly1305 }, key, nonce, aad, plaintext) {
  const block = (key, from) => {
    const counter = BigInt(new DataView(from.buffer, from.byteOffset).getUint32(0, true));
    return stream({ key, nonce: from.slice(4, 16), counter, data: new Uint8Array(64), rounds: 20 });
  };
  const subkeys = Uint8Array.from(block(key, nonce));
  const mac = Uint8Array.from(poly1305(subkeys.slice(0, 32), macData(aad, plaintext)));
  const tag = Uint8Array.from(block(subkeys.slice(32), mac)).slice(0, 32);
  const encryptionKey = Uint8Array.from(block(subkeys.slice(32), tag)).slice(32);
  const ciphertext = plaintext.length
    ? stream({ key: encryptionKey, nonce: tag.slice(16, 28), counter: 0n, data: plaintext, rounds: 20 })
    : plaintext;
  return [...ciphertext, ...tag];
}

/** By file, how its vectors are confirmed. */
export const files = {
  'chacha20-poly1305-siv-c2sp.json'(f, { tests }) {
    for (const [i, t] of tests.entries()) {
      const given = [t.key, t.nonce, t.associatedData, t.plaintext].map((text) => Uint8Array.from(unhex(text)));
      const said = Object.entries(oracles)
        .filter(([, oracle]) => oracle.poly1305)
        .map(([name, oracle]) => [name, seal(oracle, ...given)]);
      f.vector(`test vector ${i + 1}`, equal(said, t.ciphertext + t.tag));
    }
  },
};
